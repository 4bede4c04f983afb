import { findReadableMessage, type Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import type { Term } from '#platform/events/types.ts'
import { sentSentence } from '#translations/translate.ts'
import { badNarrow } from './errors.ts'
import { messageId } from './operands.ts'
import { currentName } from './operators.ts'
import type { Reader } from './visible.queries.ts'

/** Operators that select a conversation; `with` replaces them. */
const conversationOperators = ['channel', 'topic', 'dm']

/**
 * Replaces `with` and any filters by conversation with the current conversation of its message.
 * Drops `with` if the reader cannot access the message; then other filters must select a
 * conversation.
 *
 * @throws BAD_NARROW they do not, or `with` is negated or repeated
 * @source Zulip API, "Construct a narrow", `with` (feature level 271)
 */
export function resolveWith(reader: Reader, terms: readonly Term[]): readonly Term[] {
  const [found, ...more] = terms.filter(isWith)
  if (!found) return terms
  if (more.length > 0)
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} can be used only once', {
        operator: 'with',
      }),
    )
  if (found.negated)
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} cannot be negated', { operator: 'with' }),
    )
  const message = findReadableMessage(reader.read, reader.user, messageId('with', found.operand))
  const others = terms.filter((term) => term !== found)
  if (message) {
    return [...conversationOf(reader, message), ...others.filter((term) => !isConversation(term))]
  }
  if (!selectsConversation(others))
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown message in {operator}', { operator: 'with' }),
    )
  return others
}

export function isWith({ operator }: Term): boolean {
  return currentName(operator) === 'with'
}

function isConversation({ operator, negated }: Term): boolean {
  return !negated && conversationOperators.includes(currentName(operator))
}

function selectsConversation(terms: readonly Term[]): boolean {
  const names = terms.filter(isConversation).map(({ operator }) => currentName(operator))
  return names.includes('dm') || (names.includes('channel') && names.includes('topic'))
}

function conversationOf({ read }: Reader, message: Message): Term[] {
  const { channel, people } = recipientOf(read, message.recipientId)
  if (!channel)
    return [
      filter(
        'dm',
        people.map(({ id }) => id),
      ),
    ]
  return [filter('channel', channel.id), filter('topic', message.topic)]
}

function filter(operator: string, operand: Term['operand']): Term {
  return { operator, operand, negated: false }
}
