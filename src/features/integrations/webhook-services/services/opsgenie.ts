import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import {
  bullet,
  code,
  inline,
  lines,
  link,
  urlPart,
} from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const actions: Readonly<Record<string, string>> = {
  Create: 'was created',
  Close: 'was closed',
  Acknowledge: 'was acknowledged',
  UnAcknowledge: 'is no longer acknowledged',
  AddNote: 'got a note',
  AddTags: 'got tags',
  RemoveTags: 'lost tags',
  AddTeam: 'was given to a team',
  AddRecipient: 'got a recipient',
  AssignOwnership: 'got an owner',
  TakeOwnership: 'got an owner',
  Escalate: 'was escalated',
  Delete: 'was deleted',
  TestAction: 'is the target of a custom action',
}

/** @source Atlassian Support, "Opsgenie: webhook integration" */
export const opsgenie = integration({
  name: 'opsgenie',
  displayName: 'Opsgenie',
  category: 'Incidents',
  eventTypes: Object.keys(actions),
  steps: steps([
    'Open **Settings → Integrations**, and add **Webhook**.',
    'Paste `{url}` as **Webhook URL**, choose the alert actions, and save.',
  ]),
  example: {
    body: {
      action: 'Create',
      integrationName: 'Garden alerts',
      alert: {
        alertId: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
        message: 'The pump stopped',
        tags: ['water'],
      },
    },
    topic: 'Garden alerts',
  },
  render({ payload }) {
    const action = payload.text('action')
    const words = chosen(actions, action)
    if (words === undefined) return unsupported(action)
    const id = payload.text('alert.alertId')
    const alert = link('Alert', `https://app.opsgenie.com/alert/V2#/show/${urlPart(id)}`)
    const at = (path: string) => inline(payload.maybeText(path) ?? '', 500)
    const tags = payload.texts('alert.tags').slice(0, 20)
    return {
      topic: payload.text('integrationName'),
      content: lines(
        `**${alert}** ${words}${payload.has('alert.message') ? ':' : '.'} ${at('alert.message')}`.trim(),
        bullet('Note', at('alert.note')),
        bullet('Recipient', at('alert.recipient')),
        bullet('Tags', tags.map(code).join(' ')),
        bullet('Tags added', at('alert.addedTags')),
        bullet('Tags removed', at('alert.removedTags')),
        bullet('Team', at('alert.team')),
        bullet('Owner', at('alert.owner')),
        bullet('Escalation', at('escalationName')),
      ),
      events: [action],
    }
  },
})
