import { findRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { isMediumAvailable } from '#features/messaging/notifications/availability.rules.ts'
import { loadMessageHtml } from '#features/notifications/mail-notifications/message-html.ts'
import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { awaySeconds, sendDigests } from './actions.ts'
import { nextDigest } from './choice.ts'
import { findDigestRun, insertDigestRun, listBusyTopics } from './queries.ts'

/** Mails weekly digests to users who were away, if the organization wants it. */
export const sendWeeklyDigests: Job = {
  name: 'digest',
  dueAt(read) {
    const realm = findRealm(read)
    if (!realm || realm.deactivatedAt !== null || !isMediumAvailable(read, 'email'))
      return undefined
    if (!realmSetting(read, 'digest_emails_enabled')) return undefined
    const run = findDigestRun(read)
    if (run && !run.isDone) return run.startedAt
    return nextDigest(
      seconds(read.clock),
      realmSetting(read, 'digest_weekday'),
      run?.startedAt ?? 0,
    )
  },
  async run({ store, clock, realmUrl }, stopping) {
    const run = findDigestRun(store)
    if (!run || run.isDone) await store.write((tx) => insertDigestRun(tx, seconds(clock)))
    const { startedAt } = findDigestRun(store) ?? { startedAt: seconds(clock) }
    const busy = listBusyTopics(store, startedAt - awaySeconds)
    const toMailHtml = await loadMessageHtml()
    while (!stopping.aborted) {
      if (await store.write((tx) => sendDigests(tx, busy, realmUrl, toMailHtml))) return
    }
  },
}
