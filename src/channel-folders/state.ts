import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { channelFolderJson } from './json.ts'
import { listFolders } from './queries.ts'
import { channelFolderShape } from './shapes.ts'

/** All channel folders, archived ones among them (feature level 389). */
export const channelFoldersState: StatePart = {
  types: ['channel_folders'],
  shape: { channel_folders: list(channelFolderShape) },
  read: ({ store }) => ({ channel_folders: listFolders(store).map(channelFolderJson) }),
}
