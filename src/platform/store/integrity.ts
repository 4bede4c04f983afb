import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { addonFile, loadAddon } from './addon.ts'
import { loadIntegrityLibrary } from './integrity-library.ts'
import { explain } from './refusals.ts'

interface Findings {
  /** The rows of `PRAGMA integrity_check`: `ok`, or at most 100 problems. */
  readonly found: readonly string[]
  /** The rows of `PRAGMA foreign_key_check`: table, row, and the table that lacks the row. */
  readonly dangling: readonly (readonly [string, number | null, string, number])[]
}

/** Why the thread could not check: the members of an error of SQLite. */
interface Failure {
  readonly message: string
  readonly code: string | undefined
}

/**
 * Checks a database that nobody has open: its pages, indexes and search index, and references
 * between rows. A worker thread does it, because it takes seconds for a large one.
 *
 * @returns the problems, in SQLite's words; empty: there are none
 */
export async function checkDatabase(file: string): Promise<string[]> {
  const addon = addonFile()
  try {
    const isOurs = typeof loadAddon() === 'object'
    const { found, dangling } = isOurs && addon === undefined ? inspect(file) : await inThread(file)
    return [
      ...found.filter((row) => row !== 'ok'),
      ...dangling.map(([table, row, parent]) => `${table} ${row}: its row in ${parent} is missing`),
    ]
  } catch (error) {
    return [explain(error, file)]
  }
}

/** For systems where no thread can load the addon. */
function inspect(file: string): Findings {
  const db = new Database(file, { nativeBinding: loadAddon(), fileMustExist: true })
  try {
    return {
      found: db.prepare('PRAGMA integrity_check').pluck().all() as string[],
      dangling: db.prepare('PRAGMA foreign_key_check').raw().all() as unknown as [],
    }
  } finally {
    db.close()
  }
}

async function inThread(file: string): Promise<Findings> {
  const { worker, source } = loadIntegrityLibrary()
  const thread = new Worker(worker, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { file, source, addon: addonFile() },
  })
  const result = await new Promise<Findings | Failure>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject)
    thread.once('exit', () => reject(new Error('The check ended early.')))
  })
  if ('found' in result) return result
  throw Object.assign(new Error(result.message), { code: result.code })
}
