import { endpoint } from '#http/endpoint.ts'
import { bool, int, intArray, json, optional, text, withDefault } from '#http/params.ts'
import * as actions from './actions.ts'
import { channelFolderJson } from './json.ts'
import { listFolders } from './queries.ts'

/** Folders for channels, in their order. @source api-changes §2a (feature level 389) */
export const getFolders = endpoint({
  method: 'get',
  path: '/channel_folders',
  params: { include_archived: withDefault(bool(), false) },
  run: ({ store }, p) => ({
    channel_folders: listFolders(store)
      .filter(({ isArchived }) => p.include_archived || !isArchived)
      .map(channelFolderJson),
  }),
})

/** @source api-changes §2a (feature level 389) */
export const createFolder = endpoint({
  method: 'post',
  path: '/channel_folders/create',
  params: { name: text(), description: text() },
  run: (caller, p) =>
    caller.store.write((tx) => ({ channel_folder_id: actions.createFolder(tx, caller, p).id })),
})

/** @source api-changes §2a (feature level 389) */
export const editFolder = endpoint({
  method: 'patch',
  path: '/channel_folders/:channel_folder_id{[0-9]+}',
  params: {
    channel_folder_id: int(),
    name: optional(text()),
    description: optional(text()),
    is_archived: optional(bool()),
  },
  run: (caller, p) =>
    caller.store.write((tx) =>
      actions.editFolder(tx, caller, p.channel_folder_id, {
        name: p.name,
        description: p.description,
        isArchived: p.is_archived,
      }),
    ),
})

/** @source api-changes §2a (feature level 414) */
export const reorderFolders = endpoint({
  method: 'patch',
  path: '/channel_folders',
  params: { order: json(intArray()) },
  run: (caller, p) => caller.store.write((tx) => actions.reorderFolders(tx, caller, p.order)),
})
