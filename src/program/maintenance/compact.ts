import { stat } from 'node:fs/promises'
import { shortenMessages } from '#features/foundation/core/shortening.queries.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Task } from '#platform/task.ts'
import { takesLong } from '#program/task.ts'

/**
 * `parley compact`: shortens messages of earlier versions, merges the search index, and rewrites the
 * database without the space of deleted rows. Everyone waits meanwhile; it needs as much free space
 * as the database has.
 *
 * @returns the text to print
 */
export async function compact({ store }: SystemContext, task: Task): Promise<string> {
  const { $client } = store.db
  const before = await sizeOf($client.name)
  const isLong = takesLong($client.name)
  const optimize = "INSERT INTO messages_fts (messages_fts) VALUES ('optimize')"
  const steps: readonly [string, () => void][] = [
    ['Shortening messages', () => shortenMessages(store)],
    ['Merging the search index', () => $client.exec(optimize)],
    ['Rewriting the database', () => $client.exec('VACUUM')],
    ['Writing to disk', () => $client.pragma('wal_checkpoint(TRUNCATE)')],
  ]
  for (const [i, [step, run]] of steps.entries()) {
    task.signal.throwIfAborted()
    task.report(step, i, steps.length, isLong)
    // Requests that came during the last step get a turn.
    await new Promise((next) => setImmediate(next))
    run()
  }
  const after = await sizeOf($client.name)
  return `The database shrank from ${mebibytes(before)} to ${mebibytes(after)}.\n`
}

const sizeOf = async (file: string) => (await stat(file)).size

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
