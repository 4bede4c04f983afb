import { type Api, CallError } from '#client/api/api.ts'
import { t } from '#client/ui/t.ts'
import { deviceId, keepDeviceId } from './device-id.ts'

/*
 * Notifications of this browser while no page is open: the server pushes them, and the service
 * worker shows them.
 */

/** Whether this browser supports this, or what is missing. */
export type DeviceSupport = 'full' | 'home-screen' | 'blocked' | 'none'

export function deviceSupport(): DeviceSupport {
  if ('PushManager' in globalThis && 'serviceWorker' in navigator && 'Notification' in globalThis) {
    return Notification.permission === 'denied' ? 'blocked' : 'full'
  }
  // There, only pages on the home screen have it.
  return /iPhone|iPad/.test(navigator.userAgent) ? 'home-screen' : 'none'
}

/**
 * Lets the server push to this browser. Asks for permission, so call it on a tap.
 *
 * @throws CallError
 */
export async function turnDeviceOn(api: Api, userId: number): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw refusal(
      t('Your browser blocks notifications from this page. Allow them in its settings.'),
    )
  }
  const { pushManager } = await navigator.serviceWorker.ready
  const { public_key } = await api.get<{ public_key: string }>('/web_push/key')
  const subscription = await subscribe(pushManager, public_key)
  const { endpoint, keys } = subscription.toJSON()
  const { id } = await api.post<{ id: number }>('/web_push/subscriptions', {
    endpoint,
    p256dh: keys?.p256dh,
    auth: keys?.auth,
  })
  keepDeviceId(userId, id)
}

/** An error of the browser as a refusal of the server. */
function refusal(words: string): CallError {
  return new CallError(words, 'REFUSED_BY_BROWSER', 0)
}

/** The browser's subscription, or a new one if it has none or one for another key. */
async function subscribe(manager: PushManager, applicationServerKey: string) {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch {
    const other = await manager.getSubscription()
    if (!other) throw refusal(t('Your browser could not reach its push service.'))
    await other.unsubscribe()
    return await manager.subscribe(options)
  }
}

/** Ends pushes to this browser. @throws CallError */
export async function turnDeviceOff(api: Api, userId: number): Promise<void> {
  const id = deviceId(userId)
  keepDeviceId(userId, undefined)
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  if (id !== undefined) await api.delete(`/web_push/subscriptions/${id}`)
}

/**
 * Renews the subscription, because browsers and push services end subscriptions from time to time.
 * Turns it off where there is no longer a permission.
 */
export async function keepDevice(api: Api, userId: number): Promise<void> {
  try {
    if (Notification.permission === 'granted') await turnDeviceOn(api, userId)
    else keepDeviceId(userId, undefined)
  } catch {
    // The next start tries again.
  }
}
