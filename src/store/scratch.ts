import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'

/** An empty database in memory, for work that only SQLite can do and nobody keeps. */
export function openScratch(): Database.Database {
  return new Database(':memory:', { nativeBinding: loadAddon() })
}
