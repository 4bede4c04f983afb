import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf, Shaped } from '#platform/shape.ts'
import type { mutedTopicsShape, userTopicEventShapes } from './shapes.ts'

/** The user's visibility policy for a topic changed. */
export type UserTopicEvent = EventOf<typeof userTopicEventShapes, 'user_topic'>

/** A muted topic in the deprecated form. */
export type MutedTopicJson = Shaped<typeof mutedTopicsShape>[number]

/** All topics that the user muted, for clients that do not support `user_topic`. */
type MutedTopicsEvent = EventOf<typeof userTopicEventShapes, 'muted_topics'>

const withEmptyTopic = 'empty'
const withNamedTopic = 'named'

/**
 * @param emptyTopicName replaces `''` for clients without `empty_topic_name` (level 334)
 * @param inArchived whether the channel is archived: clients without `archived_channels` do not know
 *   it (level 315)
 */
export function userTopicEvent(
  event: Omit<UserTopicEvent, 'type'>,
  emptyTopicName: string,
  inArchived: boolean,
): VariantEvent {
  return {
    type: 'user_topic',
    variant({ traits: { capabilities } }) {
      if (inArchived && !capabilities.has('archived_channels')) return undefined
      return capabilities.has('empty_topic_name') ? withEmptyTopic : withNamedTopic
    },
    build: (form): UserTopicEvent => ({
      type: 'user_topic',
      ...event,
      ...(form === withNamedTopic && event.topic_name === '' && { topic_name: emptyTopicName }),
    }),
  }
}

/** The deprecated event, for queues that did not request `user_topic` by name (level 134). */
export function mutedTopicsEvent(
  topics: (allowEmptyTopicName: boolean) => MutedTopicJson[],
): VariantEvent {
  return {
    type: 'muted_topics',
    variant({ eventTypes, traits }) {
      if (eventTypes?.has('user_topic')) return undefined
      return traits.capabilities.has('empty_topic_name') ? withEmptyTopic : withNamedTopic
    },
    build: (form): MutedTopicsEvent => ({
      type: 'muted_topics',
      muted_topics: topics(form === withEmptyTopic),
    }),
  }
}
