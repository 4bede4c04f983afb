import { arrSteps, ownEvent, ownEvents } from '#features/integrations/webhook-services/arr.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, listed } from '#features/integrations/webhook-services/format.ts'

function said(payload: Fields, event: string): string | undefined {
  const artist = () => `**${inline(payload.text('artist.name'))}**`
  switch (event) {
    case 'Grab':
      return `The album **${inline(payload.text('albums.0.title'))}** by ${artist()} was grabbed.`
    case 'Download': {
      const verb = payload.flag('isUpgrade') ? 'upgraded' : 'imported'
      const tracks = payload.list('tracks').map((track) => `* ${inline(track.text('title'))}`)
      return `Tracks by ${artist()} were ${verb}:\n\n${listed(tracks, (line) => line)}`
    }
    case 'Rename':
      return `Files of ${artist()} were renamed.`
    case 'Retag':
      return `Files of ${artist()} got new tags.`
    default:
      return undefined
  }
}

/** @source Servarr Wiki, "Lidarr: Connections" */
export const lidarr = integration({
  name: 'lidarr',
  displayName: 'Lidarr',
  category: 'Media',
  eventTypes: ['Grab', 'Download', 'Rename', 'Retag', ...ownEvents],
  steps: arrSteps,
  example: {
    body: { eventType: 'Grab', artist: { name: 'The Gardeners' }, albums: [{ title: 'Roses' }] },
    topic: 'The Gardeners',
  },
  render({ payload }) {
    const own = ownEvent(payload, 'Lidarr')
    if (own) return own
    const event = payload.text('eventType')
    const content = said(payload, event)
    if (content === undefined) return unsupported(event)
    return { topic: payload.text('artist.name'), content, events: [event] }
  },
})
