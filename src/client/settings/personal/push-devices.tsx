import { BellRing, Smartphone } from 'lucide'
import { useState } from 'preact/hooks'
import type { PushDevice } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import {
  type DeviceSupport,
  deviceSupport,
  turnDeviceOff,
  turnDeviceOn,
} from '#client/notices/device.ts'
import { deviceId } from '#client/notices/device-id.ts'
import { ToggleField } from '#client/settings/ui/toggle-field.tsx'
import { Button } from '#client/ui/button.tsx'
import { agoText, dayText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

/** The devices with notifications while no page is open. */
export function PushDevices() {
  const app = useApp()
  const { selfId } = app.store
  const [own, setOwn] = useState(() => deviceId(selfId))
  const fetched = useFetched(undefined, () =>
    app.api.get<{ subscriptions: readonly PushDevice[] }>('/web_push/subscriptions'),
  )
  const devices = fetched.value?.subscriptions ?? []
  const isOn = own !== undefined && devices.some(({ id }) => id === own)

  async function turn(on: boolean): Promise<void> {
    try {
      await (on ? turnDeviceOn : turnDeviceOff)(app.api, selfId)
    } finally {
      setOwn(deviceId(selfId))
      fetched.reload()
    }
  }

  async function end({ id }: PushDevice): Promise<void> {
    const done =
      id === own
        ? await attempt(
            app,
            turn(false).then(() => true),
          )
        : await attempt(app, app.api.delete(`/web_push/subscriptions/${id}`))
    if (done) fetched.reload()
  }

  async function test({ id }: PushDevice): Promise<void> {
    const done = await attempt(app, app.api.post(`/web_push/subscriptions/${id}/test`))
    if (done) app.notify(t('The notification was sent.'))
    else fetched.reload()
  }

  return (
    <section class="setting-group">
      <h4>{t('Devices')}</h4>
      <p class="field-help">
        {t(
          "Devices you turn on here get the notifications marked above in the “Mobile” column, even while Parley is closed. Their content is encrypted, so your browser's push service cannot read it. To add a phone or tablet, open Parley there and turn it on.",
        )}
      </p>
      <ToggleField
        name="this_device"
        label={t('Notify me on this device')}
        locked={obstacleOf(deviceSupport())}
        value={isOn}
        onSave={turn}
      />
      <Problem text={fetched.problem} />
      <ul class="stack tight">
        {devices.map((device) => (
          <li key={device.id} class="row loose session">
            <Icon node={Smartphone} />
            <span class="grow session-words">
              <span>
                {device.device_name || t('A device')}
                {device.id === own && ` (${t('this device')})`}
              </span>
              <span class="field-help">{timesOf(device)}</span>
            </span>
            <Button kind="quiet" icon={BellRing} onClick={() => void test(device)}>
              {t('Test')}
            </Button>
            <Button kind="quiet" onClick={() => void end(device)}>
              {t('Turn off')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The reason why this device cannot have notifications. */
function obstacleOf(support: DeviceSupport): string | undefined {
  switch (support) {
    case 'full':
      return undefined
    case 'home-screen':
      return t(
        'On this device, first add this page to the home screen with the browser’s “Share” menu, then open it from there.',
      )
    case 'blocked':
      return t('Your browser blocks notifications from this page. Allow them in its settings.')
    case 'none':
      return t('This browser cannot get notifications while its pages are closed.')
  }
}

function timesOf({ created, last_success }: PushDevice): string {
  const since = t('Since {day}', { day: dayText(created) })
  if (last_success === null) return `${since}, ${t('no notification yet')}`
  return `${since}, ${t('last notification {ago}', { ago: agoText(last_success) })}`
}
