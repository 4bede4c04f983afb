import { createHash } from 'node:crypto'
import type { TestServer } from './server.ts'

/**
 * Returns what tells a digest of everything that is stored, to show that nothing changed. It reads
 * the database only where anything was written since, kept or not.
 */
export function digestOf({ server }: Pick<TestServer, 'server'>): () => string {
  const { $client: sqlite } = server.context.store.db
  const totalChanges = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  let known = { changes: -1, digest: '' }
  return () => {
    const changes = totalChanges.get() as number
    if (known.changes !== changes) known = { changes, digest: digest(sqlite.serialize()) }
    return known.digest
  }
}

/** Where the header counts transactions, those too that changed nothing after all. */
const counters = [24, 92]

/** @source SQLite, "Database File Format", "The Database Header" */
function digest(database: Buffer): string {
  for (const start of counters) database.fill(0, start, start + 4)
  return createHash('sha256').update(database).digest('hex')
}
