import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyTo } from '#platform/store/copy.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Read } from '#platform/store/store.ts'
import type { Task } from '#platform/task.ts'

/**
 * Where an export keeps what it needs meanwhile: in the data folder, which only this process uses;
 * with a database in memory, in the system's folder for temporary files, which other programs
 * share.
 */
export function scratchPlace({ db: { $client } }: Read): { parent: string; isOwn: boolean } {
  return $client.memory
    ? { parent: tmpdir(), isOwn: false }
    : { parent: dirname($client.name), isOwn: true }
}

/** Copies the database as it is at one moment into a folder, and opens the copy. */
export async function openCopy(
  { clock, config, db }: Read,
  folder: string,
  { report, signal }: Pick<Task, 'report' | 'signal'>,
): Promise<{ readonly read: Read; close(): void }> {
  const file = join(folder, 'copy.db')
  await copyTo(db, file, (copied, total) => {
    signal.throwIfAborted()
    report('Copying the database', copied, total)
  })
  const copy = openDatabase(file)
  return { read: { db: copy, clock, config }, close: () => void copy.$client.close() }
}
