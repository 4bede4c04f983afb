import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { listFolders } from '#features/foundation/channels/folders.queries.ts'
import { listChannels } from '#features/foundation/channels/queries.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { channelFolderJson } from './json.ts'
import { channelFolderShape } from './shapes.ts'

/**
 * All channel folders, including archived ones (feature level 389); for spectators those that hold
 * channels they may see.
 */
export const channelFoldersState = {
  types: ['channel_folders'],
  members: { channel_folders: shape.list(channelFolderShape) },
  read: ({ store }) => ({ channel_folders: listFolders(store).map(channelFolderJson) }),
  readPublic({ store }) {
    const seen = listChannels(store).filter((one) => canAccessMetadata(store, 'spectator', one))
    const held = new Set(seen.map(({ folderId }) => folderId))
    const folders = listFolders(store).filter(({ id }) => held.has(id))
    return { channel_folders: folders.map(channelFolderJson) }
  },
} satisfies StatePart
