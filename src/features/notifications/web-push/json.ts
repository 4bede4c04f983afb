import { deviceName } from '#features/foundation/sessions/device-names.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Subscription } from './queries.ts'
import type { subscriptionShape } from './shapes.ts'

/** A subscription as its owner sees it: without its address and keys. */
export function subscriptionJson(
  one: Subscription,
  sessionId: string | undefined,
): Shaped<typeof subscriptionShape> {
  return {
    id: one.id,
    device: one.device,
    device_name: deviceName(one.device),
    service: new URL(one.endpoint).host,
    urgency: one.urgency,
    created: one.createdAt,
    last_success: one.succeededAt,
    is_current: sessionId !== undefined && one.sessionId === sessionId,
  }
}
