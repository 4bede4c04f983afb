import { seconds } from '#platform/clock.ts'
import type { HealthCheck } from '#platform/health/check.ts'
import { lastBackup } from './schedule.ts'

/** How late a regular backup may be, in seconds: making a large one takes a while. */
const grace = 3600

/** Warns about regular backups that fail, lack something or are not made. */
export const backupCheck: HealthCheck = {
  name: 'backups',
  problem({ config: { backups }, store, clock, startedAt }) {
    if (!backups || store.db.$client.memory) return undefined
    const last = lastBackup(store)
    if (last?.problem) {
      const how = last.succeededAt === last.at ? 'is incomplete' : 'failed'
      return `The last regular backup ${how}: ${last.problem}`
    }
    const succeededAt = last?.succeededAt ?? null
    // One that fell due while the server was stopped is made after the start.
    const due = Math.max(startedAt, (succeededAt ?? 0) + backups.hours * 3600)
    if (seconds(clock) <= due + grace) return undefined
    if (succeededAt === null) return 'No regular backup has been made yet.'
    const time = new Date(succeededAt * 1000).toISOString()
    return `A regular backup is overdue: the last one was made at ${time}.`
  },
}
