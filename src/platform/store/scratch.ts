import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'

/** Opens an empty temporary database in memory. */
export function openScratch(): Database.Database {
  return new Database(':memory:', { nativeBinding: loadAddon() })
}

/** Opens a new temporary database in a file, which need not survive anything. */
export function openScratchFile(file: string): Database.Database {
  const db = new Database(file, { nativeBinding: loadAddon() })
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  return db
}

/** The version of SQLite, such as `3.51.3`. */
export function sqliteVersion(): string {
  const scratch = openScratch()
  try {
    return scratch.prepare('SELECT sqlite_version()').pluck().get() as string
  } finally {
    scratch.close()
  }
}
