import type { Db } from './open.ts'
import { makePrivate } from './private-file.ts'

/** The number of 4 KiB pages to copy before others get their turn. */
const pagesAtOnce = 100

/**
 * Copies a database as it is at one moment into a file that only its owner can read, while it is used.
 *
 * @param onProgress called after each part. A throw ends the copying
 */
export async function copyTo(
  { $client }: Db,
  file: string,
  onProgress: (copied: number, total: number) => void,
): Promise<void> {
  makePrivate(file)
  await $client.backup(file, {
    progress({ remainingPages, totalPages }) {
      onProgress(totalPages - remainingPages, totalPages)
      return pagesAtOnce
    },
  })
}
