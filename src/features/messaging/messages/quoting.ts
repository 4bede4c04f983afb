import type { Message } from '#features/foundation/core/queries.ts'
import type { Recipient } from '#features/foundation/core/recipient.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { directMessagesUrl, messageUrl } from '#platform/markdown/links.ts'

/** The absolute URL of a message in the web client. */
export function absoluteUrl(message: Message, recipient: Recipient, realmUrl: string): string {
  const { channel, people } = recipient
  const path = channel
    ? messageUrl(channel, message.topic, message.id)
    : directMessagesUrl(
        people.map(({ id }) => id),
        message.id,
      )
  return realmUrl + path
}

/** Markdown that mentions a user without notifying them. */
export function silentMention({ fullName, id }: User): string {
  return `@_**${fullName}|${id}**`
}
