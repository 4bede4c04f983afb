import { stateOf, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import {
  type Delivery,
  integration,
  type Note,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  link,
  listed,
  paragraphs,
  quoted,
  timestamp,
} from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** The emoji of the states of alerts; Grafana 8 and later send only the first two. */
const stateSigns: Readonly<Record<string, string>> = {
  firing: signs.alert,
  resolved: signs.checked,
}

/** An alert of the alerting that Grafana has since version 8. */
function alertText(alert: Fields, number: number): string {
  const status = alert.maybeText('status') ?? 'firing'
  const pairs = (path: string) =>
    alert
      .entries(path)
      .slice(0, 20)
      .map(([name, value]) => bullet(name, inline(value.maybeText('') ?? '', 500)))
  const title = alert.firstText('labels.alertname') ?? 'Alert'
  const links = [
    ['dashboard', 'dashboardURL'],
    ['panel', 'panelURL'],
    ['silence', 'silenceURL'],
    ['image', 'imageURL'],
  ].flatMap(([name = '', path = '']) => {
    const url = alert.someText(path)
    return url === undefined ? [] : [link(name, url)]
  })
  const ended = timestamp(alert.maybeText('endsAt'))
  return lines(
    `${stateSigns[status] ?? signs.info} **Alert ${number}: ${link(title, alert.maybeText('generatorURL'))}**`,
    bullet('Started', timestamp(alert.maybeText('startsAt'))),
    bullet('Ended', ended),
    ...pairs('labels').filter((line) => !line.startsWith('* **alertname**')),
    ...pairs('annotations'),
    ...pairs('values'),
    bullet(
      'Values',
      alert.has('valueString') && !alert.has('values')
        ? code(alert.text('valueString'))
        : undefined,
    ),
    links.length > 0 && `* ${links.join(', ')}`,
  )
}

const mostAlerts = 10

function alertsNote(payload: Fields): Note {
  const status = payload.text('status')
  const alerts = payload.list('alerts')
  const message = payload.someText('message')
  const left = Math.max(0, payload.maybeNumber('truncatedAlerts') ?? 0)
  return {
    topic: `[${status.toUpperCase()}:${alerts.length}]`,
    content: paragraphs(
      `${stateSigns[status] ?? signs.info} **${inline(status.toUpperCase(), 30)}**`,
      message === undefined ? undefined : quoted(message),
      listed(
        alerts.map((alert, i) => ({ alert, number: i + 1 })),
        ({ alert, number }) => `${alertText(alert, number)}\n`,
        mostAlerts,
      ).trim(),
      left > 0 && `Grafana left out ${left} more.`,
    ),
    events: [status],
  }
}

/** An alert of versions before 8. */
function oldNote(payload: Fields): Note {
  const state = payload.text('state')
  const values = payload
    .maybeList('evalMatches')
    .map((match) => bullet(match.maybeText('metric') ?? 'value', match.maybeText('value')))
  const name = link(payload.text('ruleName'), payload.maybeText('ruleUrl'))
  const image = payload.someText('imageUrl')
  return {
    topic: payload.text('title'),
    content: paragraphs(
      `${stateSign(stateOf(state))} ${name}: **${inline(state.replaceAll('_', ' '), 30)}**`,
      quoted(payload.maybeText('message')),
      listed(values, (line) => line),
      image && link('Image', image),
    ),
    events: [state],
  }
}

/**
 * @source Grafana documentation, "Configure the webhook notifier for Alerting" (the steps as of 13.3,
 *   read on 2026-11-23)
 */
export const grafana = integration({
  name: 'grafana',
  displayName: 'Grafana',
  category: 'Monitoring',
  eventTypes: ['firing', 'resolved', 'ok', 'pending', 'alerting', 'paused', 'no_data'],
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which Grafana signs its requests (HMAC)'),
    'x-grafana-alerting-signature',
  ),
  steps: steps([
    'Open **Alerts & IRM → Alerting → Notification configuration → Contact points**, and add a contact point of the type **Webhook**.',
    'Paste `{url}` as **URL**, with the method `POST`, and press **Test**.',
    'Choose the contact point in a notification policy, and save.',
  ]),
  example: {
    body: {
      status: 'firing',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Soil is dry', bed: 'roses' },
          annotations: { summary: 'The moisture is below 20 percent.' },
          startsAt: '2026-11-02T08:30:00Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://grafana.example.com/alerting/soil/edit',
          silenceURL: 'https://grafana.example.com/alerting/silence/new',
        },
      ],
      truncatedAlerts: 0,
    },
    topic: '[FIRING:1]',
  },
  render: ({ payload }: Delivery) =>
    payload.has('alerts') ? alertsNote(payload) : oldNote(payload),
})
