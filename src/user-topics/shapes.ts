import { choice, event, integer, list, noted, string, timestamp, tuple } from '#shape.ts'

/** @source contract, "Topic visibility policy" */
export const userTopicMembers = {
  stream_id: integer,
  topic_name: string,
  last_updated: timestamp,
  visibility_policy: noted(choice(0, 1, 2, 3), '0 none, 1 muted, 2 unmuted, 3 followed.'),
}

/** The old way to list muted topics. */
export const mutedTopicsShape = list(
  noted(tuple(string, string, timestamp), "The channel's name, the topic, and since when."),
)

export const userTopicEventShapes = [
  event('UserTopicEvent', 'user_topic', userTopicMembers),
  event('MutedTopicsEvent', 'muted_topics', { muted_topics: mutedTopicsShape }),
]
