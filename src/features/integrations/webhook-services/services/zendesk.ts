import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source Zendesk help, "Creating webhooks to interact with third-party systems" */
export const zendesk = integration({
  name: 'zendesk',
  displayName: 'Zendesk',
  category: 'Support',
  eventTypes: null,
  queryFields: ['ticket_id', 'ticket_title', 'message'],
  steps: steps([
    'Open **Admin Center → Apps and integrations → Webhooks**, and create one for triggers with `{url}`, the method `POST` and the request format **JSON** or **Form encoded**. Basic authentication with email address and key of the bot works as well.',
    'Add it to a trigger, with `ticket_id` = `{{ticket.id}}`, `ticket_title` = `{{ticket.title}}` and a `message` of your own, such as `Ticket [#{{ticket.id}}]({{ticket.link}}) was updated: {{ticket.latest_comment}}`.',
  ]),
  example: {
    body: {
      ticket_id: '7',
      ticket_title: 'The roses are dry',
      message: '[Ticket 7](https://acme.zendesk.com/agent/tickets/7) was opened.',
    },
    topic: '#7: The roses are dry',
  },
  render: ({ payload }) => ({
    topic: `#${payload.text('ticket_id')}: ${payload.text('ticket_title')}`,
    content: payload.text('message'),
  }),
})
