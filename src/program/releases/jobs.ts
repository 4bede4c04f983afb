import { seconds } from '#platform/clock.ts'
import { newerRelease, noteNewerRelease } from '#platform/health/newer-release.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { explain } from '#platform/store/refusals.ts'
import { findNewerRelease } from './listing.ts'

/** The time between two checks, in seconds. */
const interval = 24 * 3600
/** The same after a failure. */
const retryAfter = 6 * 3600

/** When to check next, in seconds since the epoch; 0: immediately. */
const next = perDatabase(() => ({ at: 0 }))

/** Asks once a day for a newer release. @param address where releases are listed */
export function askForReleases(address: string): Job {
  return {
    name: 'newer release',
    // Since it may wait, it is due now, and never late.
    dueAt: (read) => Math.max(next(read).at, seconds(read.clock)),
    async run(server, stopping) {
      const { store, clock, log } = server
      try {
        const found = await findNewerRelease(server, address, stopping)
        next(store).at = seconds(clock) + interval
        const isNews = found && found.version !== newerRelease(store)?.version
        noteNewerRelease(store, found)
        if (isNews) log.info(found, 'a newer version of Parley was released')
      } catch (error) {
        if (stopping.aborted) return
        next(store).at = seconds(clock) + retryAfter
        log.warn({ problem: explain(error) }, 'the list of releases could not be read')
      }
    },
  }
}
