import type { Description } from '#features/foundation/channels/actions.ts'
import {
  type ChannelFolder,
  findFolder,
  holdsChannels,
  insertFolder,
  listFolders,
  updateFolder,
} from '#features/foundation/channels/folders.queries.ts'
import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { requireName } from '#features/foundation/realm/names.ts'
import { describe } from '#features/messaging/messages/descriptions.queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { nameKey } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  type ChannelFolderData,
  folderAddEvent,
  folderReorderEvent,
  folderUpdateEvent,
} from './events.ts'
import { channelFolderJson } from './json.ts'
import { channelFolderQuota } from './quotas.ts'

const everybody = () => true

/**
 * Adds a folder after all others and emits it to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST a name that is empty, too long or taken; a description that is too long
 * @source Zulip API, "Create a channel folder" (feature level 389)
 */
export function createFolder(
  tx: Tx,
  caller: Caller,
  wanted: { name: string; description: string },
): ChannelFolder {
  requireAdministrator(caller.user)
  const name = requireFreeName(tx, requireFolderName(wanted.name))
  requireRoom(tx, channelFolderQuota, 'all')
  const { source, html } = described(tx, caller, wanted.description)
  const folder = insertFolder(tx, {
    name,
    description: source,
    renderedDescription: html,
    dateCreated: seconds(tx.clock),
    creatorId: caller.user.id,
  })
  tx.emit(folderAddEvent(channelFolderJson(folder)), everybody)
  return folder
}

/** Changes of a folder; undefined leaves a property unchanged. */
export interface FolderChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly isArchived?: boolean | undefined
}

/**
 * Changes a folder and emits the changes to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST no such folder; an invalid name or description; archiving one with channels
 * @source Zulip API, "Update a channel folder" (feature level 389)
 */
export function editFolder(tx: Tx, caller: Caller, id: number, changes: FolderChanges): void {
  requireAdministrator(caller.user)
  const folder = findFolder(tx, id)
  if (!folder)
    throw badRequest(sentSentence('Invalid channel folder ID'), { parameter: 'channel_folder_id' })
  const isArchived = changes.isArchived ?? folder.isArchived
  const requested = changes.name ?? folder.name
  const wanted = requested === folder.name ? requested : requireFolderName(requested)
  // Another folder may take the name of an archived one.
  const name = isArchived ? wanted : requireFreeName(tx, wanted, folder)
  if (isArchived && !folder.isArchived && holdsChannels(tx, id)) {
    throw badRequest(sentSentence('A folder that contains channels cannot be archived.'))
  }
  if (!isArchived && folder.isArchived) requireRoom(tx, channelFolderQuota, 'all')
  const { description } = changes
  const isNew = description !== undefined && description !== folder.description
  const { source, html } = isNew
    ? described(tx, caller, description)
    : { source: folder.description, html: folder.renderedDescription }
  const changed: Partial<ChannelFolder> = {
    ...(name !== folder.name && { name }),
    ...(isNew && { description: source, renderedDescription: html }),
    ...(isArchived !== folder.isArchived && { isArchived }),
  }
  if (Object.keys(changed).length === 0) return
  updateFolder(tx, id, changed)
  const data: ChannelFolderData = {
    ...(changed.name !== undefined && { name }),
    ...(isNew && { description: source, rendered_description: html }),
    ...(changed.isArchived !== undefined && { is_archived: isArchived }),
  }
  tx.emit(folderUpdateEvent(id, data), everybody)
}

/**
 * Reorders all folders and emits the order to everyone.
 *
 * @param order the ids of all folders, including archived ones
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an organization administrator
 * @throws BAD_REQUEST a folder that is missing, unknown or listed twice
 * @source Zulip API, "Reorder channel folders" (feature levels 414, 418)
 */
export function reorderFolders(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministrator(caller.user)
  const folders = listFolders(tx)
  const known = new Set(folders.map(({ id }) => id))
  const isComplete = order.length === known.size && new Set(order).size === known.size
  if (!isComplete || order.some((id) => !known.has(id))) {
    throw badRequest(sentSentence('The order must list each channel folder once.'), {
      parameter: 'order',
    })
  }
  if (folders.every(({ id }, position) => id === order[position])) return
  for (const [position, id] of order.entries()) updateFolder(tx, id, { position })
  tx.emit(folderReorderEvent([...order]), everybody)
}

const folderName = {
  what: 'Channel folder name',
  parameter: 'name',
  empty: sentSentence("Channel folder name can't be empty."),
} as const

function requireFolderName(name: string): string {
  return requireName(folderName, name, limits.channelFolderNameLength)
}

/** Archived folders do not reserve their names. */
function requireFreeName(read: Read, name: string, own?: ChannelFolder): string {
  const isTaken = listFolders(read).some(
    (other) => other.id !== own?.id && !other.isArchived && nameKey(other.name) === nameKey(name),
  )
  if (isTaken)
    throw badRequest(sentSentence("Channel folder '{name}' already exists", { name }), {
      parameter: 'name',
    })
  return name
}

function described(read: Read, { user, server }: Caller, source: string): Description {
  return describe(read, user, source, server.realmUrl)
}
