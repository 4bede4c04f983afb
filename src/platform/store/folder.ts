import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'
import { isDiskFull } from './disk-full.ts'
import { readHolder, removeHolder, writeHolder } from './holder.ts'
import { giveToOwner } from './ownership.ts'
import { makePrivate } from './private-file.ts'
import { DataRefused, explain, FolderInUse } from './refusals.ts'
import { makeRoom, withRoom } from './reserve.ts'

type Note = (text: string) => void

/** A data folder that this process has locked until `release` is called. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
  /** The path of the database. */
  readonly database: string
  release(): void
}

/** The path of the database in a data folder. */
export const databaseIn = (data: string) => join(resolve(data), 'parley.db')

/**
 * Locks a data folder, creating it if missing, readable only by its owner. The operating system
 * holds the lock, so it ends with the process even after a crash. The database is locked by itself
 * when it is opened; this lock comes first, and also holds where the database may be shared.
 *
 * On a full disk, it deletes the reserve to make room for what opening takes.
 *
 * @param command what it is locked for, such as `backup`; undefined: a server
 * @param note takes what the operator must know
 * @throws FolderInUse; DataRefused the folder or its lock cannot be created or written
 */
export function openFolder(data: string, command?: string, note: Note = () => {}): DataFolder {
  const path = resolve(data)
  const database = databaseIn(path)
  const lock = withRoom(path, note, () => lockFolder(path))
  const release = () => {
    // Before the files are opened: closing one of them would end the locks on it.
    lock.close()
    giveToOwner(path)
  }
  try {
    makeRoom(path, note)
    withRoom(path, note, () => mergeLog(database))
  } catch (error) {
    release()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      throw new FolderInUse(path, readHolder(path))
    }
    throw new DataRefused(explain(error, database), { cause: error })
  }
  // Not before: where the lock file was deleted, it still names who has the database open.
  writeHolder(path, command)
  return {
    path,
    database,
    release() {
      removeHolder(path)
      release()
    },
  }
}

/** How often a start asks for the lock again, in milliseconds. */
const retryMs = 100
/** The most tries where nobody says who holds it, as in the moment in which a process ends. */
const mostBlindTries = 20

/**
 * The same for a server that starts: waits for a command that has locked the folder, as long as it
 * takes, and says so.
 *
 * @throws as `openFolder`, FolderInUse immediately where a server has locked it; the signal's reason
 */
export async function openFolderOnceFree(
  data: string,
  signal: AbortSignal,
  note: Note,
): Promise<DataFolder> {
  let blindTries = 0
  let isTold = false
  for (;;) {
    try {
      return openFolder(data, undefined, note)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      if (!error.holder) blindTries += 1
      else if (error.holder.command === undefined) throw error
      else if (!isTold) {
        note(`${error.message} The server starts when that is done.`)
        isTold = true
      }
      if (blindTries > mostBlindTries) throw error
    }
    await sleep(retryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** One by one: creating all in one call never ends where a file system, such as /proc, denies that there is a parent. */
function makeFolders(path: string): void {
  if (existsSync(path)) return
  makeFolders(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

function lockFolder(path: string): Database.Database {
  const lockFile = join(path, 'lock')
  try {
    makeFolders(path)
    chmodSync(path, 0o700)
    makePrivate(lockFile)
    // SQLite silently opens a file that it can only read, and then locks nothing.
    accessSync(lockFile, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new DataRefused(`Cannot use the data folder ${path}: ${explain(error)}`, { cause: error })
  }
  const lock = new Database(lockFile, { nativeBinding: loadAddon(), timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      throw new FolderInUse(path, readHolder(path))
    }
    const reason = explain(error, lockFile)
    throw new DataRefused(`Cannot lock the data folder ${path}: ${reason}`, { cause: error })
  }
  return lock
}

/**
 * Checks, and writes nothing, that `openFolder` could lock a data folder, which may be missing.
 *
 * @throws FolderInUse; DataRefused the folder or its lock could not be created or written
 */
export function requireFree(data: string): void {
  const path = resolve(data)
  const lockFile = join(path, 'lock')
  try {
    let place = existsSync(lockFile) ? lockFile : path
    while (!existsSync(place)) place = dirname(place)
    accessSync(place, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new DataRefused(`Cannot use the data folder ${path}: ${explain(error)}`, { cause: error })
  }
  if (!existsSync(lockFile)) return
  const lock = new Database(lockFile, { nativeBinding: loadAddon(), timeout: 0, readonly: true })
  try {
    lock.prepare('SELECT 1 FROM sqlite_master').get()
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      throw new FolderInUse(path, readHolder(path))
    }
    throw error
  } finally {
    lock.close()
  }
}

/**
 * Merges the log that a crash left into the database. This takes disk space, but opening the
 * database afterwards takes none.
 *
 * @throws only if there is no room, or another process has the database open
 */
function mergeLog(database: string): void {
  if (!statSync(`${database}-wal`, { throwIfNoEntry: false })?.size) return
  let client: Database.Database | undefined
  try {
    client = new Database(database, { nativeBinding: loadAddon(), timeout: 250 })
    checkpoint(client)
  } catch (error) {
    const isBusy = (error as { code?: string }).code === 'SQLITE_BUSY'
    // Any other error is reported by the code that opens the database.
    if (isBusy || isDiskFull(error)) throw error
  } finally {
    client?.close()
  }
}

/** Writes what is in the log of a database into it, as far as other programs let it. */
export function checkpoint(client: Database.Database): void {
  client.pragma('wal_checkpoint(PASSIVE)')
}

/**
 * Checks that a new database may be created in a folder: not beside uploaded files, which belong to
 * a database that is missing. Otherwise the first visitor would own a fresh organization.
 *
 * @throws DataRefused
 */
export function requireNothingLost({
  path,
  database,
}: Pick<DataFolder, 'path' | 'database'>): void {
  const files = join(path, 'files')
  if (existsSync(database) || !existsSync(files) || readdirSync(files).length === 0) return
  throw new DataRefused(
    `${path} holds uploaded files, but their database ${database} is missing. Put it back, or ` +
      `run "parley restore". To start afresh, move ${files} away first.`,
  )
}

/** Deletes a database that is not open. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
