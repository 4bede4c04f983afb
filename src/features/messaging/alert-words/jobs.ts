import { setImmediate } from 'node:timers/promises'
import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { hasUnreadWords, readSomeWords } from './matching.queries.ts'

/** Few, because each may have hundreds of words. */
const usersAtOnce = 5

/** Reads the alert words after the start, so that the first message need not wait for all of them. */
export const readAlertWords: Job = {
  name: 'alert-words',
  dueAt: (read) => (hasUnreadWords(read) ? seconds(read.clock) : undefined),
  async run({ store }, stopping) {
    while (!stopping.aborted && hasUnreadWords(store)) {
      readSomeWords(store, usersAtOnce)
      await setImmediate()
    }
  },
}
