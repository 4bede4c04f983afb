import { requireRealm } from '#features/realm/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/store/write.ts'
import { isSame } from './actions.ts'
import { emitPushDevice } from './events.ts'
import {
  findDuePushDevice,
  findPushDevice,
  nextPushDue,
  type PushDevice,
  updatePushDevice,
} from './queries.ts'
import { offerRegistration } from './service.ts'

/** The attempts over about 17 hours, after which the registration is too old. */
const mostTries = 10
const firstRetrySeconds = 60

/** Registers devices with the push service, and retries at growing intervals. */
export const registerPhones: Job = {
  name: 'push registration',
  dueAt: nextPushDue,
  async run(server, stopping) {
    // A failed attempt is due later, so the loop ends.
    while (!stopping.aborted) {
      const device = findDuePushDevice(server.store)
      if (!device) return
      await registerOne(server, device)
    }
  },
}

type Changes = Parameters<typeof updatePushDevice>[2]

async function registerOne(server: Context, device: PushDevice): Promise<void> {
  const changes = await outcome(server, device)
  await server.store.write((tx) => record(tx, device, changes))
}

async function outcome(
  { config, store, clock, log }: Context,
  device: PushDevice,
): Promise<Changes> {
  try {
    if (config.pushServiceUrl === null) throw new Error('No push service is configured.')
    const { uuid } = requireRealm(store)
    const answer = await offerRegistration(config.pushServiceUrl, uuid, device)
    if ('deviceId' in answer) return { serviceDeviceId: answer.deviceId, dueAt: null }
    return { errorCode: answer.refusedBecause, dueAt: null }
  } catch (error) {
    const failures = device.failures + 1
    log.warn({ failures, err: error }, 'phone not registered')
    if (failures >= mostTries) return { errorCode: 'REQUEST_EXPIRED', dueAt: null }
    return { failures, dueAt: seconds(clock) + firstRetrySeconds * 2 ** device.failures }
  }
}

/** Stores the result, unless the registration was replaced or removed in the meantime. */
function record(tx: Tx, offered: PushDevice, changes: Changes): void {
  const current = findPushDevice(tx, offered.userId, offered.pushAccountId)
  if (!current || !isSame(current, offered)) return
  updatePushDevice(tx, current, changes)
  const changed = { ...current, ...changes }
  if (changed.dueAt === null) emitPushDevice(tx, changed)
}
