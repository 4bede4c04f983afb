import { existsSync, readdirSync } from 'node:fs'
import { link, mkdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context, SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { clearDrafts, syncFolder, writeContents } from '#platform/files/contents.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { explain } from '#platform/store/refusals.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import type { CommandResult } from '#program/task.ts'
import { isArchive, writeArchive } from './archive.ts'
import { copyDatabase, type Snapshot } from './snapshot.ts'

/** A backup under its final name. */
export interface Backup {
  readonly path: string
  /** The size of the database, in bytes. */
  readonly databaseBytes: number
  /** The number of files in it. */
  readonly files: number
  /** The hashes of files that rows reference, but that the data folder lacks. */
  readonly missing: readonly string[]
}

const state = perDatabase(() => ({ isRunning: false }))

/**
 * Copies a consistent snapshot of the database and the files it references, while the server runs:
 * into a new folder, or into one compressed file if the name ends in `.tar.gz`. The copy is checked
 * before it gets its name; if anything fails or `task` is aborted, nothing remains.
 *
 * @param to an absolute path
 * @throws BAD_REQUEST it exists, another backup is being made, a file or the copy is damaged, or
 *   the target cannot be written
 */
export async function backUp(server: SystemContext, to: string, task = unwatched): Promise<Backup> {
  const one = state(server.store)
  if (one.isRunning) throw badRequest('Another backup is being made. Wait until it is done.')
  requireFree(to)
  one.isRunning = true
  // Held until the end, so that files that the copied database references are not removed before
  // they are copied.
  const release = server.files.hold()
  try {
    return await make(server, to, task)
  } catch (error) {
    task.signal.throwIfAborted()
    if (error instanceof Error && 'code' in error && !('status' in error)) {
      throw badRequest(`The backup failed: ${explain(error, to)}`)
    }
    throw error
  } finally {
    release()
    one.isRunning = false
  }
}

/** The result of a backup for the shell: a failure if files are missing. */
export function described({ path, databaseBytes, files, missing }: Backup): CommandResult {
  const size = `${(databaseBytes / 1024 / 1024).toFixed(1)} MiB`
  const lost =
    missing.length > 0 ? ` ${missing.length} more were missing from the data folder.` : ''
  return {
    output: `Backed up a database of ${size} and ${files} files to ${path}.${lost}\n`,
    failed: missing.length > 0,
  }
}

function requireFree(to: string): void {
  if (!existsSync(to)) return
  if (!isArchive(to) && readdirSync(to).length === 0) return
  throw badRequest(`${to} already exists. Name a new ${isArchive(to) ? 'file' : 'folder'}.`)
}

async function make(server: SystemContext, to: string, task: Task): Promise<Backup> {
  const parent = dirname(to)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await removeLeftDrafts(parent)
  const draft = newDraft(to)
  try {
    await mkdir(draft, { mode: 0o700 })
    const snapshot = await copyDatabase(server, join(draft, 'parley.db'), task)
    if (isArchive(to)) {
      const archive = join(draft, 'archive')
      await writeArchive(server, snapshot, archive, task)
      // Unlike a rename, this never replaces a file that has appeared meanwhile.
      await link(archive, to)
      await unlink(archive)
    } else {
      await copyFiles(server, snapshot, join(draft, 'files'), task)
      await syncFolder(draft)
      task.signal.throwIfAborted()
      await rename(draft, to)
    }
    await syncFolder(parent)
    const { databaseBytes, present, missing } = snapshot
    return { path: to, databaseBytes, files: present.length, missing }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function copyFiles(
  { files }: Context,
  { present }: Snapshot,
  folder: string,
  task: Task,
): Promise<void> {
  for (const [i, { hash }] of present.entries()) {
    task.signal.throwIfAborted()
    task.report('Copying files', i, present.length)
    const copied = await writeContents(folder, files.stream(hash))
    if (copied.hash !== hash) throw badRequest(`The contents ${hash} are damaged.`)
  }
  clearDrafts(folder)
}

/** The size of a finished backup, in bytes; of a folder, without its files. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(isArchive(path) ? path : join(path, 'parley.db'))).size
}
