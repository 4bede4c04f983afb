import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import type { Job } from '#jobs/jobs.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Tx } from '#store/write.ts'
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

/** How often a registration is offered, over the better part of a day: then it is too old. */
const mostTries = 10
const firstRetrySeconds = 60

/** Registers phones with the push service, each with further tries at growing intervals. */
export const registerPhones: Job = {
  name: 'push registration',
  dueAt: nextPushDue,
  async run(server, stopping) {
    // What fails is due later, so this ends.
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

/** Keeps what came of it, unless the client has registered anew or gone in the meantime. */
function record(tx: Tx, offered: PushDevice, changes: Changes): void {
  const current = findPushDevice(tx, offered.userId, offered.pushAccountId)
  if (!current || !isSame(current, offered)) return
  updatePushDevice(tx, current, changes)
  const changed = { ...current, ...changes }
  if (changed.dueAt === null) emitPushDevice(tx, changed)
}
