import type { channels } from '#platform/store/schema.ts'

/**
 * Whether a client wants the subscribers of channels. `partial` lets the server list only some
 * subscribers of large channels (feature level 412).
 */
export type IncludeSubscribers = 'true' | 'false' | 'partial'

/** The options a client registered its queue with that change the form of its events. */
export interface QueueTraits {
  readonly userId: number
  readonly applyMarkdown: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: ReadonlySet<Capability>
}

/** The `client_capabilities` of `POST /register` that change what the server sends. */
export const capabilities = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
  /**
   * Parley's own: the client also wants members, properties and events that the announced feature
   * level lacks. Clients that decode strictly would break on them.
   */
  'extended_members',
] as const
export type Capability = (typeof capabilities)[number]

/** An event as clients receive it, but without its `id`. */
export interface WireEvent {
  readonly type: string
}

/** A queue as a `VariantEvent` sees it. */
export interface QueueView {
  readonly id: string
  readonly traits: QueueTraits
  /** The event types that the client asked for; null: all. */
  readonly eventTypes: ReadonlySet<string> | null
  /** Whether the message matches the queue's narrow; undefined: every message does. */
  readonly narrow: ((message: NarrowSubject) => boolean) | undefined
  readonly allPublicChannels: boolean
}

/**
 * An event whose form depends on the queue. It is built and serialised once for all queues with
 * the same key.
 */
export interface VariantEvent {
  readonly type: string
  /**
   * The new message that it is about. Queues whose client is away do not get the event: the message
   * is looked up when the client is back.
   */
  readonly newMessage?: number
  /** The key of the form for this queue; undefined if the queue must not get the event. */
  variant(queue: QueueView): string | undefined
  /** Builds the form for a key. @param queue one of the queues with that key */
  build(key: string, queue: QueueView): WireEvent
}

export type ServerEvent = WireEvent | VariantEvent

/** The users who get an event: IDs, or a predicate that is asked only about users with a queue. */
export type Audience = readonly number[] | ((userId: number) => boolean)

/** The operand of a narrow term: a name, an ID, or a list of them. */
export type Operand = number | string | readonly (number | string)[]

/** A term of a narrow, as the client sent it. A narrow matches if all of its terms do. */
export interface Term {
  readonly operator: string
  readonly operand: Operand
  readonly negated: boolean
}

/** A new message, as the narrow of an event queue sees it. */
export interface NarrowSubject {
  readonly id: number
  readonly senderId: number
  readonly recipientId: number
  /** Undefined for direct messages. */
  readonly channel: typeof channels.$inferSelect | undefined
  /** All participants of a direct message, including the sender; empty for a channel message. */
  readonly people: readonly number[]
  /** Empty for direct messages and for the empty topic. */
  readonly topic: string
  /** The Markdown source. */
  readonly content: string
  readonly renderedContent: string
  /** Seconds since the epoch. */
  readonly sentAt: number
  readonly hasLink: boolean
  readonly hasImage: boolean
  readonly hasAttachment: boolean
  /** The message's flags for the queue's user: `read`, `mentioned`, `has_alert_word` ... */
  readonly flags: readonly string[]
}
