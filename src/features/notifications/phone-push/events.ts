import type { EventOf, Shaped } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import type { PushDevice } from './queries.ts'
import type { pushDeviceShape, pushEventShapes } from './shapes.ts'

/**
 * The status of a registration.
 *
 * @source Zulip API, "API changelog" (feature level 406)
 */
type PushDeviceJson = Shaped<typeof pushDeviceShape>

/** Tells the user's own clients that a registration is pending, active or failed. */
type PushDeviceEvent = EventOf<typeof pushEventShapes, 'push_device'>

export function pushDeviceJson({ serviceDeviceId, errorCode }: PushDevice): PushDeviceJson {
  if (errorCode !== null) return { status: 'failed', error_code: errorCode }
  return { status: serviceDeviceId === null ? 'pending' : 'active' }
}

export function emitPushDevice(tx: Tx, device: PushDevice): void {
  const event: PushDeviceEvent = {
    type: 'push_device',
    push_account_id: String(device.pushAccountId),
    ...pushDeviceJson(device),
  }
  tx.emit(event, [device.userId])
}
