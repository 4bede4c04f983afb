import { mediaManager } from '#features/integrations/webhook-services/arr.ts'

/** It has no events of its own. @source Servarr Wiki, "Prowlarr: Connections" */
export const prowlarr = mediaManager({
  name: 'prowlarr',
  displayName: 'Prowlarr',
  subject: 'indexer',
  events: {},
  example: {
    body: { eventType: 'Health', level: 'warning', message: 'Indexers are unavailable.' },
    topic: 'Health warning',
  },
})
