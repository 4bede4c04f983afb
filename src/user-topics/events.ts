import type { VariantEvent, WireEvent } from '#events/types.ts'

/** What the user wants of a topic changed. */
export interface UserTopicEvent extends WireEvent {
  type: 'user_topic'
  stream_id: number
  topic_name: string
  last_updated: number
  visibility_policy: number
}

/** A muted topic as old clients know it: channel name, topic, time of muting. */
export type MutedTopicJson = [channel: string, topic: string, mutedAt: number]

/** All topics that the user muted, for clients from before `user_topic`. */
interface MutedTopicsEvent extends WireEvent {
  type: 'muted_topics'
  muted_topics: MutedTopicJson[]
}

const withEmptyTopic = 'empty'
const withNamedTopic = 'named'

/** @param emptyTopicName what clients without empty topics see in place of one (level 334) */
export function userTopicEvent(
  event: Omit<UserTopicEvent, 'type'>,
  emptyTopicName: string,
): VariantEvent {
  return {
    type: 'user_topic',
    variant: ({ traits }) =>
      traits.capabilities.has('empty_topic_name') ? withEmptyTopic : withNamedTopic,
    build: (form): UserTopicEvent => ({
      type: 'user_topic',
      ...event,
      ...(form === withNamedTopic && event.topic_name === '' && { topic_name: emptyTopicName }),
    }),
  }
}

/** The old event, for queues that did not ask for the new one by name (feature level 134). */
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
