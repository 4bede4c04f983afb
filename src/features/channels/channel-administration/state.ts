import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { channelText, prepareChannelTexts } from '#features/foundation/channels/json.ts'
import { listChannels, listDefaultChannels } from '#features/foundation/channels/queries.ts'
import { channelShape } from '#features/foundation/channels/shapes.ts'
import { roles, type Viewer } from '#features/foundation/users/queries.ts'
import { isExtended } from '#platform/events/extended.ts'
import { publicPart, type StateOptions, type StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { SelectedList } from '#platform/shared-replies/lists.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

/** All channels that the user can see. */
export const channelsState = {
  types: ['stream'],
  members: { streams: shape.list(channelShape) },
  prepare: ({ store }, options) =>
    prepareChannelTexts(store, isExtended(options) ? 'extended' : 'plain'),
  read: ({ user, store }, options) => channelsSeen(store, user, options),
  readPublic: ({ store }, options) => channelsSeen(store, 'spectator', options),
} satisfies StatePart

const shared = perDatabase(() => ({ extended: new SelectedList(), plain: new SelectedList() }))

function channelsSeen(read: Read, viewer: Viewer, { capabilities }: StateOptions) {
  const includeArchived = capabilities.has('archived_channels')
  const extended = isExtended({ capabilities })
  const texts = listChannels(read).map((channel) => {
    const isWanted = includeArchived || !channel.isArchived
    const isSeen = isWanted && canAccessMetadata(read, viewer, channel)
    return isSeen ? channelText(read, channel, extended) : undefined
  })
  return { streams: shared(read)[extended ? 'extended' : 'plain'].write(texts) }
}

/** Ids of the channels that new users are subscribed to; empty for guests and spectators. */
export const defaultChannelsState = {
  types: ['default_streams'],
  members: { realm_default_streams: shape.list(shape.integer) },
  read({ user, store }) {
    const isGuest = user.role === roles.guest
    return { realm_default_streams: isGuest ? [] : listDefaultChannels(store).map(({ id }) => id) }
  },
  readPublic: () => ({ realm_default_streams: [] }),
} satisfies StatePart

/** Always empty: groups of default channels are experimental in the API and not supported here. */
export const defaultChannelGroupsState = publicPart({
  types: ['default_stream_groups'],
  members: { realm_default_stream_groups: shape.list(shape.anything) },
  read: () => ({ realm_default_stream_groups: [] }),
})
