import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { channelFolderJson } from './json.ts'
import { listFolders } from './queries.ts'
import { channelFolderShape } from './shapes.ts'

/** All channel folders, including archived ones (feature level 389). */
export const channelFoldersState = {
  types: ['channel_folders'],
  members: { channel_folders: shape.list(channelFolderShape) },
  read: ({ store }) => ({ channel_folders: listFolders(store).map(channelFolderJson) }),
} satisfies StatePart
