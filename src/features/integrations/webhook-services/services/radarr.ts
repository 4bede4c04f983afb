import {
  added,
  importText,
  mediaManager,
  reasonText,
  removed,
  renamed,
  stuck,
} from '#features/integrations/webhook-services/arr.ts'

/** @source Servarr Wiki, "Radarr: Connections" */
export const radarr = mediaManager({
  name: 'radarr',
  displayName: 'Radarr',
  subject: 'movie.title',
  events: {
    Grab: (_payload, movie) => `${movie()} was grabbed.`,
    Download: (payload, movie) => importText(payload, movie(), 'movieFile'),
    Rename: renamed,
    MovieAdded: added,
    MovieDelete: removed,
    MovieFileDelete: (payload, movie) => `A file of ${movie()} was deleted${reasonText(payload)}.`,
    ManualInteractionRequired: stuck,
  },
  example: {
    body: { eventType: 'MovieAdded', movie: { title: 'The Secret Garden' } },
    topic: 'The Secret Garden',
  },
})
