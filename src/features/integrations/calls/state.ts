import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { hasZoomTokens } from './queries.ts'
import { zoomApp } from './zoom.ts'

export const callsState = {
  types: ['video_calls'],
  members: {
    has_zoom_token: shape.noted(
      shape.boolean,
      'Whether the user has connected their account with Zoom, at `/calls/zoom/register` in a browser.',
    ),
  },
  read: ({ store, user }) => ({
    has_zoom_token: hasZoomTokens(store, zoomApp(store.config), user.id),
  }),
  readPublic: () => ({ has_zoom_token: false }),
} satisfies StatePart
