import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { writtenNote } from '#features/integrations/webhook-services/verbatim.ts'

/** @source IFTTT Help Center, "How can I use webhooks?" */
export const ifttt = integration({
  name: 'ifttt',
  displayName: 'IFTTT',
  category: 'Automation',
  eventTypes: null,
  steps: [
    'In an applet, choose **Webhooks** as **Then That**, with the action **Make a web request**.',
    'Paste `{url}` as **URL**, with the method `POST` and the content type `application/json`.',
    'As **Body**, write `{"topic": "…", "content": "…"}`, with ingredients in both.',
  ],
  example: {
    body: { topic: 'Garden', content: 'The *roses* were watered.' },
    topic: 'Garden',
  },
  render: ({ payload }) => writtenNote(payload),
})
