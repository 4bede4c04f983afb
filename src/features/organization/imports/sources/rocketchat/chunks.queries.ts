import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { FileUnavailable, type Reading } from '#features/organization/imports/source.ts'
import { loadAddon } from '#platform/store/addon.ts'
import { pathOf, rowsOf } from './rows.ts'

/** The files of a dump, whose chunks may come in any order. */
export interface StoredFiles {
  /** The bytes of a file. @throws FileUnavailable it is not in the dump, or not whole */
  read(collection: string, id: string): AsyncIterable<Uint8Array>
  close(): void
}

/**
 * Opens the files that the dump has in GridFS. A collection is unpacked once one of its files is
 * wanted: its chunks go into a scratch file, and their places into a table.
 */
export function openStoredFiles(reading: Reading): StoredFiles {
  const { scratch } = reading
  const client = new Database(join(scratch, 'chunks.sqlite3'), { nativeBinding: loadAddon() })
  client.pragma('journal_mode = OFF')
  client.pragma('synchronous = OFF')
  client.exec(`CREATE TABLE chunks (collection TEXT, file TEXT, n INTEGER, start INTEGER, size INTEGER,
    PRIMARY KEY (collection, file, n)) WITHOUT ROWID`)
  const insert = client.prepare('INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?)')
  const ofFile = client.prepare<[string, string], { n: number; start: number; size: number }>(
    'SELECT n, start, size FROM chunks WHERE collection = ? AND file = ? ORDER BY n',
  )
  const unpacked = new Map<string, Promise<string>>()

  async function unpack(collection: string): Promise<string> {
    const path = join(scratch, `chunks-${unpacked.size}`)
    const spool = await open(path, 'wx', 0o600)
    try {
      let end = 0
      for await (const row of rowsOf(reading, 'chunk', 'files', `${collection}.chunks`)) {
        await spool.writeFile(row.data)
        insert.run(collection, row.files_id, row.n, end, row.data.length)
        end += row.data.length
      }
    } finally {
      await spool.close()
    }
    return path
  }

  return {
    async *read(collection, id) {
      if (pathOf(reading, `${collection}.chunks`) === undefined) {
        throw new FileUnavailable('missing-file')
      }
      const unpacking = unpacked.get(collection) ?? unpack(collection)
      unpacked.set(collection, unpacking)
      const path = await unpacking
      const chunks = ofFile.all(collection, id)
      if (chunks.length === 0 || chunks.some(({ n }, i) => n !== i)) {
        throw new FileUnavailable('missing-file')
      }
      for (const { size, start } of chunks) {
        if (size > 0) yield* createReadStream(path, { start, end: start + size - 1 })
      }
    },
    close: () => void client.close(),
  }
}
