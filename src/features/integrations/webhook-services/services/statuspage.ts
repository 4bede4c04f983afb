import { stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { anomalous, integration } from '#features/integrations/webhook-services/declaration.ts'
import { code, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** Markdown for a status such as `under_maintenance`. */
const statusText = (status: string) => code(status.replaceAll('_', ' '))

/** @source Atlassian Statuspage, "Enable webhook notifications" (read on 2026-11-24) */
export const statuspage = integration({
  name: 'statuspage',
  displayName: 'Statuspage',
  category: 'Monitoring',
  eventTypes: ['incident', 'component'],
  steps: steps([
    'On the status page that you want to follow, press **Subscribe to updates**, and choose webhooks.',
    'Paste `{url}`, with an email address for when it fails.',
  ]),
  example: {
    body: {
      page: { status_description: 'Partial System Outage' },
      incident: {
        name: 'Slow watering',
        status: 'investigating',
        shortlink: 'https://stspg.example.com/abc',
        incident_updates: [{ status: 'investigating', body: 'The pump is being looked at.' }],
      },
    },
    topic: 'Slow watering: Partial System Outage',
  },
  render({ payload }) {
    const page = () => payload.text('page.status_description')
    const incident = payload.maybeObject('incident')
    if (incident) {
      const status = incident.text('status')
      const isOver = status === 'resolved' || status === 'completed' || status === 'postmortem'
      const name = link(incident.text('name'), incident.maybeText('shortlink'))
      const line = `${stateSign(isOver ? 'resolved' : 'firing')} **${name}** is ${statusText(status)}`
      return {
        topic: `${incident.text('name')}: ${page()}`,
        content: quoting(line, incident.text('incident_updates.0.body')),
        events: ['incident'],
      }
    }
    const component = payload.maybeObject('component')
    if (!component) return anomalous
    const name = component.text('name')
    const now = payload.text('component_update.new_status')
    const old = statusText(payload.text('component_update.old_status'))
    const sign = stateSign(now === 'operational' ? 'resolved' : 'warning')
    return {
      topic: `${name}: ${page()}`,
      content: `${sign} **${link(name, undefined)}** changed from ${old} to ${statusText(now)}.`,
      events: ['component'],
    }
  },
})
