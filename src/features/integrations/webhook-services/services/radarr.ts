import {
  arrSteps,
  importText,
  ownEvent,
  ownEvents,
  reasonText,
} from '#features/integrations/webhook-services/arr.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'

function said(payload: Fields, event: string): string | undefined {
  const movie = () => `**${inline(payload.text('movie.title'))}**`
  switch (event) {
    case 'Grab':
      return `${movie()} was grabbed.`
    case 'Download':
      return importText(payload, movie(), 'movieFile')
    case 'Rename':
      return `Files of ${movie()} were renamed.`
    case 'MovieAdded':
      return `${movie()} was added.`
    case 'MovieDelete':
      return `${movie()} was deleted${payload.flag('deletedFiles') ? ', with its files' : ''}.`
    case 'MovieFileDelete':
      return `A file of ${movie()} was deleted${reasonText(payload)}.`
    case 'ManualInteractionRequired':
      return `${movie()} needs somebody to import it by hand.`
    default:
      return undefined
  }
}

/** @source Servarr Wiki, "Radarr: Connections" */
export const radarr = integration({
  name: 'radarr',
  displayName: 'Radarr',
  category: 'Media',
  eventTypes: [
    'Grab',
    'Download',
    'Rename',
    'MovieAdded',
    'MovieDelete',
    'MovieFileDelete',
    'ManualInteractionRequired',
    ...ownEvents,
  ],
  steps: arrSteps,
  example: {
    body: { eventType: 'MovieAdded', movie: { title: 'The Secret Garden' } },
    topic: 'The Secret Garden',
  },
  render({ payload }) {
    const own = ownEvent(payload, 'Radarr')
    if (own) return own
    const event = payload.text('eventType')
    const content = said(payload, event)
    if (content === undefined) return unsupported(event)
    return { topic: payload.text('movie.title'), content, events: [event] }
  },
})
