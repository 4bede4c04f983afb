import { choice, event, maybe, noted, object, record, string } from '#shape.ts'

/** How far a registration has come, as clients hear of it. */
const pushDeviceShapes = {
  status: choice('active', 'pending', 'failed'),
  error_code: maybe(noted(string, 'Why it failed: `INVALID_BOUNCER_PUBLIC_KEY` and the like.')),
}

/** By push account id. @source the API's `push_devices` (feature levels 406 to 467) */
export const pushDevicesShape = record(object(pushDeviceShapes))

export const pushEventShapes = [
  event('PushDeviceEvent', 'push_device', { push_account_id: string, ...pushDeviceShapes }),
]
