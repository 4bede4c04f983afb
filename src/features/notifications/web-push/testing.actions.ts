import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Subscription } from './queries.ts'
import { type PushResult, sendWebPush } from './sending.actions.ts'

/** How long a test may wait for a device that is off, in seconds. */
const ttl = 300

/** Sends a notification to a device that shows how new messages look. */
export async function sendTest(
  server: Pick<SystemContext, 'config' | 'clock' | 'store' | 'realmUrl'>,
  subscription: Subscription,
): Promise<PushResult> {
  const payload = {
    type: 'test',
    title: requireRealm(server.store).name,
    body: 'This is what new messages look like on this device.',
    url: '/#settings/notifications',
    tag: 'test',
    icon: '/static/client-icon/192.png',
    message_id: null,
    count: null,
  } as const
  return await sendWebPush(server, subscription, payload, { ttl, urgency: 'high' })
}
