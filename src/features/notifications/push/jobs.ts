import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { serveDue } from '#platform/jobs/serve-due.ts'
import { serveTarget } from './actions.ts'
import { listDueTargets, nextPush, targetKey } from './queries.ts'

/** The most targets served at the same time. */
const atOnce = 50

/** Pushes messages to devices, and removes messages that were read. */
export const pushMessages: Job = {
  name: 'push messages',
  dueAt: nextPush,
  run: (server, stopping) =>
    serveDue(server, stopping, {
      name: 'push',
      atOnce,
      list: (keys, most) => listDueTargets(server.store, seconds(server.clock), keys, most),
      keyOf: targetKey,
      serve: (target) => serveTarget(server, target, stopping),
    }),
}
