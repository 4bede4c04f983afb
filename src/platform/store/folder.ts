import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'
import { makePrivate } from './private-file.ts'

/** A data folder that this process has locked until `release` is called. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
  /** The path of the database. */
  readonly database: string
  release(): void
}

/** Another process, or another server in this process, uses the folder. */
export class FolderInUse extends Error {
  constructor(path: string) {
    super(`The data folder ${path} is in use by a running Parley.`)
  }
}

/**
 * Locks a data folder, creating it if missing, readable only by its owner. The operating system
 * holds the lock, so it ends with the process even after a crash.
 *
 * @throws FolderInUse
 */
export function openFolder(data: string): DataFolder {
  const path = resolve(data)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  const lockFile = join(path, 'lock')
  makePrivate(lockFile)
  const lock = new Database(lockFile, { nativeBinding: loadAddon(), timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new FolderInUse(path)
  }
  return { path, database: join(path, 'parley.db'), release: () => lock.close() }
}

/** Deletes a database that is not open. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
