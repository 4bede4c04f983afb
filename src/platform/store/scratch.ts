import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'

/** Opens an empty temporary database in memory. */
export function openScratch(): Database.Database {
  return new Database(':memory:', { nativeBinding: loadAddon() })
}
