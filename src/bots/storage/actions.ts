import { badRequest } from '#errors.ts'
import type { Tx } from '#store/write.ts'
import { deleteEntry, type Entry, listEntries, putEntry, storedSize } from './queries.ts'

/** How much a bot may keep, keys and values together, in characters. @source the API description */
export const storageLimit = 10_000_000

/**
 * Keeps values for a bot, in place of what was there under their keys.
 *
 * @throws BAD_REQUEST more than the bot may keep; then nothing is kept
 */
export function storeEntries(tx: Tx, userId: number, entries: readonly Entry[]): void {
  for (const entry of entries) putEntry(tx, userId, entry, sizeOf(entry))
  if (storedSize(tx, userId) > storageLimit) {
    throw badRequest(`Request exceeds storage limit (${storageLimit} characters).`)
  }
}

/** Characters, as people count them: a sign outside the basic plane is one. */
function sizeOf(entry: Entry): number {
  return entry.reduce((size, text) => size + text.length - (text.match(pairs)?.length ?? 0), 0)
}

const pairs = /[\u{10000}-\u{10ffff}]/gu

/**
 * Removes what a bot keeps under these keys.
 *
 * @param keys undefined: all of it
 * @throws BAD_REQUEST "Key does not exist."; then nothing is removed
 */
export function removeEntries(tx: Tx, userId: number, keys: readonly string[] | undefined): void {
  for (const key of keys ?? listEntries(tx, userId).map(([name]) => name)) {
    if (!deleteEntry(tx, userId, key)) throw badRequest('Key does not exist.')
  }
}
