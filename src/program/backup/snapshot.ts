import { stat } from 'node:fs/promises'
import { renewDataId } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { deleteAllQueues } from '#platform/events/queries.ts'
import { listNamed } from '#platform/files/queries.ts'
import { copyTo } from '#platform/store/copy.ts'
import { checkDatabase } from '#platform/store/integrity.ts'
import { type Db, openDatabase } from '#platform/store/open.ts'
import type { Task } from '#platform/task.ts'

/** A copy of the database, and the files that it references. */
export interface Snapshot {
  readonly database: string
  readonly databaseBytes: number
  readonly present: readonly { readonly hash: string; readonly size: number }[]
  /** The hashes of files that the data folder lacks. */
  readonly missing: readonly string[]
}

/**
 * Copies the database as it is at one moment, and checks the copy by opening it anew.
 *
 * @throws BAD_REQUEST the copy is damaged
 */
export async function copyDatabase(
  server: SystemContext,
  to: string,
  task: Task,
): Promise<Snapshot> {
  await copyTo(server.store.db, to, (copied, total) => {
    task.signal.throwIfAborted()
    task.report('Copying the database', copied, total)
  })
  const named = settle(openDatabase(to), server)
  task.report('Checking the copy', 0, 0)
  const [problem] = await checkDatabase(to)
  if (problem !== undefined) throw badRequest(`The copy of the database is damaged: ${problem}.`)
  task.signal.throwIfAborted()
  const present: { hash: string; size: number }[] = []
  const missing: string[] = []
  for (const hash of named) {
    const size = await server.files.size(hash)
    if (size === undefined) missing.push(hash)
    else present.push({ hash, size })
  }
  return { database: to, databaseBytes: (await stat(to)).size, present, missing }
}

/**
 * Turns a copy into one file without event queues and with an identity of its own, and lists the
 * files that it references.
 */
export function settle(
  db: Db,
  { clock, config }: Pick<SystemContext, 'clock' | 'config'>,
): string[] {
  try {
    deleteAllQueues({ db, clock, config })
    renewDataId({ db, clock, config })
    db.$client.pragma('journal_mode = DELETE')
    return listNamed({ db, clock, config })
  } finally {
    db.$client.close()
  }
}
