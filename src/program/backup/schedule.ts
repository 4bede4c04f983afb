import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { seconds } from '#platform/clock.ts'
import type { BackupPlan } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { explain } from '#platform/store/refusals.ts'
import type { Read } from '#platform/store/store.ts'
import { unwatched } from '#platform/task.ts'
import { backupName, targetOf } from './target.ts'

const shape = v.object({
  /** When the last regular backup was tried, in seconds since the epoch. */
  at: v.number(),
  /** When the last one succeeded; null: none yet. */
  succeededAt: v.nullable(v.number()),
  /** The location of that one, and its size in bytes. */
  to: v.nullable(v.string()),
  size: v.nullable(v.number()),
  /** Why the last try failed, or what it lacked; null: neither. */
  problem: v.nullable(v.string()),
})

/** The result of the last regular backup. */
export type LastBackup = v.InferOutput<typeof shape>

/** After a failure, the next try is this much later, in seconds. */
const retryAfter = 3600

/** Undefined: not read yet. It is kept beside the database, so that a restart does not forget it. */
const known = perDatabase(() => ({ last: undefined as LastBackup | null | undefined }))

const fileBeside = ({ db }: Read) => join(dirname(db.$client.name), 'last-backup.json')

/** The result of the last regular backup of this data folder; null: there was none. */
export function lastBackup(read: Read): LastBackup | null {
  const cache = known(read)
  if (cache.last === undefined) cache.last = readLast(fileBeside(read))
  return cache.last
}

function readLast(file: string): LastBackup | null {
  try {
    return v.parse(shape, JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function remember(read: Read, last: LastBackup): void {
  known(read).last = last
  const draft = `${fileBeside(read)}.new`
  writeFileSync(draft, JSON.stringify(last), { mode: 0o600 })
  renameSync(draft, fileBeside(read))
}

/** Makes regular backups, and removes the oldest ones once a newer one is verified. */
export function regularBackups(plan: BackupPlan): Job {
  const interval = plan.hours * 3600
  return {
    name: 'regular backup',
    dueAt(read) {
      const last = lastBackup(read)
      if (!last) return seconds(read.clock)
      return last.at + (last.succeededAt === last.at ? interval : Math.min(interval, retryAfter))
    },
    async run(server, stopping) {
      const at = seconds(server.clock)
      const before = lastBackup(server.store)
      try {
        const { to, size, missing } = await once(server, plan, stopping)
        const problem = missing.length > 0 ? `Files that were missing: ${missing.length}.` : null
        remember(server.store, { at, succeededAt: at, to, size, problem })
        server.log.info({ to, size, problem }, 'regular backup')
      } catch (error) {
        if (stopping.aborted) return
        server.log.error({ err: error }, 'regular backup failed')
        const { succeededAt = null, to = null, size = null } = before ?? {}
        remember(server.store, { at, succeededAt, to, size, problem: explain(error) })
      }
    },
  }
}

async function once(server: SystemContext, plan: BackupPlan, signal: AbortSignal) {
  const target = targetOf(plan)
  const name = backupName(server.clock.now(), plan)
  const stored = await target.store(server, name, { ...unwatched, signal })
  const old = (await target.list()).sort().reverse().slice(plan.keep)
  for (const each of old) await target.remove(each)
  return stored
}
