import { type AlertState, stateText } from '#features/integrations/webhook-services/alerts.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, timestamp } from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { badRequest } from '#platform/errors.ts'

const states: Readonly<Record<string, readonly [event: string, words: string, state: AlertState]>> =
  {
    open: ['activated', 'is active', 'firing'],
    activated: ['activated', 'is active', 'firing'],
    created: ['created', 'was created', 'info'],
    acknowledged: ['acknowledged', 'was acknowledged', 'info'],
    closed: ['closed', 'was closed', 'resolved'],
  }

/** How long the IDs of newer incidents are: UUIDs. */
const newIdLength = 36

/** @source New Relic Docs, "Webhook notifications" */
export const newrelic = integration({
  name: 'newrelic',
  displayName: 'New Relic',
  category: 'Monitoring',
  eventTypes: ['created', 'activated', 'acknowledged', 'closed'],
  steps: steps([
    'Open **Alerts → Destinations**, and add a **Webhook** with `{url}` as **Endpoint URL**.',
    'Add it to a workflow, with a payload that has the fields `id`, `issueUrl`, `state`, `condition_name`, `owner`, `details`, `createdAt` and `alertPolicyNames`.',
  ]),
  example: {
    body: {
      id: '3576f543-dc3c-4d97-9f16-5c81f35195cb',
      issueUrl: 'https://alerts.newrelic.com/accounts/1/incidents/12',
      state: 'activated',
      condition_name: 'Soil is dry',
      owner: 'Ada',
      details: 'The moisture is below 20 percent.',
      createdAt: 1_793_000_000_000,
      alertPolicyNames: ['Garden'],
    },
    topic: 'Garden (3576f543-dc3c-4d97-9f16-5c81f35195cb)',
  },
  render({ payload }) {
    const own = payload.maybeText('id') ?? ''
    const isNew = own.length === newIdLength
    const id = isNew ? own : payload.text('incident_id')
    const status = payload.text(isNew ? 'state' : 'current_state').toLowerCase()
    const known = chosen(states, status)
    if (!known) throw badRequest(`The state '${status.slice(0, 50)}' of an incident is not known.`)
    const [event, words, state] = known
    const policies = payload.texts('alertPolicyNames').slice(0, 5).join(', ')
    const policy = (isNew ? policies : payload.someText('policy_name')) || 'Unknown Policy'
    const url = payload.firstText('issueUrl', 'incident_url') ?? 'https://alerts.newrelic.com'
    const owner = payload.someText('owner')
    const time = payload.maybeNumber(isNew ? 'createdAt' : 'timestamp')
    const content = stateText({
      state,
      name: 'Incident',
      url,
      words: `"${payload.someText('condition_name') ?? 'Unknown condition'}" ${words}${owner === undefined ? '' : `, owned by ${owner}`}`,
      quote: payload.maybeText('details'),
      facts: [
        ['Time', timestamp(time)],
        ['Policy', inline(policy)],
      ],
    })
    return { topic: `${policy} (${id})`, content, events: [event] }
  },
})
