import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { nameKey, tidyName } from '#shared/names.ts'
import { loadAddon } from './addon.ts'
import { keepPlans } from './fixed-plans.ts'
import { listMigrations } from './migrations.ts'
import { makePrivate } from './private-file.ts'
import { DataRefused, explain, FolderInUse, NotOurs } from './refusals.ts'
import { indexedText } from './search-text.ts'

export type Db = BetterSQLite3Database & { $client: Database.Database }

/** In earlier versions, concurrent checkpoints can corrupt a WAL database. */
const oldestSafeSqlite = [3, 51, 3] as const

/** A snapshot of a migrated, empty database in memory: further ones begin as copies. */
let blank: Buffer | undefined

/** "Parl": marks a file as a database of Parley. @source SQLite, "PRAGMA application_id" */
export const applicationId = 0x5061_726c

/**
 * The schema that the first migration makes; each later one counts one more. Schemas before it were
 * those of development versions.
 */
export const firstSchema = 26

/** The last commit that upgrades the schemas before the first. */
const lastBeforeFirst = '6067524'

/** How long to wait for another process that uses the database briefly, in milliseconds. */
const openTimeout = 250

export interface OpenOptions {
  /**
   * Whether other processes may use the database at the same time, as Litestream does. Default: this
   * process holds it alone, so that a second server fails to open it.
   */
  readonly shared?: boolean
  /** What a database in memory begins with: the result of `serialize` of another. */
  readonly snapshot?: Buffer
  /** Called before each missing migration, and once at the end. */
  readonly onMigration?: (done: number, total: number) => void
  /** Called once a database of an earlier version has been migrated, with its old and new schema. */
  readonly onMigrated?: (from: number, to: number) => void
}

/**
 * Opens a database, in a file that only its owner can read or in memory, and migrates its schema.
 *
 * @param file the path of the database, or `:memory:`
 * @throws FolderInUse another process has it open; NotOurs it belongs to another program, or is
 *   damaged; DataRefused a newer version of Parley wrote it, or one that is
 *   too old; Error SQLite is too old
 */
export function openDatabase(
  file: string,
  { shared = false, snapshot, onMigration, onMigrated }: OpenOptions = {},
): Db {
  const isInMemory = file === ':memory:'
  if (!isInMemory) makePrivate(file)
  const client = new Database((isInMemory && (snapshot ?? blank)) || file, {
    nativeBinding: loadAddon(),
    timeout: openTimeout,
  })
  keepPlans(client)
  try {
    if (!isInMemory && !shared) client.pragma('locking_mode = EXCLUSIVE')
    claim(client)
    client.pragma('journal_mode = WAL')
    client.pragma('synchronous = FULL')
    client.pragma('foreign_keys = ON')
    client.pragma('cache_size = -32768')
    client.pragma('temp_store = MEMORY')
    requireSafeSqlite(client)
    defineFunctions(client)
    const from = migrate(client, onMigration)
    calmSearchIndex(client)
    client.pragma('busy_timeout = 5000')
    const to = schemaVersion(client)
    if (from > 0 && from < to) onMigrated?.(from, to)
  } catch (error) {
    client.close()
    throw refusal(file, error)
  }
  if (isInMemory) blank ??= client.serialize()
  return drizzle(client, { casing: 'snake_case' })
}

/** What a failure to open a database means. */
function refusal(file: string, error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (code.startsWith('SQLITE_BUSY')) return new FolderInUse(dirname(file))
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new NotOurs(`${file} is not a database, or is damaged: ${(error as Error).message}.`)
  }
  if (code.startsWith('SQLITE_')) return new DataRefused(explain(error, file), { cause: error })
  return error
}

/**
 * Marks a database as ours if it is new, or older than the mark.
 *
 * @throws NotOurs it belongs to another program; DataRefused a newer version wrote it, or too old a
 *   one
 */
function claim(client: Database.Database): void {
  if (!belongsToUs(client)) {
    throw new NotOurs(`${client.name} is a database of another program. Choose another folder.`)
  }
  const { applied, known } = schemaOf(client)
  if (applied > known) {
    throw new DataRefused(
      `${client.name} was written by a newer version of Parley (schema ${applied}; this version ` +
        `knows ${known}). Start that version, or restore a backup from before its first start.`,
    )
  }
  if (applicationOf(client) !== applicationId) client.pragma(`application_id = ${applicationId}`)
}

const applicationOf = (client: Database.Database) =>
  client.pragma('application_id', { simple: true }) as number

/** Whether a database is empty or Parley's. The first version did not mark its databases. */
function belongsToUs(client: Database.Database): boolean {
  if (applicationOf(client) === applicationId) return true
  if (applicationOf(client) !== 0) return false
  const names = client.prepare('SELECT name FROM sqlite_master').pluck().all()
  const hasOurs = ['realm', 'realm_settings', 'recipients'].every((name) => names.includes(name))
  return names.length === 0 || (hasOurs && schemaVersion(client) > 0)
}

export interface Schema {
  /** The schema of the database: 0 if it is empty. */
  readonly applied: number
  /** The schema that this version makes. */
  readonly known: number
  /** How many migrations there are from the one to the other. */
  readonly pending: number
}

/**
 * Reads the schema version of a database without changing it.
 *
 * @throws NotOurs; FolderInUse; DataRefused it cannot be read, or is too old
 */
export function readSchema(file: string): Schema {
  let client: Database.Database | undefined
  try {
    client = new Database(file, {
      nativeBinding: loadAddon(),
      fileMustExist: true,
      timeout: openTimeout,
    })
    if (!belongsToUs(client)) {
      throw new NotOurs(`${file} is a database of another program.`)
    }
    return schemaOf(client)
  } catch (error) {
    throw refusal(file, error)
  } finally {
    client?.close()
  }
}

/** @throws DataRefused it is of a development version from before the first schema */
function schemaOf(client: Database.Database): Schema {
  const applied = schemaVersion(client)
  const known = firstSchema + listMigrations().length - 1
  if (applied > 0 && applied < firstSchema) {
    throw new DataRefused(
      `${client.name} was written by a development version of Parley that is too old to upgrade directly (schema ` +
        `${applied}; this version upgrades ${firstSchema} and later). Start the version at commit ` +
        `${lastBeforeFirst} on this folder once to upgrade it, and then this version.`,
    )
  }
  const pending = applied === 0 ? listMigrations().length : Math.max(0, known - applied)
  return { applied, known, pending }
}

/** The schema of a database: 0 if it is empty. */
function schemaVersion(client: Database.Database): number {
  return client.pragma('user_version', { simple: true }) as number
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

/** Triggers use the first: a message can only be changed where it exists. Migrations use all. */
export function defineFunctions(client: Database.Database): void {
  const functions = { name_key: nameKey, tidy_name: tidyName }
  for (const [name, of] of Object.entries(functions)) {
    client.function(name, { deterministic: true }, (text) => of(String(text)))
  }
  client.function('search_text', { deterministic: true, varargs: true }, (text, html) =>
    indexedText(String(text), typeof html === 'string' ? html : null),
  )
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

/**
 * Applies the missing migrations: each in a transaction, or all of a new database in one, which
 * waits for the disk once. @returns the schema before them
 */
function migrate(client: Database.Database, onMigration?: OpenOptions['onMigration']): number {
  const { applied, known, pending } = schemaOf(client)
  if (pending === 0) return applied
  const missing = listMigrations().slice(-pending)
  const apply = client.transaction((statements: string[], i: number) => {
    for (const statement of statements) client.exec(statement)
    client.pragma(`user_version = ${known - pending + i + 1}`)
  })
  const applyAll = () => {
    for (const [i, statements] of missing.entries()) {
      onMigration?.(i, pending)
      apply.immediate(statements, i)
    }
  }
  if (applied === 0) client.transaction(applyAll).immediate()
  else applyAll()
  onMigration?.(pending, pending)
  return applied
}
