import type { TestServer } from './server.ts'

interface Known {
  /** How many rows were written until then. */
  readonly changes: number
  readonly contents: Buffer
  /** Counts the changes of the contents. */
  readonly number: number
}

/**
 * Returns what names the state of everything that is stored: the same name as long as nothing
 * changed. It reads the database only where anything was written since, kept or not.
 */
export function digestOf({ server }: Pick<TestServer, 'server'>): () => string {
  const { $client: sqlite } = server.context.store.db
  const totalChanges = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  let known: Known = { changes: -1, contents: Buffer.alloc(0), number: 0 }
  return () => {
    const changes = totalChanges.get() as number
    if (known.changes !== changes) {
      const contents = withoutCounters(sqlite.serialize())
      const number = known.number + (contents.equals(known.contents) ? 0 : 1)
      known = { changes, contents, number }
    }
    return `state ${known.number}`
  }
}

/** Where the header counts transactions, those too that changed nothing after all. */
const counters = [24, 92]

/** @source SQLite, "Database File Format", "The Database Header" */
function withoutCounters(database: Buffer): Buffer {
  for (const start of counters) database.fill(0, start, start + 4)
  return database
}
