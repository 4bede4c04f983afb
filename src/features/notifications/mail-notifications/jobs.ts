import { setImmediate } from 'node:timers/promises'
import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { writeLong } from '#platform/long-write.ts'
import type { Tx } from '#platform/store/store.ts'
import { mailMissed } from './actions.ts'
import { loadMessageHtml } from './message-html.ts'
import { findDueReader, nextMissedMail } from './queries.ts'

/** Who takes turns with the accounts. */
const payer = 'missed mail'

/** Queues the mails about missed messages, one person at a time. */
export const mailMissedMessages: Job = {
  name: 'missed mail',
  dueAt: nextMissedMail,
  async run(server, stopping) {
    const { store, clock, pacing } = server
    // Between two mails, whoever waits has their turn: all mails together count as one account.
    const turn = () => pacing.turn(payer) ?? setImmediate()
    const toMailHtml = await loadMessageHtml()
    while (!stopping.aborted) {
      const userId = findDueReader(store, seconds(clock))
      if (userId === undefined) return
      const begin = (tx: Tx) => mailMissed(tx, server, userId, toMailHtml)
      await writeLong(begin, (fn) => store.write((tx) => pacing.timed(payer, () => fn(tx))), turn)
      await turn()
    }
  },
}
