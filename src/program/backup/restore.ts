import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { clearDrafts, contentsPath, syncFolder, writeContents } from '#platform/files/contents.ts'
import { type DataFolder, openFolder, removeDatabase } from '#platform/store/folder.ts'
import { checkDatabase } from '#platform/store/integrity.ts'
import { openDatabase, readSchema } from '#platform/store/open.ts'
import { DataRefused, explain, NotOurs } from '#platform/store/refusals.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { type CommandResult, takesLong } from '#program/task.ts'
import { isArchive, readArchive } from './archive.ts'
import { settle } from './snapshot.ts'

/**
 * Makes a data folder from a backup, checking the database and all files. If interrupted, it leaves
 * no database and can be run again.
 *
 * @param from the folder or the archive of the backup
 * @param data the data folder
 * @returns a failure if files are missing from the backup; the others are restored nevertheless
 * @throws BAD_REQUEST no backup, a damaged one, or the data folder has a database; DataRefused,
 *   such as FolderInUse
 */
export async function restore(
  from: string,
  data: string,
  task = unwatched,
): Promise<CommandResult> {
  const source = sourceOf(from, task)
  const folder = openFolder(data, 'restore', task.note)
  try {
    if (existsSync(folder.database)) {
      throw badRequest(`${folder.path} already contains data, which restoring does not overwrite.`)
    }
    const { count, missing } = await copy(source, folder, task)
    const lost = missing > 0 ? ` ${missing} more are missing from the backup.` : ''
    const output = `Restored the database and ${count} files to ${folder.path}.${lost}\n`
    return { output, failed: missing > 0 }
  } catch (error) {
    task.signal.throwIfAborted()
    if (error instanceof ApiError || error instanceof DataRefused) throw error
    throw badRequest(`The backup cannot be restored: ${explain(error, folder.path)}`)
  } finally {
    folder.release()
  }
}

/** Reads the files of a backup by their paths in it, the database first. */
type Source = (
  use: (path: string, contents: AsyncIterable<Uint8Array>) => Promise<void>,
  wanted: () => Iterable<string>,
) => Promise<void>

function sourceOf(from: string, { signal }: Task): Source {
  const database = join(from, 'parley.db')
  if (isArchive(from) && existsSync(from)) return (use) => readArchive(resolve(from), signal, use)
  if (!existsSync(database) || statSync(database).size === 0) {
    throw badRequest(`There is no backup in ${from}.`)
  }
  return async (use, wanted) => {
    await use('parley.db', createReadStream(database))
    for (const hash of wanted()) {
      const path = contentsPath(join(from, 'files'), hash)
      if (existsSync(path)) await use(`files/${hash}`, createReadStream(path))
    }
  }
}

async function copy(source: Source, folder: DataFolder, task: Task) {
  const draft = `${folder.database}.restoring`
  const files = join(folder.path, 'files')
  removeDatabase(draft)
  /** The hashes that the database references and that have not been read yet. */
  let wanted: Set<string> | undefined
  let count = 0
  try {
    await source(
      async (path, contents) => {
        if (path === 'parley.db') {
          await pipeline(Readable.from(contents), createWriteStream(draft, { mode: 0o600 }))
          wanted = new Set(await readThrough(draft, task))
          return
        }
        const hash = path.slice('files/'.length).replace('/', '')
        if (!wanted) throw damaged('list of files')
        task.signal.throwIfAborted()
        task.report('Restoring files', count, count + wanted.size)
        const written = await writeContents(files, contents)
        if (written.hash !== hash) throw damaged(`file ${path}`)
        if (wanted.delete(hash)) count += 1
      },
      () => [...(wanted ?? [])],
    )
    if (!wanted) throw damaged('database')
    clearDrafts(files)
    const file = await open(draft, 'r+')
    await file.sync().finally(() => file.close())
    await rename(draft, folder.database)
    await syncFolder(folder.path)
    return { count, missing: wanted.size }
  } catch (error) {
    removeDatabase(draft)
    throw error
  }
}

/** Checks a copied database, brings it up to this version, and lists the files it references. */
async function readThrough(database: string, task: Task): Promise<string[]> {
  try {
    if (readSchema(database).applied === 0) throw damaged('database, which is empty')
    task.report('Checking the database', 0, 0)
    if ((await checkDatabase(database)).length > 0) throw damaged('database')
    const onMigration = (done: number, total: number) =>
      task.report('Migrating the database', done, total, takesLong(database))
    return settle(openDatabase(database, { onMigration }), {
      clock: systemClock,
      config: defaultConfig,
    })
  } catch (error) {
    if (error instanceof NotOurs) throw damaged('database')
    throw error
  }
}

function damaged(what: string) {
  return badRequest(`The backup is damaged: its ${what}.`)
}
