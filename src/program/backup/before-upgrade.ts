import { existsSync, readdirSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { loadAddon } from '#platform/store/addon.ts'
import { checkDatabase } from '#platform/store/integrity.ts'
import { readSchema } from '#platform/store/open.ts'
import { makePrivate } from '#platform/store/private-file.ts'
import { DataRefused, explain } from '#platform/store/refusals.ts'
import { type Task, unwatched } from '#platform/task.ts'
import { newDraft } from '#program/drafts.ts'

/** How many backups from before upgrades are kept. */
const kept = 2

/**
 * Backs up a data folder before its database is migrated: `before-upgrade/SCHEMA` in it, which
 * `parley restore` takes. Uploaded files are linked, not copied: their contents never change. Does
 * nothing if there is nothing to migrate, or this version was backed up already.
 *
 * @param database the path of a database that nobody has open
 * @returns the path of the backup, if one was made
 * @throws DataRefused it could not be made, so nothing may be migrated
 */
export async function backUpBeforeUpgrade(
  database: string,
  task: Task = unwatched,
): Promise<string | undefined> {
  if (!existsSync(database)) return undefined
  const { applied, pending } = readSchema(database)
  if (applied === 0 || pending === 0) return undefined
  const to = backupBefore(database, applied)
  const folder = dirname(to)
  // A start that failed during the migration left the database as it was.
  if (existsSync(to)) return undefined
  const draft = newDraft(to)
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await copy(database, join(draft, 'parley.db'), task)
    await linkFiles(join(dirname(database), 'files'), join(draft, 'files'))
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    task.signal.throwIfAborted()
    throw new DataRefused(
      `The backup before the upgrade failed: ${explain(error, draft)} ` +
        'Make room, or set PARLEY_BACKUP_BEFORE_UPGRADE=off to upgrade without it.',
    )
  }
  const old = readdirSync(folder).filter((name) => name.startsWith('schema-'))
  for (const name of old.sort().slice(0, -kept)) await rm(join(folder, name), { recursive: true })
  return to
}

/** Where a database is backed up before it is migrated from a schema. */
export function backupBefore(database: string, schema: number): string {
  const name = `schema-${String(schema).padStart(4, '0')}`
  return join(dirname(database), 'before-upgrade', name)
}

async function copy(database: string, to: string, { report, signal }: Task): Promise<void> {
  makePrivate(to)
  const client = new Database(database, { nativeBinding: loadAddon(), fileMustExist: true })
  await client
    .backup(to, {
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted()
        report('Backing up before the upgrade', totalPages - remainingPages, totalPages)
        return 1000
      },
    })
    .finally(() => client.close())
  const [problem] = await checkDatabase(to)
  if (problem !== undefined) throw new Error(`the database is damaged: ${problem}.`)
}

/** Links the contents of a folder of files into another one on the same file system. */
async function linkFiles(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  await mkdir(to, { mode: 0o700 })
  for (const entry of readdirSync(from)) {
    if (!/^[0-9a-f]{2}$/.test(entry)) continue
    await mkdir(join(to, entry), { mode: 0o700 })
    for (const name of readdirSync(join(from, entry))) {
      await link(join(from, entry, name), join(to, entry, name))
    }
  }
}
