import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { loadAddon } from './addon.ts'

/** A data folder that this process alone uses until it lets go of it. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
  /** Path of the database. */
  readonly database: string
  release(): void
}

/** Another process, or another server in this one, uses the folder. */
export class FolderInUse extends Error {
  constructor(path: string) {
    super(`The data folder ${path} is in use by a running Parley.`)
  }
}

/**
 * Takes a data folder, made when it is missing; nobody but its owner may read it. The lock is one
 * of the operating system: it ends with the process, however that ends.
 *
 * @throws FolderInUse
 */
export function openFolder(data: string): DataFolder {
  const path = resolve(data)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  const lock = new Database(join(path, 'lock'), { nativeBinding: loadAddon(), timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new FolderInUse(path)
  }
  return { path, database: join(path, 'parley.db'), release: () => lock.close() }
}

/** Removes a database that nobody has open. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
