import {
  added,
  importText,
  mediaManager,
  reasonText,
  removed,
  renamed,
  stuck,
} from '#features/integrations/webhook-services/arr.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'

function episodeText(payload: Fields): string {
  const at = (name: string) => inline(payload.text(`episodes.0.${name}`))
  const more = payload.maybeList('episodes').length - 1
  const rest = more > 0 ? ` and ${more} more` : ''
  const series = inline(payload.text('series.title'))
  return `**${series} - ${at('seasonNumber')}x${at('episodeNumber')} - ${at('title')}**${rest}`
}

/** @source Servarr Wiki, "Sonarr: Connections" */
export const sonarr = mediaManager({
  name: 'sonarr',
  displayName: 'Sonarr',
  subject: 'series.title',
  events: {
    Grab: (payload) => `${episodeText(payload)} was grabbed.`,
    Download: (payload) => importText(payload, episodeText(payload), 'episodeFile'),
    Rename: renamed,
    SeriesAdd: added,
    SeriesDelete: removed,
    EpisodeFileDelete: (payload) =>
      `The file of ${episodeText(payload)} was deleted${reasonText(payload)}.`,
    ManualInteractionRequired: (payload) => stuck(payload, () => episodeText(payload)),
  },
  example: {
    body: {
      eventType: 'Grab',
      series: { title: 'Gardens of the World' },
      episodes: [{ seasonNumber: 2, episodeNumber: 5, title: 'Roses' }],
    },
    topic: 'Gardens of the World',
  },
})
