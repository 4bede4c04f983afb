import type { StatePart } from '#platform/events/state.ts'
import { pushDeviceJson } from './events.ts'
import { listPushDevices } from './queries.ts'
import { pushDevicesShape } from './shapes.ts'

export const pushDevicesState = {
  types: ['push_device'],
  members: { push_devices: pushDevicesShape },
  read: ({ store, user }) => ({
    push_devices: Object.fromEntries(
      listPushDevices(store, user.id).map((one) => [one.pushAccountId, pushDeviceJson(one)]),
    ),
  }),
} satisfies StatePart
