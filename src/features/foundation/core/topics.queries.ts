import { visibleHistory } from '#features/foundation/channels/access.ts'
import type { Channel } from '#features/foundation/channels/queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import type { Viewer } from '#features/foundation/users/queries.ts'
import { each } from '#platform/ranges.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** A topic with the id of its newest message. */
export interface TopicJson {
  name: string
  max_id: number
}

/** Skips from topic to topic in the index: the cost depends on topics, not on messages. */
const distinctTopics = `
  WITH RECURSIVE topics (key) AS (
    SELECT min(topic_key) FROM messages WHERE recipient_id = @recipientId
    UNION ALL
    SELECT (SELECT min(m.topic_key) FROM messages m
      WHERE m.recipient_id = @recipientId AND m.topic_key > topics.key)
    FROM topics WHERE topics.key IS NOT NULL
  )`

const allTopics = preparedSql<TopicJson>(`${distinctTopics}
  SELECT m.topic AS name, m.id AS max_id
  FROM topics JOIN messages m ON m.id = (SELECT max(n.id) FROM messages n
    WHERE n.recipient_id = @recipientId AND n.topic_key = topics.key)
  WHERE topics.key IS NOT NULL
  ORDER BY m.id DESC`)

const ownTopics = preparedSql<TopicJson>(`${distinctTopics}
  SELECT m.topic AS name, m.id AS max_id
  FROM topics JOIN messages m ON m.id = (SELECT max((SELECT max(n.id) FROM messages n
      WHERE n.recipient_id = @recipientId AND n.topic_key = topics.key
        AND n.id >= (r.value ->> 0) AND n.id < (r.value ->> 1)))
    FROM json_each(@ranges) r)
  WHERE topics.key IS NOT NULL
  ORDER BY m.id DESC`)

/**
 * The topics of a channel in which the user can read at least one message, the most recently active
 * first, each with the name in its newest readable message.
 */
export function listTopics(
  read: Read,
  user: Viewer,
  channel: Channel,
  allowEmptyTopicName: boolean,
): TopicJson[] {
  const { recipientId } = channel
  const history = visibleHistory(read, user, channel)
  const found =
    history === 'all'
      ? allTopics(read).all({ recipientId })
      : ownTopics(read).all({ recipientId, ranges: JSON.stringify([...each(history)]) })
  return found.map(({ name, max_id }) => ({
    name: shownTopic(read, name, allowEmptyTopicName),
    max_id,
  }))
}

const namedTopic = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM messages WHERE recipient_id = @recipientId AND topic_key > '' LIMIT 1`)

/** Whether any message of a channel is in a topic that has a name. */
export function hasNamedTopics(read: Read, { recipientId }: Channel): boolean {
  return namedTopic(read).get({ recipientId }) !== undefined
}
