import { endpoint } from '#http/endpoint.ts'
import { bool, described, int, intArray, json, optional, text, withDefault } from '#http/params.ts'
import { integer, list } from '#shape.ts'
import * as actions from './actions.ts'
import { channelFolderJson } from './json.ts'
import { listFolders } from './queries.ts'
import { channelFolderShape } from './shapes.ts'

const name = described(text(), 'At most `max_channel_folder_name_length` code points.')
const description = described(
  text(),
  'Markdown, of at most `max_channel_folder_description_length` code points.',
)

/** Folders for channels, in their order. @source api-changes §2a (feature level 389) */
export const getFolders = endpoint({
  method: 'get',
  path: '/channel_folders',
  summary: 'List the folders for channels, in their order.',
  params: { include_archived: withDefault(bool(), false) },
  reply: { channel_folders: list(channelFolderShape) },
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
  summary: 'Create a folder for channels.',
  params: { name, description },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { channel_folder_id: integer },
  run: (caller, p) =>
    caller.store.write((tx) => ({ channel_folder_id: actions.createFolder(tx, caller, p).id })),
})

/** @source api-changes §2a (feature level 389) */
export const editFolder = endpoint({
  method: 'patch',
  path: '/channel_folders/:channel_folder_id{[0-9]+}',
  summary: 'Change a folder, or archive it.',
  params: {
    channel_folder_id: int(),
    name: optional(name),
    description: optional(description),
    is_archived: optional(bool()),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
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
  summary: 'Put the folders into an order.',
  params: {
    order: described(json(intArray()), 'The ids of all folders, archived ones among them.'),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.reorderFolders(tx, caller, p.order)),
})
