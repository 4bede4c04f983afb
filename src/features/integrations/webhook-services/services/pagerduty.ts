import { type AlertState, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import {
  type DeliveryResult,
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** Verbs, by the last part of the event's name in each version of PagerDuty's webhooks. */
const happened: Readonly<
  Record<string, readonly [event: string, verb: string, state: AlertState]>
> = {
  trigger: ['trigger', 'was triggered', 'firing'],
  triggered: ['trigger', 'was triggered', 'firing'],
  acknowledge: ['acknowledge', 'was acknowledged', 'info'],
  acknowledged: ['acknowledge', 'was acknowledged', 'info'],
  unacknowledge: ['unacknowledge', 'is no longer acknowledged', 'firing'],
  unacknowledged: ['unacknowledge', 'is no longer acknowledged', 'firing'],
  resolve: ['resolve', 'was resolved', 'resolved'],
  resolved: ['resolve', 'was resolved', 'resolved'],
  assign: ['assign', 'was assigned', 'info'],
  assigned: ['assign', 'was assigned', 'info'],
  reassigned: ['assign', 'was assigned to someone else', 'info'],
  escalate: ['escalate', 'was escalated', 'firing'],
  escalated: ['escalate', 'was escalated', 'firing'],
  delegate: ['delegate', 'was delegated', 'info'],
  delegated: ['delegate', 'was delegated', 'info'],
  reopened: ['reopen', 'was reopened', 'firing'],
  priority_updated: ['priority', 'got another priority', 'info'],
}

/** The events of version 3 about something that was added to an incident. */
const additions: Readonly<Record<string, readonly [event: string, words: string]>> = {
  annotated: ['annotate', 'got a note'],
  status_update_published: ['status_update', 'got a status update'],
  'responder.added': ['responder', 'got a responder'],
  'responder.replied': ['responder', 'got the reply of a responder'],
}

/** A person, team or service as a link; versions name them differently. */
function party(fields: Fields | undefined): string | undefined {
  const name = fields?.firstText('summary', 'name') ?? fields?.someText('email')?.split('@', 1)[0]
  return name === undefined ? undefined : link(name, fields?.maybeText('html_url'))
}

/** @param about the members whose places differ between versions */
function noteOf(
  about: {
    readonly topic: string
    readonly name: string
    readonly url: string | undefined
    readonly service: string | undefined
    readonly people: readonly (string | undefined)[]
    readonly agent: string | undefined
    readonly text: string | undefined
    readonly priority?: string | undefined
  },
  [event, verb, state]: readonly [event: string, verb: string, state: AlertState],
): Note {
  const by = about.agent === undefined ? '' : ` by ${about.agent}`
  const people = about.people.filter((one) => one !== undefined).slice(0, 10)
  const rest =
    event === 'resolve'
      ? ''
      : [
          event === 'priority' && about.priority && `now ${inline(about.priority)}`,
          about.service && `service ${about.service}`,
          people.length > 0 && `assigned to ${people.join(', ')}`,
        ]
          .filter(Boolean)
          .join(', ')
  const line = `${stateSign(state)} Incident ${link(about.name, about.url)} ${verb}${by}${rest && ` (${rest})`}`
  return {
    topic: about.topic,
    content: quoting(line, event === 'trigger' || event === 'assign' ? about.text : ''),
    events: [event, `incident.${event}`],
  }
}

/** A message of versions 1 and 2. */
function oldNote(message: Fields): Note | string {
  const type = message.firstText('event', 'type') ?? message.text('type')
  const what = chosen(happened, type.replace(/^incident\./, ''))
  if (!what) return type
  const incident = message.maybeObject('incident') ?? message.object('data.incident')
  const number = inline(incident.text('incident_number'))
  const [event] = what
  const isFollowUp = event === 'acknowledge' || event === 'resolve'
  const agent =
    incident.maybeObject('resolved_by_user') ?? incident.maybeObject('last_status_change_by')
  return noteOf(
    {
      topic: `Incident ${number}`,
      name: number,
      url: incident.maybeText('html_url'),
      service: party(incident.maybeObject('service')),
      people: [
        party(incident.maybeObject('assigned_to_user')),
        party(incident.maybeObject('assignments.0.assignee')),
      ],
      agent: isFollowUp ? party(agent) : undefined,
      text: incident.firstText(
        'trigger_summary_data.subject',
        'trigger_summary_data.description',
        'description',
      ),
    },
    what,
  )
}

/** Such an event names the incident by its title alone, without its number. */
function additionNote(event: Fields, [name, words]: readonly [event: string, words: string]): Note {
  const title = event.firstText('data.incident.summary') ?? event.text('data.incident.id')
  const incident = link(title, event.maybeText('data.incident.html_url'))
  const agent = party(event.maybeObject('agent'))
  const responder = party(event.maybeObject('data.user'))
  const state = event.someText('data.state')
  const about = [responder, state && inline(state)].filter(Boolean).join(', ')
  const line = `${stateSign('info')} Incident ${incident} ${words}${agent === undefined ? '' : ` by ${agent}`}${about && ` (${about})`}`
  return {
    topic: `Incident ${title}`,
    content: quoting(line, event.firstText('data.content', 'data.message')),
    events: [event.text('event_type'), name],
  }
}

function newNote(event: Fields): DeliveryResult {
  const type = event.text('event_type')
  const action = type.replace(/^incident\./, '')
  if (type === 'pagey.ping') {
    return { topic: 'PagerDuty', content: `The PagerDuty webhook was set up ${signs.tada}` }
  }
  const addition = chosen(additions, action)
  if (addition) return additionNote(event, addition)
  const what = chosen(happened, action)
  if (!what) return unsupported(type)
  const incident = event.object('data')
  const [title, number] = [incident.text('title'), incident.text('number')]
  const note = noteOf(
    {
      topic: `Incident ${title} (#${number})`,
      name: `${title} (#${number})`,
      url: incident.maybeText('html_url'),
      service: party(incident.maybeObject('service')),
      people: incident.maybeList('assignees').map(party),
      agent: party(event.maybeObject('agent')),
      text: undefined,
      priority: incident.someText('priority.summary'),
    },
    what,
  )
  return { ...note, events: [type, ...(note.events ?? [])] }
}

/** @source PagerDuty Developer, "V3 webhooks"; older versions by their payloads */
export const pagerduty = integration({
  name: 'pagerduty',
  displayName: 'PagerDuty',
  category: 'Incidents',
  eventTypes: [
    'trigger',
    'acknowledge',
    'unacknowledge',
    'resolve',
    'assign',
    'escalate',
    'delegate',
    'reopen',
    'priority',
    'annotate',
    'status_update',
    'responder',
  ],
  signature: hmacHeader(sentText('Secret of the webhook subscription'), 'x-pagerduty-signature', {
    prefix: 'v1=',
  }),
  steps: steps([
    'Open **Integrations → Generic Webhooks (v3)**, and press **New Webhook**.',
    'Paste `{url}` as **Webhook URL**, choose the service and the events of incidents, and press **Add Webhook**.',
  ]),
  example: {
    body: {
      event: {
        event_type: 'incident.triggered',
        agent: { summary: 'Ada', html_url: 'https://acme.pagerduty.com/users/P1' },
        data: {
          number: 7,
          title: 'The pump stopped',
          html_url: 'https://acme.pagerduty.com/incidents/Q7',
          service: { summary: 'Watering', html_url: 'https://acme.pagerduty.com/services/S2' },
          assignees: [{ summary: 'Grace', html_url: 'https://acme.pagerduty.com/users/P2' }],
        },
      },
    },
    topic: 'Incident The pump stopped (#7)',
  },
  render({ payload }) {
    const event = payload.maybeObject('event')
    if (event) return newNote(event)
    const notes = payload.list('messages').map(oldNote)
    const known = notes.filter((note) => typeof note !== 'string')
    const [unknown] = notes.filter((note) => typeof note === 'string')
    return known.length === 0 && unknown !== undefined ? unsupported(unknown) : known
  },
})
