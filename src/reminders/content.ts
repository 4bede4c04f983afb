import { silently } from '#messages/notices.ts'
import { placeOf } from '#messages/place.ts'
import type { Message } from '#messages/queries.ts'
import { absoluteUrl, quoteBlock } from '#messages/quoting.ts'
import { limits } from '#realm/limits.ts'
import type { Read } from '#store/write.ts'
import { findUser } from '#users/queries.ts'

/**
 * What Notification Bot writes to remind somebody, as Markdown.
 *
 * @param message undefined when the user can no longer read it
 */
export function reminderContent(
  read: Read,
  message: Message | undefined,
  note: string,
  realmUrl: string,
): string {
  const noted = note === '' ? [] : [`Your note:\n${quoteBlock(note)}`]
  if (!message) {
    return ['You wanted to be reminded of a message that you can no longer read.', ...noted].join(
      '\n\n',
    )
  }
  const url = absoluteUrl(message, placeOf(read, message.recipientId), realmUrl)
  const sender = findUser(read, message.senderId)
  const head = [
    `You wanted to be reminded of [this message](${url}).`,
    ...noted,
    `${sender ? silently(sender) : 'Somebody'} wrote:`,
  ].join('\n\n')
  return `${head}\n${quoteBlock(message.content, limits.messageLength - [...head].length - 100)}`
}
