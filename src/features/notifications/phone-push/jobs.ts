import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { isPhoneServiceOpen } from '#features/messaging/notifications/pushes.queries.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/store/store.ts'
import { isSame } from './actions.ts'
import { emitPushDevice } from './events.ts'
import {
  findDuePushDevice,
  findDueToken,
  findPushDevice,
  findServiceState,
  nextPushDue,
  nextTokenDue,
  type PushDevice,
  updatePushDevice,
} from './queries.ts'
import { tellOfToken, uploadFacts } from './service.actions.ts'
import { callService, serviceAccess } from './service.ts'

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

/** Registers phones with the push service, and removes them. */
export const tellPushService: Job = {
  name: 'push tokens',
  dueAt: (read) => (isPhoneServiceOpen(read) ? nextTokenDue(read) : undefined),
  async run(server, stopping) {
    // What fails is due later, so the loop ends.
    while (!stopping.aborted) {
      const token = findDueToken(server.store)
      if (!token) return
      await tellOfToken(server, token)
    }
  },
}

/** Uploads the facts about the organization, which the push service requires. */
export const tellFacts: Job = {
  name: 'facts for the push service',
  dueAt: (read) =>
    isPhoneServiceOpen(read) && findRealm(read)
      ? (findServiceState(read)?.uploadDueAt ?? 0)
      : undefined,
  run: uploadFacts,
}

/** The refusals that make a retry pointless. @source Zulip API, "API changelog" (feature level 406) */
const finalCodes = ['BAD_REQUEST', 'INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED']

type Changes = Parameters<typeof updatePushDevice>[2]

async function registerOne(server: SystemContext, device: PushDevice): Promise<void> {
  const changes = await outcome(server, device)
  await server.store.write((tx) => record(tx, device, changes))
}

async function outcome(
  { config, store, clock, log }: SystemContext,
  device: PushDevice,
): Promise<Changes> {
  try {
    if (config.pushServiceUrl === null) throw new Error('No push service is configured.')
    const reply = await callService(serviceAccess(config.pushServiceUrl), '/push/e2ee/register', {
      form: {
        realm_uuid: requireRealm(store).uuid,
        push_account_id: String(device.pushAccountId),
        encrypted_push_registration: device.encryptedRegistration,
        bouncer_public_key: device.servicePublicKey,
      },
    })
    if ('refusedBecause' in reply) {
      const { refusedBecause: errorCode } = reply
      if (finalCodes.includes(errorCode)) return { errorCode, dueAt: null }
      throw new Error(`The push service answered with ${errorCode}.`)
    }
    const { device_id } = reply.body
    if (!Number.isInteger(device_id)) throw new Error('The push service answered without an ID.')
    return { serviceDeviceId: Number(device_id), dueAt: null }
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
