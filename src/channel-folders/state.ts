import type { StatePart } from '#events/state.ts'
import { channelFolderJson } from './json.ts'
import { listFolders } from './queries.ts'

/** All channel folders, archived ones among them (feature level 389). */
export const channelFoldersState: StatePart = {
  types: ['channel_folders'],
  read: ({ store }) => ({ channel_folders: listFolders(store).map(channelFolderJson) }),
}
