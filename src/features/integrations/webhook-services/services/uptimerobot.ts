import { stateText } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The template that people paste into UptimeRobot, which replaces the words between asterisks. */
const template = `{"monitor_url":"*monitorURL*","monitor_friendly_name":"*monitorFriendlyName*","alert_type_friendly_name":"*alertTypeFriendlyName*","alert_details":"*alertDetails*","alert_friendly_duration":"*alertFriendlyDuration*"}`

/** @source UptimeRobot Help Center, "Webhook Integration" (read on 2026-11-24) */
export const uptimerobot = integration({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  category: 'Monitoring',
  eventTypes: ['up', 'down'],
  hasTemplate: true,
  steps: steps([
    'Open **Integrations & API**, and add a **Webhook**.',
    `Paste \`{url}\` as **URL to notify**, and this as **POST value**, sent as JSON:\n\n\`\`\`json\n${template}\n\`\`\``,
    'Turn the integration on for the monitors.',
  ]),
  example: {
    body: {
      monitor_url: 'https://garden.example.com',
      monitor_friendly_name: 'Garden',
      alert_type_friendly_name: 'Down',
      alert_details: 'Connection timeout',
      alert_friendly_duration: '',
    },
    topic: 'Garden',
  },
  render({ payload }) {
    const name = payload.text('monitor_friendly_name')
    const type = payload.text('alert_type_friendly_name')
    const [url, details] = [payload.text('monitor_url'), payload.text('alert_details')]
    if (type !== 'Up' && type !== 'Down') return unsupported(type)
    const isUp = type === 'Up'
    const address = /^https?:/i.test(url) ? url : `https://${url}`
    const content = stateText({
      state: isUp ? 'resolved' : 'firing',
      name: url,
      url: address,
      words: isUp ? 'is up again' : 'is down',
      quote: details,
      facts: [['Down for', isUp ? inline(payload.text('alert_friendly_duration')) : undefined]],
    })
    return { topic: name, content, events: [type.toLowerCase()] }
  },
})
