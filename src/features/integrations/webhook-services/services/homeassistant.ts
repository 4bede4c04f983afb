import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source Home Assistant documentation, "RESTful notifications" (read on 2026-11-24) */
export const homeassistant = integration({
  name: 'homeassistant',
  displayName: 'Home Assistant',
  category: 'Automation',
  eventTypes: null,
  steps: steps([
    'Add a notifier to `configuration.yaml`:\n\n```yaml\nnotify:\n  - name: chat\n    platform: rest\n    method: POST_JSON\n    resource: "{url}"\n    title_param_name: title\n```',
    'Restart Home Assistant, and call the action `notify.chat` with a `message` and perhaps a `title`, which becomes the topic.',
  ]),
  example: {
    body: { title: 'Greenhouse', message: 'The window is **open**.' },
    topic: 'Greenhouse',
  },
  render: ({ payload }) => ({
    topic: payload.firstText('topic', 'title') ?? 'homeassistant',
    content: payload.text('message'),
  }),
})
