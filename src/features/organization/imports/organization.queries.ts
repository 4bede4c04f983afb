import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { loadAddon } from '#platform/store/addon.ts'

/** Whether a database that nobody has open holds an organization; changes nothing. */
export function holdsOrganization(file: string): boolean {
  if (!existsSync(file)) return false
  // The last to close a database that may be written removes the log that opening it makes, and
  // merges one that a crash has left.
  const readonly = existsSync(`${file}-wal`)
  const client = new Database(file, { nativeBinding: loadAddon(), fileMustExist: true, readonly })
  try {
    const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'realm'"
    if (client.prepare(table).get() === undefined) return false
    return client.prepare('SELECT 1 FROM realm').get() !== undefined
  } finally {
    client.close()
  }
}
