import { canAccessMetadata } from '#features/channels/access.ts'
import { channelWriter } from '#features/channels/json.ts'
import { listChannels, listDefaultChannels } from '#features/channels/queries.ts'
import { channelShape } from '#features/channels/shapes.ts'
import { roles } from '#features/users/queries.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

/** All channels that the user can see. */
export const channelsState = {
  types: ['stream'],
  members: { streams: shape.list(channelShape) },
  read({ user, store }, { capabilities }) {
    const json = channelWriter(store)
    const includeArchived = capabilities.has('archived_channels')
    const streams = listChannels(store)
      .filter((channel) => includeArchived || !channel.isArchived)
      .filter((channel) => canAccessMetadata(store, user, channel))
    return { streams: streams.map(json) }
  },
} satisfies StatePart

/** Ids of the channels that new users are subscribed to; empty for guests. */
export const defaultChannelsState = {
  types: ['default_streams'],
  members: { realm_default_streams: shape.list(shape.integer) },
  read({ user, store }) {
    const isGuest = user.role === roles.guest
    return { realm_default_streams: isGuest ? [] : listDefaultChannels(store).map(({ id }) => id) }
  },
} satisfies StatePart

/** Always empty: groups of default channels are experimental in the API and not supported here. */
export const defaultChannelGroupsState = {
  types: ['default_stream_groups'],
  members: { realm_default_stream_groups: shape.list(shape.anything) },
  read: () => ({ realm_default_stream_groups: [] }),
} satisfies StatePart
