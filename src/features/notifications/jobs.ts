import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deleteNotificationsBefore, oldestNotification } from './queries.ts'

/** How long it is known who was notified of what, in seconds: longer than any queue of events. */
const keptSeconds = 14 * 24 * 3600
/** How often old ones are deleted, in seconds. */
const everySeconds = 24 * 3600

/** Deletes old notifications, which only keep people from being notified twice. */
export const forgetNotifications: Job = {
  name: 'notifications',
  dueAt(read) {
    const oldest = oldestNotification(read)
    return oldest === undefined ? undefined : oldest + keptSeconds + everySeconds
  },
  run: ({ store, clock }) =>
    store.write((tx) => deleteNotificationsBefore(tx, seconds(clock) - keptSeconds)),
}
