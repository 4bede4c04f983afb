import { badRequest } from '#errors.ts'
import { limits, requireLength } from '#realm/limits.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read } from '#store/write.ts'

/** What old clients call the empty topic (feature level 370). */
const noTopic = '(no topic)'

/** What topics are compared by: two topics that differ only in case are one. */
export function topicKey(topic: string): string {
  return topic.toLowerCase()
}

/**
 * A topic as it is stored: without blanks around it, and empty where the client sent one of the
 * names of the empty topic. Checks nothing: for filters, where an impossible topic finds nothing.
 *
 * @source contract, "Conventions": empty topic
 */
export function normalizeTopic(read: Read, topic: string): string {
  const trimmed = topic.trim()
  const displayName = realmSetting(read, 'empty_topic_display_name')
  return trimmed === noTopic || trimmed === displayName ? '' : trimmed
}

/**
 * `normalizeTopic` for a topic that is about to be stored.
 *
 * @throws BAD_REQUEST: too long, or with a control character in it
 */
export function requireTopic(read: Read, topic: string): string {
  const name = normalizeTopic(read, topic)
  requireLength('topic', name, limits.topicLength)
  const position = name.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  if (position >= 0) throw badRequest(`Invalid character in topic, at position ${position + 1}!`)
  return name
}

/** A topic as a client wants it that may not know empty topics. */
export function shownTopic(read: Read, topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName
    ? realmSetting(read, 'empty_topic_display_name')
    : topic
}
