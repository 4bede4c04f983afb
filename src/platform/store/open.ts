import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { loadAddon } from './addon.ts'
import { listMigrations } from './migrations.ts'
import { makePrivate } from './private-file.ts'

export type Db = BetterSQLite3Database & { $client: Database.Database }

/** In earlier versions, concurrent checkpoints can corrupt a WAL database. */
const oldestSafeSqlite = [3, 51, 3] as const

/** What a migrated database in memory holds before its first row: further ones begin as copies. */
let blank: Buffer | undefined

/**
 * Opens a database, in a file that only its owner can read or in memory, and migrates its schema.
 *
 * @param file the path of the database, or `:memory:`
 * @param image what a database in memory begins with: the result of `serialize` of another
 * @throws Error if a newer version of Parley wrote the database, or SQLite is too old
 */
export function openDatabase(file: string, image = blank): Db {
  const isInMemory = file === ':memory:'
  if (!isInMemory) makePrivate(file)
  const client = new Database((isInMemory && image) || file, { nativeBinding: loadAddon() })
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = FULL')
  client.pragma('foreign_keys = ON')
  client.pragma('busy_timeout = 5000')
  client.pragma('cache_size = -32768')
  client.pragma('temp_store = MEMORY')
  requireSafeSqlite(client)
  migrate(client)
  calmSearchIndex(client)
  if (isInMemory) blank ??= client.serialize()
  return drizzle(client, { casing: 'snake_case' })
}

function requireSafeSqlite(client: Database.Database): void {
  const version = client.prepare('SELECT sqlite_version()').pluck().get() as string
  const parts = version.split('.').map(Number)
  for (const [i, least] of oldestSafeSqlite.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(`SQLite ${version} is too old: ${oldestSafeSqlite.join('.')} is needed.`)
    }
  }
}

/**
 * Disables the automatic merge of the full-text index, which runs in the commit after a tenth of
 * it was deleted and takes half a second with 100,000 messages. `mergeSearchIndex` merges in small
 * steps instead.
 */
function calmSearchIndex(client: Database.Database): void {
  const option = "SELECT v FROM messages_fts_config WHERE k = 'deletemerge'"
  if (client.prepare(option).pluck().get() === 0) return
  client.exec("INSERT INTO messages_fts (messages_fts, rank) VALUES ('deletemerge', 0)")
}

/** Applies the missing migrations, each in a transaction; `user_version` is the number applied. */
function migrate(client: Database.Database): void {
  const migrations = listMigrations()
  const applied = client.pragma('user_version', { simple: true }) as number
  if (applied > migrations.length) {
    throw new Error('This database was written by a newer version of Parley.')
  }
  for (const [i, statements] of migrations.entries()) {
    if (i < applied) continue
    client
      .transaction(() => {
        for (const statement of statements) client.exec(statement)
        client.pragma(`user_version = ${i + 1}`)
      })
      .immediate()
  }
}
