import { limits, requireLength } from '#features/organization/realm/limits.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/write.ts'

/** Another name for the empty topic, which old clients send (feature level 370). */
const noTopic = '(no topic)'

/** The prefix of resolved topics; the index `messages_resolved` contains it too. */
export const resolvedPrefix = '✔ '

/** The key by which topics are compared: topics that differ only in case are the same. */
export function topicKey(topic: string): string {
  return topic.toLowerCase()
}

/**
 * A topic in its stored form: trimmed, and empty if the client sent another name of the empty
 * topic. Checks nothing, because filters may contain invalid topics, which match no message.
 *
 * @source Zulip API, "Send a message" (feature level 370)
 */
export function normalizeTopic(read: Read, topic: string): string {
  const trimmed = topic.trim()
  const displayName = realmSetting(read, 'empty_topic_display_name')
  return trimmed === noTopic || trimmed === displayName ? '' : trimmed
}

/**
 * `normalizeTopic` for a topic that is about to be stored.
 *
 * @throws BAD_REQUEST it is too long or contains a control character
 */
export function requireTopic(read: Read, topic: string): string {
  const name = normalizeTopic(read, topic)
  requireLength('topic', name, limits.topicLength)
  const position = name.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  if (position >= 0) throw badRequest(`Invalid character in topic, at position ${position + 1}!`)
  return name
}

/** A topic for a client; the empty one under its display name unless the client supports it. */
export function shownTopic(read: Read, topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName
    ? realmSetting(read, 'empty_topic_display_name')
    : topic
}
