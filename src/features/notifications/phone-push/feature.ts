import { feature } from '#platform/feature.ts'
import { registerPhones, tellFacts, tellPushService } from './jobs.ts'
import { pushDeviceQuota, pushTokenQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { pushEventShapes } from './shapes.ts'
import { pushDevicesState } from './state.ts'

export const phonePush = feature({
  routes: { Phones: [routes] },
  state: [pushDevicesState],
  events: pushEventShapes,
  jobs: [registerPhones, tellPushService, tellFacts],
  quotas: [pushDeviceQuota, pushTokenQuota],
})
