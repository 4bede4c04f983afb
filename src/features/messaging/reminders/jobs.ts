import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deliverReminder } from './actions.ts'
import { findDueReminder, nextReminder } from './queries.ts'

export const remindPeople: Job = {
  name: 'send reminders',
  dueAt: nextReminder,
  async run(server) {
    const { store, clock } = server
    for (;;) {
      const reminder = findDueReminder(store, seconds(clock))
      if (!reminder) return
      await store.write((tx) => deliverReminder(tx, server, reminder))
    }
  },
}
