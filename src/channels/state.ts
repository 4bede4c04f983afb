import type { StatePart } from '#events/state.ts'
import { anything, integer, list } from '#shape.ts'
import { roles } from '#users/queries.ts'
import { canAccessMetadata } from './access.ts'
import { channelWriter } from './json.ts'
import { listChannels, listDefaultChannels } from './queries.ts'
import { channelShape } from './shapes.ts'

/** Every channel that the user may know of. */
export const channelsState: StatePart = {
  types: ['stream'],
  shape: { streams: list(channelShape) },
  read({ user, store }, { capabilities }) {
    const json = channelWriter(store)
    const includeArchived = capabilities.has('archived_channels')
    const streams = listChannels(store)
      .filter((channel) => includeArchived || !channel.isArchived)
      .filter((channel) => canAccessMetadata(store, user, channel))
    return { streams: streams.map(json) }
  },
}

/** Ids of the channels that new users are subscribed to; guests never are. */
export const defaultChannelsState: StatePart = {
  types: ['default_streams'],
  shape: { realm_default_streams: list(integer) },
  read({ user, store }) {
    const isGuest = user.role === roles.guest
    return { realm_default_streams: isGuest ? [] : listDefaultChannels(store).map(({ id }) => id) }
  },
}

/** Nothing creates groups of default channels: the feature is experimental in the API. */
export const defaultChannelGroupsState: StatePart = {
  types: ['default_stream_groups'],
  shape: { realm_default_stream_groups: list(anything) },
  read: () => ({ realm_default_stream_groups: [] }),
}
