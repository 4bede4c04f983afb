/**
 * The user connected their account with Zoom, or the connection ended; sent to that user.
 *
 * @source Zulip API, "Get events", type "has_zoom_token"
 */
export interface HasZoomTokenEvent {
  type: 'has_zoom_token'
  value: boolean
}

export function hasZoomTokenEvent(value: boolean): HasZoomTokenEvent {
  return { type: 'has_zoom_token', value }
}
