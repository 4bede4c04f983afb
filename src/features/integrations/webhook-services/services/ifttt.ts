import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { writtenNote } from '#features/integrations/webhook-services/verbatim.ts'

/** @source IFTTT, "Webhooks: Make a web request" (read on 2026-11-24) */
export const ifttt = integration({
  name: 'ifttt',
  displayName: 'IFTTT',
  category: 'Automation',
  eventTypes: null,
  steps: steps([
    'In an applet, choose **Webhooks** as **Then That**, with the action **Make a web request**.',
    'Paste `{url}` as **URL**, with the method `POST` and the content type `application/json`.',
    'As **Body**, write `{"topic": "Garden", "content": "<<<…>>>"}`, with ingredients in place of `…`: what is between `<<<` and `>>>` may contain quotation marks and line breaks.',
  ]),
  example: {
    body: { topic: 'Garden', content: 'The *roses* were watered.' },
    topic: 'Garden',
  },
  render: ({ payload }) => writtenNote(payload),
})
