import { badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { deleteEntry, listEntries, putEntry, type StorageEntry } from './queries.ts'
import { storageKeyQuota, storageQuota } from './quotas.ts'

/**
 * Stores entries of a bot; replaces those with the same keys.
 *
 * @throws BAD_REQUEST the storage limit is exceeded; nothing is stored
 */
export function storeEntries(tx: Tx, userId: number, entries: readonly StorageEntry[]): void {
  for (const entry of entries) putEntry(tx, userId, entry, sizeOf(entry))
  requireRoom(tx, storageQuota, { id: userId }, 0)
  requireRoom(tx, storageKeyQuota, { id: userId }, 0)
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
