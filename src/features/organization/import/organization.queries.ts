import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { loadAddon } from '#platform/store/addon.ts'

/** Whether a database that nobody has open holds an organization; changes nothing. */
export function holdsOrganization(file: string): boolean {
  if (!existsSync(file)) return false
  const client = new Database(file, { nativeBinding: loadAddon(), fileMustExist: true })
  try {
    const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'realm'"
    if (client.prepare(table).get() === undefined) return false
    return client.prepare('SELECT 1 FROM realm').get() !== undefined
  } finally {
    client.close()
  }
}
