import { arrSteps, ownEvent, ownEvents } from '#features/integrations/webhook-services/arr.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'

/** @source Servarr Wiki, "Prowlarr: Connections" */
export const prowlarr = integration({
  name: 'prowlarr',
  displayName: 'Prowlarr',
  category: 'Media',
  eventTypes: [...ownEvents],
  steps: arrSteps,
  example: {
    body: { eventType: 'Health', level: 'warning', message: 'Indexers are unavailable.' },
    topic: 'Health warning',
  },
  render: ({ payload }) => ownEvent(payload, 'Prowlarr') ?? unsupported(payload.text('eventType')),
})
