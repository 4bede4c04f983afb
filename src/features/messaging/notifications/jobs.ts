import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deletePushesBefore, oldestPush } from './pushes.queries.ts'
import { deleteNotificationsBefore, oldestNotification } from './queries.ts'

/** How long notifications are kept, in seconds: longer than any event queue. */
const keptSeconds = 14 * 24 * 3600
/** How often old ones are deleted, in seconds. */
const everySeconds = 24 * 3600

/** Deletes old notifications, which only keep people from being notified twice, and old pushes. */
export const forgetNotifications: Job = {
  name: 'notifications',
  dueAt(read) {
    const times = [oldestNotification(read), oldestPush(read)].filter((at) => at !== undefined)
    return times.length === 0 ? undefined : Math.min(...times) + keptSeconds + everySeconds
  },
  run: ({ store, clock }) =>
    store.write((tx) => {
      deleteNotificationsBefore(tx, seconds(clock) - keptSeconds)
      deletePushesBefore(tx, seconds(clock) - keptSeconds)
    }),
}
