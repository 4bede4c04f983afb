import { integration } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
} from '#features/integrations/webhook-services/format.ts'
import { fromHtml } from '#features/integrations/webhook-services/html.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const template = `{"triggered_event":"{{triggered_event}}","ticket_id":"{{ticket.id}}","ticket_url":"{{ticket.url}}","ticket_type":"{{ticket.ticket_type}}","ticket_subject":"{{ticket.subject}}","ticket_description":"{{ticket.description}}","ticket_status":"{{ticket.status}}","ticket_priority":"{{ticket.priority}}","requester_name":"{{ticket.requester.name}}","requester_email":"{{ticket.requester.email}}"}`

/** The event, which Freshdesk writes almost as JSON: \`{ticket_action:created}\`. */
function eventOf(text: string): { name: string; value: string; isChange: boolean } {
  const [, name = '', value = ''] =
    /^\{(\w+):(?:\{from:[^,{}]*,to:)?([^{}]*)\}{1,2}$/.exec(text.trim()) ?? []
  return { name, value, isChange: text.includes('{from:') }
}

function facts(ticket: Fields): string {
  const at = (name: string) => inline(ticket.maybeText(name) ?? '')
  return lines(
    bullet('Type', at('ticket_type')),
    bullet('Priority', at('ticket_priority')),
    bullet('Status', at('ticket_status')),
  )
}

/** @source Freshdesk support, "Using webhooks in automation rules" */
export const freshdesk = integration({
  name: 'freshdesk',
  displayName: 'Freshdesk',
  category: 'Support',
  eventTypes: ['ticket_created', 'status', 'priority', 'note'],
  hasTemplate: true,
  steps: steps([
    'Open **Admin → Workflows → Automations**, and add rules for new tickets and for updates of tickets.',
    `As their action choose **Trigger webhook** with the method \`POST\`, the URL \`{url}\`, the encoding JSON and the advanced content:\n\n\`\`\`json\n{"freshdesk_webhook":${template}}\n\`\`\``,
    'Basic authentication with email address and key of the bot works as well.',
  ]),
  example: {
    body: {
      freshdesk_webhook: {
        triggered_event: '{ticket_action:created}',
        ticket_id: '7',
        ticket_url: 'https://acme.freshdesk.com/helpdesk/tickets/7',
        ticket_type: 'Incident',
        ticket_subject: 'The roses are dry',
        ticket_description: '<div>Since <b>Monday</b>.</div>',
        ticket_status: 'Open',
        ticket_priority: 'High',
        requester_name: 'Ada',
        requester_email: 'ada@example.com',
      },
    },
    topic: '#7: The roses are dry',
  },
  render({ payload }) {
    const ticket = payload.object('freshdesk_webhook')
    const { name, value, isChange } = eventOf(ticket.text('triggered_event'))
    const id = ticket.text('ticket_id')
    const topic = `#${id}: ${ticket.text('ticket_subject')}`
    const target = link(`ticket #${id}`, ticket.text('ticket_url'))
    const who = `${inline(ticket.text('requester_name'))} (${inline(ticket.maybeText('requester_email') ?? 'no email')})`
    if (name === 'ticket_action' && value === 'created') {
      const description = quoted(fromHtml(ticket.text('ticket_description')))
      return {
        topic,
        content: paragraphs(`${who} created ${target}:`, description, facts(ticket)),
        events: ['ticket_created'],
      }
    }
    if ((name === 'status' || name === 'priority') && isChange) {
      const now = inline(ticket.text(`ticket_${name}`))
      return {
        topic,
        content: `${who} updated ${target}: the ${name} is now **${now}**.`,
        events: [name],
      }
    }
    if (name === 'note_type' && (value === 'public' || value === 'private')) {
      return { topic, content: `${who} added a ${value} note to ${target}.`, events: ['note'] }
    }
    return undefined
  },
})
