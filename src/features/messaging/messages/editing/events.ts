import type { Flag } from '#features/messaging/messages/flags/queries.ts'
import type { messageEventShapes } from '#features/messaging/messages/shapes.ts'
import { isExtended } from '#platform/events/extended.ts'
import type { QueueView, VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'

/**
 * Messages were edited or moved.
 *
 * @source Zulip API, "Get events", type "update_message"
 */
export type UpdateMessageEvent = EventOf<typeof messageEventShapes, 'update_message'>

/** The part of an event's messages that a user may read. */
export type UpdatedMessages = Pick<UpdateMessageEvent, 'message_id' | 'message_ids'>

/** The part for readers of the message itself, but not of the messages moved with it. */
const contentMembers = [
  'orig_content',
  'orig_rendered_content',
  'content',
  'rendered_content',
  'is_me_message',
] as const satisfies readonly (keyof UpdateMessageEvent)[]

/**
 * The event with each user's own flags, and the empty topic in the form that each queue requests.
 *
 * @param flagsOf flag names by user id; the same list for all who have the same
 * @param messagesOf the messages by user id, for users who may not read all of them
 */
export function updateMessageEvent(
  event: Omit<UpdateMessageEvent, 'type' | 'rendering_only' | 'flags'> & { rendering_only?: true },
  flagsOf: ReadonlyMap<number, readonly Flag[]>,
  emptyTopicName: string,
  messagesOf: ReadonlyMap<number, UpdatedMessages> = new Map(),
): VariantEvent {
  const flags = ({ traits }: QueueView) => {
    const own = flagsOf.get(traits.userId) ?? []
    // Clients of the announced feature level fail on a flag here that they do not know.
    return isExtended(traits) ? own : own.filter((flag) => flag !== 'hide_link_previews')
  }
  const keyOf = (queue: QueueView, own?: UpdatedMessages) => {
    const named = queue.traits.capabilities.has('empty_topic_name')
    return [named, own?.message_id, own?.message_ids, ...flags(queue)].join(' ')
  }
  /** Keys by flags and by what the client knows, for those who may read all of the messages. */
  const keys = new Map<readonly string[] | undefined, string[]>()
  return {
    type: 'update_message',
    variant(queue) {
      const { traits } = queue
      const own = messagesOf.get(traits.userId)
      if (own) return keyOf(queue, own)
      const names = flagsOf.get(traits.userId)
      const known = keys.get(names) ?? []
      keys.set(names, known)
      const form =
        Number(traits.capabilities.has('empty_topic_name')) + 2 * Number(isExtended(traits))
      known[form] ??= keyOf(queue)
      return known[form]
    },
    build(_key, queue): UpdateMessageEvent {
      const named = queue.traits.capabilities.has('empty_topic_name')
      const shown = (topic: string) => (topic === '' && !named ? emptyTopicName : topic)
      const { orig_subject, subject, ...rest } = event
      const own = messagesOf.get(queue.traits.userId)
      if (own && own.message_id !== event.message_id) {
        for (const member of contentMembers) delete rest[member]
      }
      return {
        type: 'update_message',
        rendering_only: false,
        flags: [...flags(queue)],
        ...rest,
        ...own,
        ...(orig_subject !== undefined && { orig_subject: shown(orig_subject) }),
        ...(subject !== undefined && { subject: shown(subject) }),
      }
    },
  }
}
