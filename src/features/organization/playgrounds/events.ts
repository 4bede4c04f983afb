import type { EventOf } from '#platform/shape.ts'
import type { PlaygroundJson } from './json.ts'
import type { playgroundEventShapes } from './shapes.ts'

/**
 * All code playgrounds, after one was added or removed.
 *
 * @source Zulip API, "Get events", type "realm_playgrounds"
 */
export type PlaygroundsEvent = EventOf<typeof playgroundEventShapes, 'realm_playgrounds'>

export function playgroundsEvent(realm_playgrounds: PlaygroundJson[]): PlaygroundsEvent {
  return { type: 'realm_playgrounds', realm_playgrounds }
}
