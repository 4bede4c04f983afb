import { badRequest } from '#errors.ts'

/** Lengths in Unicode code points; `POST /register` announces most of them. */
export const limits = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  reminderNoteLength: 1000,
  /** How many messages and reminders one user may have waiting, and drafts and snippets keep, each. */
  scheduledMessages: 1000,
  reminders: 1000,
  drafts: 5000,
  snippets: 1000,
  snippetTitleLength: 60,
  navigationViewNameLength: 100,
  realmNameLength: 40,
  realmDescriptionLength: 1000,
  welcomeTextLength: 8000,
} as const

/** The largest pictures, in MiB; the limit of other files is the server's configuration. */
export const pictureLimits = { avatar: 5, emoji: 5, icon: 5, logo: 5 } as const

/** To more new subscribers than this Notification Bot does not write (level 397). */
export const maxBulkNewSubscriptionMessages = 250

/**
 * Refuses a text that is too long.
 *
 * @param most in Unicode code points
 * @throws BAD_REQUEST
 */
export function requireLength(name: string, text: string, most: number): void {
  // There are at most as many code points as UTF-16 units.
  if (text.length > most && [...text].length > most) {
    throw badRequest(`${name} is too long (limit: ${most} characters)`)
  }
}
