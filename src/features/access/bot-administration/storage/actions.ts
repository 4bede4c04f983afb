import { badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { deleteEntry, findSize, listEntries, putEntry, type StorageEntry } from './queries.ts'
import { storageKeyQuota, storageQuota } from './quotas.ts'

/**
 * Stores entries of a bot; replaces those with the same keys.
 *
 * @throws BAD_REQUEST the storage limit is exceeded; nothing is stored
 */
export function storeEntries(tx: Tx, userId: number, entries: readonly StorageEntry[]): void {
  const sized = entries.map((entry) => ({ entry, size: sizeOf(entry) }))
  // Checked first: to write a megabyte and roll it back would take as long as to keep it.
  const added = { size: 0, keys: 0 }
  for (const { entry, size } of sized) {
    const replaced = findSize(tx, userId, entry[0])
    added.size += size - (replaced ?? 0)
    if (replaced === undefined) added.keys += 1
  }
  requireRoom(tx, storageQuota, { id: userId }, added.size)
  requireRoom(tx, storageKeyQuota, { id: userId }, added.keys)
  for (const { entry, size } of sized) putEntry(tx, userId, entry, size)
}

/** The size in Unicode code points. */
function sizeOf(entry: StorageEntry): number {
  return entry.reduce((size, text) => size + text.length - (text.match(pairs)?.length ?? 0), 0)
}

const pairs = /[\u{10000}-\u{10ffff}]/gu

/**
 * Removes a bot's entries.
 *
 * @param keys undefined for all entries
 * @throws BAD_REQUEST "Key does not exist."; nothing is removed
 */
export function removeEntries(tx: Tx, userId: number, keys: readonly string[] | undefined): void {
  for (const key of keys ?? listEntries(tx, userId).map(([name]) => name)) {
    if (!deleteEntry(tx, userId, key)) throw badRequest('Key does not exist.')
  }
}
