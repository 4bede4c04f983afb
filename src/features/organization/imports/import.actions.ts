import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, open, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { badRequest } from '#platform/errors.ts'
import { clearDrafts, syncFolder } from '#platform/files/contents.ts'
import {
  type DataFolder,
  databaseIn,
  removeDatabase,
  requireFree,
  requireNothingLost,
} from '#platform/store/folder.ts'
import type { Task } from '#platform/task.ts'
import { holdsOrganization } from './organization.queries.ts'
import type { ImportOptions } from './stage.actions.ts'
import type { ImportReport } from './summary.ts'

/** A data folder, open or not. */
type Place = Pick<DataFolder, 'path' | 'database'>

/** The folder in a data folder in which an import prepares the new data. */
const stagingIn = (data: string) => join(data, 'importing')
/** A file that is added last, when everything else is complete and on disk. */
const completeMark = 'complete'

/**
 * Imports an export into a data folder without an organization: all of it, or nothing. The data folder
 * stays as it is until everything is there and checked.
 *
 * @param folder that nobody else has open
 * @throws BAD_REQUEST there is an organization, or the export cannot be used; DataRefused
 */
export async function importInto(
  folder: DataFolder,
  options: Omit<ImportOptions, 'into'>,
  task: Task,
): Promise<ImportReport> {
  const report = await stageInto(folder, options, task)
  await settleImport(folder)
  return report
}

/**
 * The first part of an import: everything is made and checked in a separate folder, so that
 * `settleImport` only has to rename it. For a server, which calls that when nothing uses the data
 * folder.
 */
export async function stageInto(
  folder: Place,
  options: Omit<ImportOptions, 'into'>,
  task: Task,
): Promise<ImportReport> {
  requireNothingLost(folder)
  const into = stagingIn(folder.path)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { mode: 0o700 })
  try {
    const report = await stage({ ...options, into }, task)
    clearDrafts(join(into, 'files'))
    await syncFile(databaseIn(into), 'r+')
    await syncFolder(into)
    await syncFile(join(into, completeMark), 'wx')
    await syncFolder(into)
    return report
  } catch (error) {
    rmSync(into, { recursive: true, force: true })
    throw error
  }
}

/** What reads exports and writes what is in them is loaded with the first one. */
async function stage(options: ImportOptions, task: Task): Promise<ImportReport> {
  const { stageImport } = await import('./stage.actions.ts')
  return await stageImport(options, task)
}

async function syncFile(path: string, flags: string): Promise<void> {
  const file = await open(path, flags, 0o600)
  await file.sync().finally(() => file.close())
}

/**
 * Finds out what an import would do, and leaves nothing behind.
 *
 * @param beside the folder in which it works
 */
export async function tryImport(
  options: Omit<ImportOptions, 'into'>,
  task: Task,
  beside: string,
): Promise<ImportReport> {
  const into = await mkdtemp(join(beside, 'parley-import-'))
  try {
    return await stage({ ...options, isTrial: true, into }, task)
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

/**
 * Ends an import: a complete one becomes the organization of the data folder, even if an earlier
 * process ended in the middle of that; the remains of an incomplete one are removed. Call it before
 * a data folder is used.
 */
export async function settleImport({ database, path }: DataFolder): Promise<void> {
  const from = stagingIn(path)
  if (!existsSync(from)) return
  if (existsSync(join(from, completeMark)) && existsSync(databaseIn(from))) {
    const files = join(from, 'files')
    if (existsSync(files)) {
      rmSync(join(path, 'files'), { recursive: true, force: true })
      await rename(files, join(path, 'files'))
    }
    removeDatabase(database)
    await rename(databaseIn(from), database)
    await syncFolder(path)
  }
  rmSync(from, { recursive: true, force: true })
}

/** Removes what an import has staged, when it is not to be put in place. */
export function discardStaged(data: string): void {
  rmSync(stagingIn(data), { recursive: true, force: true })
}

/**
 * Checks, and writes nothing, that an import into a data folder could begin.
 *
 * @param data which may be missing
 * @throws BAD_REQUEST there is an organization; FolderInUse; DataRefused
 */
export function requireReady(data: string): void {
  requireFree(data)
  const folder = { path: resolve(data), database: databaseIn(data) }
  requireNoOrganization(folder)
  requireNothingLost(folder)
}

/** @throws BAD_REQUEST */
export function requireNoOrganization({ database, path }: Place): void {
  const isStaged = existsSync(join(stagingIn(path), completeMark))
  if (!isStaged && !holdsOrganization(database)) return
  throw badRequest(
    `${path} already contains an organization. An import needs a folder without one: name it with --data.`,
  )
}
