import {
  type AlertState,
  durationText,
  stateText,
} from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** By the number in `heartbeat.status`. */
const statuses: readonly (readonly [name: string, state: AlertState, words: string])[] = [
  ['down', 'firing', 'is down'],
  ['up', 'resolved', 'is up'],
  ['pending', 'warning', 'does not answer, and is tried again'],
  ['maintenance', 'info', 'is under maintenance'],
]

/** @source louislam/uptime-kuma, `server/notification-providers/webhook.js` (read on 2026-11-23) */
export const uptimekuma = integration({
  name: 'uptimekuma',
  displayName: 'Uptime Kuma',
  category: 'Monitoring',
  eventTypes: ['down', 'up', 'pending', 'maintenance', 'notice'],
  queryFields: ['msg', 'heartbeat', 'monitor'],
  sendsGet: true,
  steps: steps([
    'Open **Settings → Notifications**, and press **Setup Notification**.',
    'Choose the type **Webhook**, and paste `{url}` as **Post URL**, with the request body **Preset - application/json**.',
    'Press **Test**, then save, and turn the notification on for the monitors.',
  ]),
  example: {
    body: {
      heartbeat: { status: 0, msg: 'connect ECONNREFUSED', ping: null, duration: 60 },
      monitor: { id: 3, name: 'Garden camera', url: 'https://camera.example.com' },
      msg: '[Garden camera] [🔴 Down] connect ECONNREFUSED',
    },
    topic: 'Garden camera',
  },
  render({ payload }) {
    const topic = payload.someText('monitor.name') ?? 'Uptime Kuma'
    // A test, or a notice about a certificate.
    if (!payload.has('heartbeat')) {
      return { topic, content: inline(payload.text('msg'), 1000), events: ['notice'] }
    }
    const number = payload.number('heartbeat.status')
    const known = statuses[number]
    if (!known) return unsupported(`status ${number}`)
    const [name, state, words] = known
    const ping = payload.maybeNumber('heartbeat.ping')
    const duration = payload.maybeNumber('heartbeat.duration')
    const url = payload.someText('monitor.url')
    const content = stateText({
      state,
      name: payload.someText('monitor.name') ?? 'The monitor',
      // Monitors of other kinds have a placeholder instead.
      url: url === 'https://' ? undefined : url,
      words,
      quote: payload.maybeText('heartbeat.msg'),
      facts: [
        ['Ping', ping === undefined ? undefined : `${ping} ms`],
        ['Since the last check', duration === undefined ? undefined : durationText(duration)],
      ],
    })
    return { topic, content, events: [name] }
  },
})
