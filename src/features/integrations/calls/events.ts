import type { EventOf } from '#platform/shape.ts'
import type { callEventShapes } from './shapes.ts'
/**
 * The user connected their account with Zoom, or the connection ended; sent to that user.
 *
 * @source Zulip API, "Get events", type "has_zoom_token"
 */
export type HasZoomTokenEvent = EventOf<typeof callEventShapes, 'has_zoom_token'>

export function hasZoomTokenEvent(value: boolean): HasZoomTokenEvent {
  return { type: 'has_zoom_token', value }
}
