import {
  type AlertState,
  durationText,
  stateText,
} from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const statuses: Readonly<Record<string, readonly [state: AlertState, words: string]>> = {
  started: ['firing', 'has an incident'],
  acknowledged: ['info', 'has an incident that was acknowledged'],
  resolved: ['resolved', 'is well again'],
  reopened: ['firing', 'has an incident that was reopened'],
}

/** @source Better Stack documentation, "Webhooks: incidents" */
export const betterstack = integration({
  name: 'betterstack',
  displayName: 'Better Stack',
  category: 'Monitoring',
  eventTypes: Object.keys(statuses),
  steps: steps([
    'Open **Integrations → Exporting data**, and add an **Outgoing webhook** for incidents.',
    'Paste `{url}`, choose when it is called, and press **Send test**.',
  ]),
  example: {
    body: {
      data: {
        id: '25',
        attributes: {
          name: 'Garden',
          url: 'https://garden.example.com',
          cause: 'Status 500',
          status: 'started',
          started_at: '2026-11-02T08:30:00Z',
        },
      },
    },
    topic: 'Garden',
  },
  render({ payload }) {
    const incident = payload.object('data.attributes')
    const status = incident.text('status').toLowerCase()
    const known = chosen(statuses, status)
    if (!known) return unsupported(status)
    const [state, words] = known
    const name = incident.text('name')
    const time = (path: string) => Date.parse(incident.maybeText(path) ?? '')
    const duration = (time('resolved_at') - time('started_at')) / 1000
    const person = (path: string) => {
      const who = incident.firstText(path)
      return who === undefined ? undefined : inline(who)
    }
    const content = stateText({
      state,
      name,
      url: incident.maybeText('url'),
      words,
      quote: incident.maybeText('cause'),
      facts: [
        ['Acknowledged by', person('acknowledged_by')],
        ['Resolved by', person('resolved_by')],
        ['Duration', duration > 0 ? durationText(duration) : undefined],
        ['Team', person('team_name')],
      ],
    })
    return { topic: name, content, events: [status] }
  },
})
