import { listFolders } from '#features/foundation/channels/folders.queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  int,
  intArray,
  json,
  optional,
  prose,
  text,
  tidied,
  withDefault,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { channelFolderJson } from './json.ts'
import { channelFolderQuota } from './quotas.ts'
import { channelFolderShape } from './shapes.ts'

const name = described(
  tidied(text(1000), limits.channelFolderNameLength),
  'At most `max_channel_folder_name_length` code points.',
)
const description = described(
  prose(limits.channelFolderDescriptionLength),
  'Markdown, of at most `max_channel_folder_description_length` code points.',
)

/** @source Zulip API, "Get channel folders" (feature level 389) */
export const getFolders = endpoint({
  method: 'get',
  path: '/channel_folders',
  summary: 'List the channel folders in display order.',
  params: { include_archived: withDefault(bool(), false) },
  reply: { channel_folders: shape.list(channelFolderShape) },
  run: ({ store }, p) => ({
    channel_folders: listFolders(store)
      .filter(({ isArchived }) => p.include_archived || !isArchived)
      .map(channelFolderJson),
  }),
})

/** @source Zulip API, "Create a channel folder" (feature level 389) */
export const createFolder = endpoint({
  method: 'post',
  path: '/channel_folders/create',
  summary: 'Create a channel folder.',
  description: limitsText(channelFolderQuota),
  params: { name, description },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { channel_folder_id: shape.integer },
  run: (caller, p) =>
    caller.store.write((tx) => ({ channel_folder_id: actions.createFolder(tx, caller, p).id })),
})

/** @source Zulip API, "Update a channel folder" (feature level 389) */
export const editFolder = endpoint({
  method: 'patch',
  path: '/channel_folders/:channel_folder_id{[0-9]+}',
  summary: 'Change, archive or unarchive a channel folder.',
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

/** @source Zulip API, "Reorder channel folders" (feature level 414) */
export const reorderFolders = endpoint({
  method: 'patch',
  path: '/channel_folders',
  summary: 'Reorder the channel folders.',
  params: {
    order: described(
      json(intArray(1000)),
      'The IDs of all folders, including archived ones, in the new order.',
    ),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.reorderFolders(tx, caller, p.order)),
})
