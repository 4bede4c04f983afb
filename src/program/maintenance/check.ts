import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { contentsPath } from '#platform/files/contents.ts'
import { listNamed } from '#platform/files/queries.ts'
import { loadAddon } from '#platform/store/addon.ts'
import { databaseIn, openFolder } from '#platform/store/folder.ts'
import { checkDatabase } from '#platform/store/integrity.ts'
import { openDatabase, readSchema } from '#platform/store/open.ts'
import type { Task } from '#platform/task.ts'
import { copyDatabase } from '#program/backup/snapshot.ts'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import type { CommandResult } from '#program/task.ts'

/**
 * `parley check` without a server: the integrity of the database and of each file, files that no
 * row references, and pending migrations. Changes nothing.
 *
 * @throws BAD_REQUEST there is no database; DataRefused, such as FolderInUse
 */
export async function checkFolder(data: string, task: Task): Promise<CommandResult> {
  if (!existsSync(databaseIn(data))) throw badRequest(`There is no database in ${data}.`)
  const folder = openFolder(data, 'check', task.note)
  try {
    const { applied, known, pending } = readSchema(folder.database)
    if (applied > known) throw badRequest(`${folder.database} is from a newer version of Parley.`)
    task.report('Checking the database', 0, 0)
    const faults = await checkDatabase(folder.database)
    if (faults.length > 0) return report(folder.path, { faults, orphans: 0 }, [])
    // An older database is brought up to date before it is asked which files it references.
    const named =
      pending > 0
        ? await inScratch(folder.path, async (copy) => {
            await copyOf(folder.database, copy)
            return namedIn(copy)
          })
        : namedIn(folder.database)
    const notes =
      pending > 0 ? [`Pending migrations: ${pending}. The next start applies them.`] : []
    return report(folder.path, await checkFiles(join(folder.path, 'files'), named, task), notes)
  } finally {
    folder.release()
  }
}

/** `parley check` in the server that runs: of a copy of its database, which is removed after it. */
export async function checkRunning(server: SystemContext, task: Task): Promise<CommandResult> {
  const data = dirname(server.store.db.$client.name)
  const release = server.files.hold()
  try {
    const named = await inScratch(data, async (copy) => {
      const { present, missing } = await copyDatabase(server, copy, task)
      return [...present.map(({ hash }) => hash), ...missing]
    })
    return report(data, await checkFiles(join(data, 'files'), named, task), [])
  } finally {
    release()
  }
}

/** Runs `use` with the path of a database to be made, which is removed afterwards. */
async function inScratch<T>(data: string, use: (copy: string) => Promise<T>): Promise<T> {
  await removeLeftDrafts(data)
  const scratch = newDraft(join(data, 'check'))
  await mkdir(scratch, { mode: 0o700 })
  try {
    return await use(join(scratch, 'parley.db'))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function copyOf(database: string, to: string): Promise<void> {
  const client = new Database(database, { nativeBinding: loadAddon(), fileMustExist: true })
  await client.backup(to).finally(() => client.close())
}

interface Problems {
  /** Problems in the database or in files: something is lost. */
  readonly faults: string[]
  /** The number of files that no row references. They are removed by the server, or waste space. */
  readonly orphans: number
}

async function checkFiles(files: string, named: readonly string[], task: Task): Promise<Problems> {
  const faults: string[] = []
  for (const [i, hash] of named.entries()) {
    task.signal.throwIfAborted()
    task.report('Checking files', i, named.length)
    const path = contentsPath(files, hash)
    if (!existsSync(path)) faults.push(`The file ${path} is missing.`)
    else if ((await hashOf(path)) !== hash) faults.push(`The file ${path} is damaged.`)
  }
  const known = new Set(named)
  const stored = await listStored(files)
  return { faults, orphans: stored.filter((hash) => !known.has(hash)).length }
}

/** The hashes that a database references. Migrates it. */
function namedIn(database: string): string[] {
  const db = openDatabase(database)
  try {
    return listNamed({ db, clock: systemClock, config: defaultConfig })
  } finally {
    db.$client.close()
  }
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const part of createReadStream(path)) digest.update(part)
  return digest.digest('hex')
}

/** The hashes of the contents in a folder. */
async function listStored(files: string): Promise<string[]> {
  const paths = await readdir(files, { recursive: true }).catch(() => [])
  return paths.map((path) => path.replace('/', '')).filter((hash) => /^[0-9a-f]{64}$/.test(hash))
}

function report(data: string, { faults, orphans }: Problems, notes: string[]): CommandResult {
  const failed = faults.length > 0
  const lines = [
    ...faults,
    ...notes,
    ...(orphans > 0
      ? [`Files that nothing refers to: ${orphans}. The server will remove them.`]
      : []),
    failed ? `${data} is damaged. Problems: ${faults.length}.` : `${data} is in order.`,
  ]
  return { output: `${lines.join('\n')}\n`, failed }
}
