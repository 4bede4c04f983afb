import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { clearDrafts, syncFolder, writeContents } from '#platform/files/contents.ts'
import { listNamed } from '#platform/files/queries.ts'
import { openDatabase } from '#platform/store/open.ts'
import { makePrivate } from '#platform/store/private-file.ts'

/** The number of 4 KiB database pages to copy before other requests get a turn. */
const pagesAtOnce = 100

/**
 * Copies a consistent snapshot of the database and the files it references into a new folder, while
 * the server runs. The folder gets its final name once complete.
 *
 * @param to an absolute path
 * @returns the text to print
 * @throws BAD_REQUEST the folder exists and is not empty, or a file is damaged
 */
export async function backUp(server: Context, to: string): Promise<string> {
  if (existsSync(to) && readdirSync(to).length > 0) {
    throw badRequest(`${to} already exists. Name a new folder.`)
  }
  const draft = join(dirname(to), `.${basename(to)}.incomplete`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  // Held until the end, so that files the copied database references are not removed before they
  // are copied.
  const release = server.files.hold()
  try {
    const database = join(draft, 'parley.db')
    makePrivate(database)
    await server.store.db.$client.backup(database, { progress: () => pagesAtOnce })
    const { count, missing } = await copyContents(server, database, join(draft, 'files'))
    await syncFolder(draft)
    renameSync(draft, to)
    await syncFolder(dirname(to))
    const size = mebibytes((await stat(join(to, 'parley.db'))).size)
    const lost = missing > 0 ? ` ${missing} more were missing from the data folder.` : ''
    return `Backed up a database of ${size} and ${count} files to ${to}.${lost}\n`
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  } finally {
    release()
  }
}

async function copyContents({ files, clock }: Context, database: string, folder: string) {
  let [count, missing] = [0, 0]
  const db = openDatabase(database)
  try {
    for (const hash of listNamed({ db, clock })) {
      if ((await files.size(hash)) === undefined) {
        missing += 1
        continue
      }
      const copied = await writeContents(folder, files.stream(hash))
      if (copied.hash !== hash) throw badRequest(`The contents ${hash} are damaged.`)
      count += 1
    }
  } finally {
    db.$client.close()
  }
  clearDrafts(folder)
  return { count, missing }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
