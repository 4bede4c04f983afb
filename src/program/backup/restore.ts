import { createReadStream, existsSync } from 'node:fs'
import { copyFile, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { deleteAllQueues } from '#platform/events/queries.ts'
import { clearDrafts, contentsPath, syncFolder, writeContents } from '#platform/files/contents.ts'
import { listNamed } from '#platform/files/queries.ts'
import { type DataFolder, openFolder, removeDatabase } from '#platform/store/folder.ts'
import { openDatabase } from '#platform/store/open.ts'
import { NotOurs } from '#platform/store/refusals.ts'

/**
 * Makes a data folder from a backup, checking the database and all files. If interrupted, it leaves
 * no database and can be run again.
 *
 * @param from the folder of the backup
 * @param data the data folder
 * @returns the text to print
 * @throws BAD_REQUEST no backup, a damaged one, or the data folder has a database; FolderInUse
 */
export async function restore(from: string, data: string): Promise<string> {
  if (!existsSync(join(from, 'parley.db'))) throw badRequest(`There is no backup in ${from}.`)
  const folder = openFolder(data)
  try {
    if (existsSync(folder.database)) {
      throw badRequest(`${folder.path} already contains data, which restoring does not overwrite.`)
    }
    const { count, missing } = await copy(from, folder)
    const lost = missing > 0 ? ` ${missing} more are missing from the backup.` : ''
    return `Restored the database and ${count} files to ${folder.path}.${lost}\n`
  } finally {
    folder.release()
  }
}

async function copy(from: string, folder: DataFolder) {
  const draft = `${folder.database}.restoring`
  removeDatabase(draft)
  try {
    await copyFile(join(from, 'parley.db'), draft)
    const copied = await readThrough(draft, join(from, 'files'), join(folder.path, 'files'))
    const file = await open(draft, 'r+')
    await file.sync().finally(() => file.close())
    await rename(draft, folder.database)
    await syncFolder(folder.path)
    return copied
  } catch (error) {
    removeDatabase(draft)
    throw error
  }
}

/** Checks a copied database, and copies and checks the files that it references. */
async function readThrough(database: string, from: string, to: string) {
  const db = openCopy(database)
  // Clients of the original have come further than their queues in this copy.
  deleteAllQueues({ db, clock: systemClock })
  let [count, missing] = [0, 0]
  try {
    if (db.$client.pragma('quick_check', { simple: true }) !== 'ok') throw damaged('database')
    for (const hash of listNamed({ db, clock: systemClock })) {
      if (!existsSync(contentsPath(from, hash))) {
        missing += 1
        continue
      }
      const written = await writeContents(to, createReadStream(contentsPath(from, hash)))
      if (written.hash !== hash) throw damaged(`file ${contentsPath(from, hash)}`)
      count += 1
    }
  } finally {
    db.$client.close()
  }
  clearDrafts(to)
  return { count, missing }
}

function openCopy(database: string) {
  try {
    return openDatabase(database)
  } catch (error) {
    if (error instanceof NotOurs) throw damaged('database')
    throw error
  }
}

function damaged(what: string) {
  return badRequest(`The backup is damaged: its ${what}.`)
}
