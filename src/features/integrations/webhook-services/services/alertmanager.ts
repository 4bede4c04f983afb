import { stateOf, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { integration, type Note } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { link, listed } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** The value of a label or, without one, of an annotation. */
function labelOf(alert: Fields, name: string): string | undefined {
  const own = (path: string) =>
    alert
      .entries(path)
      .find(([key]) => key === name)?.[1]
      .someText('')
  return own('labels') ?? own('annotations')
}

/** The address of the expression as a table would not show the course of it. */
function graphUrl(alert: Fields): string | undefined {
  return alert.maybeText('generatorURL')?.replace('tab=1', 'tab=0')
}

/**
 * @source Prometheus documentation, "Alertmanager: webhook_config" (version 4), and
 * prometheus/alertmanager, `notify/webhook/webhook.go` (read on 2026-11-24)
 */
export const alertmanager = integration({
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  category: 'Monitoring',
  eventTypes: ['firing', 'resolved'],
  sendsLongPayloads: true,
  urlOptions: [
    {
      key: 'name',
      label: sentText('Label or annotation that is the topic (default: instance)'),
      validator: 'check_string',
    },
    {
      key: 'desc',
      label: sentText('Label or annotation that is the text (default: alertname)'),
      validator: 'check_string',
    },
  ],
  steps: steps([
    'Add a receiver to `alertmanager.yml`:\n\n```yaml\nreceivers:\n  - name: chat\n    webhook_configs:\n      - url: "{url}"\n        send_resolved: true\n```',
    'Name it in a route, as `receiver: chat`, and reload Alertmanager.',
  ]),
  example: {
    body: {
      version: '4',
      status: 'firing',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Soil is dry', instance: 'greenhouse:9100' },
          annotations: { summary: 'The moisture is below 20 percent.' },
          generatorURL: 'https://prometheus.example.com/graph?g0.expr=moisture&g0.tab=1',
        },
      ],
    },
    topic: 'greenhouse:9100',
  },
  render({ payload, option }) {
    const topicName = option('name') ?? 'instance'
    const textName = option('desc') ?? 'alertname'
    const groups = new Map<string, { topic: string; status: string; lines: string[] }>()
    for (const alert of payload.list('alerts')) {
      const topic = labelOf(alert, topicName) ?? '(unknown)'
      const status = alert.maybeText('status') ?? payload.text('status')
      const text = labelOf(alert, textName) ?? '(unknown)'
      const key = JSON.stringify([topic, status])
      const group = groups.get(key) ?? { topic, status, lines: [] }
      groups.set(key, group)
      group.lines.push(link(text, graphUrl(alert)))
    }
    const left = Math.max(0, payload.maybeNumber('truncatedAlerts') ?? 0)
    const last = groups.size - 1
    return [...groups.values()].map(({ topic, status, lines }, i): Note => {
      const word = status === 'resolved' ? 'Resolved' : 'FIRING'
      const head = `${stateSign(stateOf(status))} **${word}**`
      const [only = ''] = lines
      const content =
        lines.length === 1 ? `${head} ${only}` : `${head}\n${listed(lines, (line) => `* ${line}`)}`
      const more = i === last && left > 0 ? `\n\nAlertmanager left out ${left} more.` : ''
      return { topic, content: content + more, events: [status] }
    })
  },
})
