import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { listKnownTopics, mutedTopicsJson } from './json.ts'
import { mutedTopicsShape, userTopicMembers } from './shapes.ts'

/** The topics that the user muted, unmuted or followed. */
export const userTopicsState = {
  types: ['user_topic'],
  members: { user_topics: shape.list(shape.named('UserTopic', userTopicMembers)) },
  read({ user, store }, { capabilities }) {
    const allowEmptyTopicName = capabilities.has('empty_topic_name')
    const topics = listKnownTopics(store, user, capabilities.has('archived_channels'))
    return {
      user_topics: topics.map(({ row }) => ({
        stream_id: row.channelId,
        topic_name: shownTopic(store, row.topic, allowEmptyTopicName),
        last_updated: row.lastUpdated,
        visibility_policy: row.policy,
      })),
    }
  },
} satisfies StatePart

/** The muted topics for old clients; omitted if the client requests `user_topic` by name. */
export const mutedTopicsState = {
  types: ['muted_topics'],
  members: { muted_topics: mutedTopicsShape },
  read({ user, store }, { capabilities, fetchTypes }) {
    if (fetchTypes?.has('user_topic')) return {}
    return { muted_topics: mutedTopicsJson(store, user, capabilities.has('empty_topic_name')) }
  },
} satisfies StatePart
