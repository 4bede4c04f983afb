import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get events", type "user_topic" */
export const userTopicMembers = {
  stream_id: shape.integer,
  topic_name: shape.string,
  last_updated: shape.timestamp,
  visibility_policy: shape.noted(
    shape.choice(0, 1, 2, 3),
    '0 none, 1 muted, 2 unmuted, 3 followed.',
  ),
}

/** The deprecated list of muted topics. */
export const mutedTopicsShape = shape.list(
  shape.noted(
    shape.tuple(shape.string, shape.string, shape.timestamp),
    "The channel's name, the topic, and when it was muted, in seconds since the epoch.",
  ),
)

export const userTopicEventShapes = [
  shape.event('UserTopicEvent', 'user_topic', userTopicMembers),
  shape.event('MutedTopicsEvent', 'muted_topics', { muted_topics: mutedTopicsShape }),
]
