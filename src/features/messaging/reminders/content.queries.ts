import type { Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { nameFor } from '#features/messaging/messages/names-for.queries.ts'
import { absoluteUrl } from '#features/messaging/messages/quoting.ts'
import { quoteBlock } from '#platform/markdown/quotes.ts'
import type { Read } from '#platform/store/store.ts'

/**
 * The Markdown source of Notification Bot's reminder.
 *
 * @param reader who asked to be reminded
 * @param message undefined when the user can no longer read it
 */
export function reminderContent(
  read: Read,
  reader: User,
  message: Message | undefined,
  note: string,
  realmUrl: string,
): string {
  const { t } = userLanguage(read, reader)
  const noted = note === '' ? [] : [`${t('Your note:')}\n${quoteBlock(note)}`]
  if (!message) {
    return [t('You asked to be reminded of a message that you can no longer read.'), ...noted].join(
      '\n\n',
    )
  }
  const url = absoluteUrl(message, recipientOf(read, message.recipientId), realmUrl)
  const head = [
    t('You asked to be reminded of [this message]({url}).', { url }),
    ...noted,
    t('{name} wrote:', { name: nameFor(read, reader, findUser(read, message.senderId)) }),
  ].join('\n\n')
  return `${head}\n${quoteBlock(message.content, limits.messageLength - [...head].length - 100)}`
}
