import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { writtenNote } from '#features/integrations/webhook-services/verbatim.ts'

/** @source Zapier Help, "Send webhooks in Zaps" (read on 2026-11-24) */
export const zapier = integration({
  name: 'zapier',
  displayName: 'Zapier',
  category: 'Automation',
  eventTypes: null,
  isOftenMalformed: true,
  steps: steps([
    'In a Zap, add the action **Webhooks by Zapier**, with the event **POST**.',
    'Paste `{url}` as **URL**, with the payload type **json**.',
    'Under **Data**, add `topic` and `content`, and compose them of the fields of the trigger.',
  ]),
  example: {
    body: { topic: 'Garden', content: 'The *roses* were watered.' },
    topic: 'Garden',
  },
  asksForBot: (payload) => payload.maybeText('type') === 'auth',
  render: ({ payload }) => writtenNote(payload),
})
