import type { EditableFlag } from '#features/messaging/messages/choices.ts'
import type { messageEventShapes, unreadDetails } from '#features/messaging/messages/shapes.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf, Shaped } from '#platform/shape.ts'

/**
 * The user's messages got a flag; with `all`, every message got it, and `messages` is empty.
 *
 * @source Zulip API, "Get events", type "update_message_flags"
 */
export type FlagAddEvent = EventOf<typeof messageEventShapes, 'update_message_flags', 'add'>

/**
 * The conversation of a message that became unread, which clients may not have loaded (feature
 * level 121).
 */
export type UnreadDetails = Shaped<typeof unreadDetails>

/**
 * The user's messages lost a flag.
 *
 * @source Zulip API, "Get events", type "update_message_flags"
 */
export type FlagRemoveEvent = EventOf<typeof messageEventShapes, 'update_message_flags', 'remove'>

export function flagAddEvent(
  flag: EditableFlag,
  messages: readonly number[],
  all = false,
): FlagAddEvent {
  return { type: 'update_message_flags', op: 'add', operation: 'add', flag, messages, all }
}

export function flagRemoveEvent(
  flag: Exclude<EditableFlag, 'read'>,
  messages: readonly number[],
): FlagRemoveEvent {
  return { ...removal, flag, messages }
}

const removal = {
  type: 'update_message_flags',
  op: 'remove',
  operation: 'remove',
  all: false,
} as const

/** The `remove` event of `read`, with the empty topic as each queue requests it (level 334). */
export function unreadEvent(
  messages: readonly number[],
  details: ReadonlyMap<number, UnreadDetails>,
  emptyTopicName: string,
): VariantEvent {
  return {
    type: 'update_message_flags',
    variant: ({ traits }) => String(traits.capabilities.has('empty_topic_name')),
    build(_key, { traits }): FlagRemoveEvent {
      const named = traits.capabilities.has('empty_topic_name')
      const entries = [...details].map(([id, entry]) => {
        if (named || entry.type === 'private' || entry.topic !== '') return [id, entry]
        return [id, { ...entry, topic: emptyTopicName }]
      })
      return { ...removal, flag: 'read', messages, message_details: Object.fromEntries(entries) }
    },
  }
}
