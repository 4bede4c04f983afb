import type { ServerEvent, WireEvent } from '#events/types.ts'
import type { ChannelJson } from './json.ts'
import type { Channel } from './queries.ts'

/** Channels that came to be, or that somebody may see from now on. */
export interface ChannelCreateEvent extends WireEvent {
  type: 'stream'
  op: 'create'
  streams: ChannelJson[]
}

/** Channels that somebody may not see any more. */
export interface ChannelDeleteEvent extends WireEvent {
  type: 'stream'
  op: 'delete'
  stream_ids: number[]
  /** Deprecated: the same ids (feature level 343). */
  streams: { stream_id: number }[]
}

/** A property of a channel that changed. `name` is the name from before the change. */
export interface ChannelUpdateEvent extends WireEvent {
  type: 'stream'
  op: 'update'
  stream_id: number
  name: string
  property: string
  value: unknown
  /** Only when the description changed. */
  rendered_description?: string
  /** Both only when `invite_only` changed. */
  history_public_to_subscribers?: boolean
  is_web_public?: boolean
}

export function channelCreateEvent(...streams: ChannelJson[]): ChannelCreateEvent {
  return { type: 'stream', op: 'create', streams }
}

export function channelDeleteEvent(...channelIds: number[]): ChannelDeleteEvent {
  return {
    type: 'stream',
    op: 'delete',
    stream_ids: channelIds,
    streams: channelIds.map((stream_id) => ({ stream_id })),
  }
}

export function channelUpdateEvent<P extends keyof ChannelJson>(
  channel: Pick<Channel, 'id' | 'name'>,
  property: P,
  value: ChannelJson[P],
  extra: Pick<
    ChannelUpdateEvent,
    'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'
  > = {},
): ChannelUpdateEvent {
  const { id, name } = channel
  return { type: 'stream', op: 'update', stream_id: id, name, property, value, ...extra }
}

/**
 * An event about a channel, for the clients that know of it: archived channels exist only for
 * those with the capability `archived_channels` (feature levels 315, 378).
 */
export function aboutChannel(channel: Channel, event: WireEvent): ServerEvent {
  if (!channel.isArchived) return event
  return {
    type: event.type,
    variant: ({ traits }) => (traits.capabilities.has('archived_channels') ? '' : undefined),
    build: () => event,
  }
}

/**
 * A channel was archived: for the clients that do not know archived channels, it is gone.
 *
 * @source api-changes §4 (feature level 378)
 */
export function archiveEvent(channel: Channel): ServerEvent {
  return forBoth(channelUpdateEvent(channel, 'is_archived', true), channelDeleteEvent(channel.id))
}

/** The opposite: for those clients it comes to be. */
export function unarchiveEvent(channel: Channel, json: ChannelJson): ServerEvent {
  return forBoth(channelUpdateEvent(channel, 'is_archived', false), channelCreateEvent(json))
}

/** One form for the clients that know archived channels, and one for the others. */
function forBoth(knowing: WireEvent, others: WireEvent): ServerEvent {
  return {
    type: knowing.type,
    variant: ({ traits }) => (traits.capabilities.has('archived_channels') ? 'knowing' : 'others'),
    build: (key) => (key === 'knowing' ? knowing : others),
  }
}

/** The channels that new users are subscribed to. @source api-changes §4 (feature level 330) */
export interface DefaultChannelsEvent extends WireEvent {
  type: 'default_streams'
  default_streams: number[]
}

export function defaultChannelsEvent(channelIds: number[]): DefaultChannelsEvent {
  return { type: 'default_streams', default_streams: channelIds }
}
