import { mediaManager, renamed } from '#features/integrations/webhook-services/arr.ts'
import { inline, listed } from '#features/integrations/webhook-services/format.ts'

/** @source Servarr Wiki, "Lidarr: Connections" */
export const lidarr = mediaManager({
  name: 'lidarr',
  displayName: 'Lidarr',
  subject: 'artist.name',
  events: {
    Grab: (payload, artist) =>
      `The album **${inline(payload.text('albums.0.title'))}** by ${artist()} was grabbed.`,
    Download(payload, artist) {
      const verb = payload.flag('isUpgrade') ? 'upgraded' : 'imported'
      const tracks = payload.list('tracks').map((track) => `* ${inline(track.text('title'))}`)
      return `Tracks by ${artist()} were ${verb}:\n\n${listed(tracks, (line) => line)}`
    },
    Rename: renamed,
    Retag: (_payload, artist) => `Files of ${artist()} got new tags.`,
  },
  example: {
    body: { eventType: 'Grab', artist: { name: 'The Gardeners' }, albums: [{ title: 'Roses' }] },
    topic: 'The Gardeners',
  },
})
