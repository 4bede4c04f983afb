import type { StatePart } from '#events/state.ts'
import { list, named } from '#shape.ts'
import { shownTopic } from '#topics/names.ts'
import { listKnownTopics, mutedTopicsJson } from './json.ts'
import { mutedTopicsShape, userTopicMembers } from './shapes.ts'

/** The topics that the user muted, unmuted or follows. */
export const userTopicsState: StatePart = {
  types: ['user_topic'],
  shape: { user_topics: list(named('UserTopic', userTopicMembers)) },
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
}

/** The same for old clients: left out where the client asks for `user_topic` by name. */
export const mutedTopicsState: StatePart = {
  types: ['muted_topics'],
  shape: { muted_topics: mutedTopicsShape },
  read({ user, store }, { capabilities, fetchTypes }) {
    if (fetchTypes?.has('user_topic')) return {}
    return { muted_topics: mutedTopicsJson(store, user, capabilities.has('empty_topic_name')) }
  },
}
