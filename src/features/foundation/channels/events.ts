import { extendedEvent } from '#platform/events/extended.ts'
import type { QueueView, ServerEvent, VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import { type ChannelJson, plainChannel } from './json.ts'
import type { Channel } from './queries.ts'
import type { channelEventShapes } from './shapes.ts'
import { extendedChannelMembers } from './shapes.ts'

/** Channels that were created, or that the user can see from now on. */
export type ChannelCreateEvent = EventOf<typeof channelEventShapes, 'stream', 'create'>

/** Channels that the user can no longer see. */
export type ChannelDeleteEvent = EventOf<typeof channelEventShapes, 'stream', 'delete'>

/** A property of a channel changed. `name` is the name before the change. */
export type ChannelUpdateEvent = EventOf<typeof channelEventShapes, 'stream', 'update'>

export function channelCreateEvent(channel: ChannelJson): VariantEvent {
  const create = (json: ChannelJson): ChannelCreateEvent => ({
    type: 'stream',
    op: 'create',
    streams: [json],
  })
  return extendedEvent(create(channel), create(plainChannel(channel)))
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
): ServerEvent {
  const { id: stream_id, name } = channel
  const event: ChannelUpdateEvent = {
    type: 'stream',
    op: 'update',
    stream_id,
    name,
    property,
    value,
    ...extra,
  }
  const isExtended = extendedChannelMembers.some((member) => member === property)
  return isExtended ? extendedEvent(event, undefined) : event
}

/**
 * An event about a channel. If the channel is archived, only clients with the capability
 * `archived_channels` get it (feature levels 315, 378).
 */
export function aboutChannel(channel: Channel, event: ServerEvent): ServerEvent {
  return channel.isArchived ? forBoth(event, undefined) : event
}

/**
 * A channel was archived. Clients that do not support archived channels see it deleted.
 *
 * @source Zulip API, "Get events", type "stream" (feature level 378)
 */
export function archiveEvent(channel: Channel): ServerEvent {
  return forBoth(channelUpdateEvent(channel, 'is_archived', true), channelDeleteEvent(channel.id))
}

/** A channel was unarchived. Clients that do not support archived channels see it created. */
export function unarchiveEvent(channel: Channel, json: ChannelJson): ServerEvent {
  return forBoth(channelUpdateEvent(channel, 'is_archived', false), channelCreateEvent(json))
}

/**
 * @param supporting for clients that support archived channels
 * @param others for the rest; undefined: they get no event
 */
function forBoth(supporting: ServerEvent, others: ServerEvent | undefined): ServerEvent {
  const formFor = ({ traits }: QueueView) =>
    traits.capabilities.has('archived_channels') ? supporting : others
  return {
    type: supporting.type,
    variant(queue) {
      const form = formFor(queue)
      const key = form && isVariant(form) ? form.variant(queue) : form && ''
      return key === undefined ? undefined : `${form === supporting} ${key}`
    },
    build(key, queue) {
      const form = formFor(queue) ?? supporting
      return isVariant(form) ? form.build(key.slice(key.indexOf(' ') + 1), queue) : form
    },
  }
}

/**
 * The channels that new users are subscribed to.
 *
 * @source Zulip API, "Get events", type "default_streams" (feature level 330)
 */
export type DefaultChannelsEvent = EventOf<typeof channelEventShapes, 'default_streams'>

export function defaultChannelsEvent(channelIds: number[]): DefaultChannelsEvent {
  return { type: 'default_streams', default_streams: channelIds }
}

function isVariant(event: ServerEvent): event is VariantEvent {
  return 'variant' in event
}
