import type { Description } from '#channels/actions.ts'
import { describe } from '#channels/description.ts'
import { requireName } from '#channels/names.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { limits, requireLength } from '#realm/limits.ts'
import type { Read, Tx } from '#store/write.ts'
import {
  type ChannelFolderData,
  folderAddEvent,
  folderReorderEvent,
  folderUpdateEvent,
} from './events.ts'
import { channelFolderJson } from './json.ts'
import {
  type ChannelFolder,
  findFolder,
  holdsChannels,
  insertFolder,
  listFolders,
  updateFolder,
} from './queries.ts'

const everybody = () => true

/**
 * Adds a folder behind all others, and tells everybody.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization
 * @throws BAD_REQUEST a name that is empty, too long or taken; a description that is too long
 * @source api-changes §2a (feature level 389)
 */
export function createFolder(
  tx: Tx,
  caller: Caller,
  wanted: { name: string; description: string },
): ChannelFolder {
  requireAdministrator(caller.user)
  const name = requireFreeName(tx, wanted.name)
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

/** What is to change of a folder; undefined stays as it is. */
export interface FolderChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly isArchived?: boolean | undefined
}

/**
 * Changes a folder, and tells everybody what changed.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization
 * @throws BAD_REQUEST no such folder; a bad name or description; archiving one that holds channels
 * @source api-changes §2a (feature level 389)
 */
export function editFolder(tx: Tx, caller: Caller, id: number, changes: FolderChanges): void {
  requireAdministrator(caller.user)
  const folder = findFolder(tx, id)
  if (!folder) throw badRequest('Invalid channel folder ID')
  const isArchived = changes.isArchived ?? folder.isArchived
  const asked = changes.name ?? folder.name
  // An archived folder leaves its name to others.
  const name = isArchived ? requireFolderName(asked) : requireFreeName(tx, asked, folder)
  if (isArchived && !folder.isArchived && holdsChannels(tx, id)) {
    throw badRequest('A folder that holds channels cannot be archived.')
  }
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
 * Puts all folders into an order, and tells everybody.
 *
 * @param order the ids of all folders, archived ones among them
 * @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization
 * @throws BAD_REQUEST folders that are missing, unknown or named twice
 * @source api-changes §2a (feature levels 414, 418)
 */
export function reorderFolders(tx: Tx, caller: Caller, order: readonly number[]): void {
  requireAdministrator(caller.user)
  const folders = listFolders(tx)
  const known = new Set(folders.map(({ id }) => id))
  const isWhole = order.length === known.size && new Set(order).size === known.size
  if (!isWhole || order.some((id) => !known.has(id))) {
    throw badRequest('The order has to name each channel folder once.')
  }
  if (folders.every(({ id }, position) => id === order[position])) return
  for (const [position, id] of order.entries()) updateFolder(tx, id, { position })
  tx.emit(folderReorderEvent([...order]), everybody)
}

function requireFolderName(name: string): string {
  return requireName('Channel folder name', name, limits.channelFolderNameLength)
}

/** Names that differ only in case are one; those of archived folders are free. */
function requireFreeName(read: Read, asked: string, own?: ChannelFolder): string {
  const name = requireFolderName(asked)
  const isTaken = listFolders(read).some(
    (other) =>
      other.id !== own?.id && !other.isArchived && other.name.toLowerCase() === name.toLowerCase(),
  )
  if (isTaken) throw badRequest(`Channel folder '${name}' already exists`)
  return name
}

function described(read: Read, { user, server }: Caller, source: string): Description {
  requireLength('description', source, limits.channelFolderDescriptionLength)
  return describe(read, user, source, server.realmUrl)
}
