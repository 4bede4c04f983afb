import { fitsIn } from '#platform/code-points.ts'
import { badRequest } from '#platform/errors.ts'
import { naming, tooLong } from '#platform/sentences.ts'

/** Lengths in Unicode code points; `POST /register` announces most of them. */
export const limits = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  reminderNoteLength: 1000,
  snippetTitleLength: 60,
  navigationViewNameLength: 100,
  statusLength: 60,
  realmNameLength: 40,
  realmDescriptionLength: 1000,
  welcomeTextLength: 8000,
} as const

/** The maximum sizes of uploaded pictures, in MiB. The configuration limits other files. */
export const pictureLimits = { avatar: 5, emoji: 5, icon: 5, logo: 5 } as const

/** Notification Bot messages new subscribers only if they are at most this many (level 397). */
export const maxBulkNewSubscriptionMessages = 250

/**
 * Requires a maximum length.
 *
 * @param name of the parameter
 * @param most in Unicode code points
 * @throws BAD_REQUEST the text is too long
 */
export function requireLength(name: string, text: string, most: number): void {
  if (!fitsIn(text, most)) throw badRequest(naming(name, tooLong(most)), { parameter: name })
}
