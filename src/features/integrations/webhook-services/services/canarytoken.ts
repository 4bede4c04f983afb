import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source Thinkst Canary documentation, "Webhook notifications" */
export const canarytoken = integration({
  name: 'canarytoken',
  displayName: 'Canarytokens',
  category: 'Monitoring',
  eventTypes: null,
  steps: steps([
    'At `https://canarytokens.org`, choose a token.',
    'Paste `{url}` as the webhook that it calls.',
  ]),
  example: {
    body: {
      manage_url: 'https://canarytokens.org/manage?token=abc',
      memo: 'The copy of the gate key was used',
      channel: 'HTTP',
      time: '2026-11-02 08:30:00',
    },
    topic: 'canarytoken alert',
  },
  render({ payload }) {
    const token = link('Canarytoken', payload.text('manage_url'))
    const time = inline(payload.text('time'), 60)
    return {
      topic: 'canarytoken alert',
      content: quoting(`${signs.alert} ${token} was triggered on ${time}`, payload.text('memo')),
    }
  },
})
