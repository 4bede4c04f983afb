import { stateOf, stateText } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const types = [
  'HTTP',
  'HTTP_CUSTOM',
  'HTTPS',
  'SMTP',
  'POP3',
  'IMAP',
  'PING',
  'DNS',
  'UDP',
  'PORT_TCP',
]

/** @source Pingdom, "Webhooks" */
export const pingdom = integration({
  name: 'pingdom',
  displayName: 'Pingdom',
  category: 'Monitoring',
  eventTypes: types,
  steps: steps([
    'Open **Settings → Integrations**, and add one of the type **Webhook**.',
    'Paste `{url}` as **URL**, and turn the integration on for the checks.',
  ]),
  example: {
    body: {
      check_name: 'Garden',
      check_type: 'HTTP',
      check_params: { hostname: 'garden.example.com' },
      previous_state: 'UP',
      current_state: 'DOWN',
      long_description: 'Non-recoverable failure in name resolution',
    },
    topic: 'Garden status.',
  },
  render({ payload }) {
    const type = payload.text('check_type')
    if (!types.includes(type)) return unsupported(type)
    const [old, now] = [payload.text('previous_state'), payload.text('current_state')]
    const content = stateText({
      state: stateOf(now),
      name: payload.text('check_params.hostname'),
      words: `${inline(type, 30)} is ${now} (was ${old})`,
      quote: now === 'DOWN' ? payload.maybeText('long_description') : undefined,
    })
    return { topic: `${payload.text('check_name')} status.`, content, events: [type] }
  },
})
