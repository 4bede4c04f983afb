import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import type { PushDevice } from './queries.ts'

/** How far a registration has come. @source the API's `push_devices` */
interface PushDeviceJson {
  status: 'active' | 'pending' | 'failed'
  error_code?: string
}

/** A registration is active now, or failed, or waits again; to the user's own clients. */
interface PushDeviceEvent extends WireEvent, PushDeviceJson {
  type: 'push_device'
  push_account_id: string
}

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
