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

function episodeText(payload: Fields): string {
  const at = (name: string) => inline(payload.text(`episodes.0.${name}`))
  const more = payload.maybeList('episodes').length - 1
  const rest = more > 0 ? ` and ${more} more` : ''
  const series = inline(payload.text('series.title'))
  return `**${series} - ${at('seasonNumber')}x${at('episodeNumber')} - ${at('title')}**${rest}`
}

function said(payload: Fields, event: string): string | undefined {
  const series = () => `**${inline(payload.text('series.title'))}**`
  switch (event) {
    case 'Grab':
      return `${episodeText(payload)} was grabbed.`
    case 'Download':
      return importText(payload, episodeText(payload), 'episodeFile')
    case 'Rename':
      return `Files of ${series()} were renamed.`
    case 'SeriesAdd':
      return `${series()} was added.`
    case 'SeriesDelete':
      return `${series()} was deleted${payload.flag('deletedFiles') ? ', with its files' : ''}.`
    case 'EpisodeFileDelete':
      return `The file of ${episodeText(payload)} was deleted${reasonText(payload)}.`
    case 'ManualInteractionRequired':
      return `${episodeText(payload)} needs somebody to import it by hand.`
    default:
      return undefined
  }
}

/** @source Servarr Wiki, "Sonarr: Connections" */
export const sonarr = integration({
  name: 'sonarr',
  displayName: 'Sonarr',
  category: 'Media',
  eventTypes: [
    'Grab',
    'Download',
    'Rename',
    'SeriesAdd',
    'SeriesDelete',
    'EpisodeFileDelete',
    'ManualInteractionRequired',
    ...ownEvents,
  ],
  steps: arrSteps,
  example: {
    body: {
      eventType: 'Grab',
      series: { title: 'Gardens of the World' },
      episodes: [{ seasonNumber: 2, episodeNumber: 5, title: 'Roses' }],
    },
    topic: 'Gardens of the World',
  },
  render({ payload }) {
    const own = ownEvent(payload, 'Sonarr')
    if (own) return own
    const event = payload.text('eventType')
    const content = said(payload, event)
    if (content === undefined) return unsupported(event)
    return { topic: payload.text('series.title'), content, events: [event] }
  },
})
