import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { emitNewFullMembers } from './full-members.actions.ts'
import { emittedUntil, nextJoinedAfter } from './full-members.queries.ts'

const daySeconds = 24 * 3600

/** Emits the users who became full members because their waiting period is over. */
export const promoteMembers: Job = {
  name: 'emit new full members',
  dueAt(read) {
    const wait = realmSetting(read, 'waiting_period_threshold') * daySeconds
    if (wait === 0) return undefined
    const next = nextJoinedAfter(read, emittedUntil(read) - wait)
    return next && next + wait
  },
  async run({ store }) {
    await store.write(emitNewFullMembers)
  },
}
