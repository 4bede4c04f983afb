import type { NarrowSubject } from '#narrow/types.ts'

/**
 * Whether a client wants to know who is subscribed to channels. `partial` allows the server to
 * name some subscribers only, for channels with many (feature level 412).
 */
export type IncludeSubscribers = 'true' | 'false' | 'partial'

/** What a client told about itself when it registered its queue: decides the form of its events. */
export interface QueueTraits {
  readonly userId: number
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: IncludeSubscribers
  readonly capabilities: ReadonlySet<Capability>
}

/** The client capabilities of `POST /register` that change what the server sends. */
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
] as const
export type Capability = (typeof capabilities)[number]

/** An event in the form that clients receive, still without its `id`. */
export interface WireEvent {
  readonly type: string
}

/** A queue that an event is about to enter, as an event with variants sees it. */
export interface QueueView {
  readonly id: string
  readonly traits: QueueTraits
  /** The types that the client asked for; null: all. */
  readonly eventTypes: ReadonlySet<string> | null
  /** Whether the queue's narrow, or its wish for all public channels, lets this message in. */
  readonly narrow: (message: NarrowSubject) => boolean
  readonly allPublicChannels: boolean
}

/**
 * An event that differs between queues. Queues with the same key share one form, which is built
 * and serialised once however many queues there are.
 */
export interface VariantEvent {
  readonly type: string
  /** The form for this queue; undefined when this queue must not get the event. */
  variant(queue: QueueView): string | undefined
  /** Builds the form of that key. */
  build(key: string, queue: QueueView): WireEvent
}

export type ServerEvent = WireEvent | VariantEvent

/** Whom an event is for: user ids, or a predicate that is asked only about users with a live queue. */
export type Audience = readonly number[] | ((userId: number) => boolean)
