/** Lengths in Unicode code points, as `POST /register` announces them. */
export const limits = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  reminderNoteLength: 1000,
} as const

/** The largest pictures, in MiB; the limit of other files is the server's configuration. */
export const pictureLimits = { avatar: 5, icon: 5, logo: 5 } as const

/** To more new subscribers than this Notification Bot does not write (level 397). */
export const maxBulkNewSubscriptionMessages = 250
