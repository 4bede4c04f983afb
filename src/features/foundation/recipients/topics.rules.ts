import { limits } from '#features/foundation/realm/limits.ts'
import { requirePlainName } from '#features/foundation/realm/names.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { fitsIn } from '#platform/code-points.ts'
import type { Read } from '#platform/store/store.ts'
import { mendedName, nameFault, tidyName } from '#shared/names.ts'

/** Another name for the empty topic, which old clients send (feature level 370). */
const noTopic = '(no topic)'

/**
 * The key by which topics are compared: case, composition and the number of blanks do not count. Not
 * `nameKey`, because clients tell topics apart in this way too.
 */
export function topicKey(topic: string): string {
  return tidyName(topic.toLowerCase())
}

/**
 * A topic in its stored form: composed, with single blanks, and empty if the client sent another name of the empty
 * topic. Checks nothing, because filters may contain invalid topics, which match no message.
 *
 * @source Zulip API, "Send a message" (feature level 370)
 */
export function normalizeTopic(read: Read, topic: string): string {
  const name = tidyName(topic)
  const displayName = realmSetting(read, 'empty_topic_display_name')
  return name === noTopic || name === displayName ? '' : name
}

/**
 * `normalizeTopic` for a topic that is about to be stored.
 *
 * @param isKnown whether a topic may keep its name, which may be from before there were rules
 * @throws BAD_REQUEST it is too long or not a name
 */
export function requireTopic(
  read: Read,
  topic: string,
  isKnown: (name: string) => boolean,
): string {
  const name = normalizeTopic(read, topic)
  if (nameFault(name) && isKnown(name)) return name
  return name === '' ? '' : requirePlainName(topicName, topic, limits.topicLength)
}

const topicName = { what: 'topic', parameter: 'topic' } as const

/** The end of a topic that was cut. */
const cutMark = '...'

/**
 * `requireTopic` for a topic that may be too long, as programs write them: cuts it.
 *
 * @source Zulip API, "Send a message"
 */
export function requireFittingTopic(
  read: Read,
  topic: string,
  isKnown: (name: string) => boolean,
): string {
  const name = tidyName(topic)
  if (fitsIn(name, limits.topicLength)) return requireTopic(read, topic, isKnown)
  const points = [...name]
  // What is no name at all is told so before it is cut.
  requirePlainName(topicName, topic, points.length)
  const most = limits.topicLength - cutMark.length
  const head = points.slice(0, most).join('')
  // A cut can leave half an emoji behind.
  return requireTopic(read, (nameFault(head) ? mendedName(head, most) : head) + cutMark, isKnown)
}

/** A topic for a client; the empty one under its display name unless the client supports it. */
export function shownTopic(read: Read, topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName
    ? realmSetting(read, 'empty_topic_display_name')
    : topic
}
