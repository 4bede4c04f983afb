import type { WireEvent } from '#platform/events/types.ts'
import type { PlaygroundJson } from './json.ts'

/**
 * All code playgrounds, after one was added or removed.
 *
 * @source Zulip API, "Get events", type "realm_playgrounds"
 */
export interface PlaygroundsEvent extends WireEvent {
  type: 'realm_playgrounds'
  realm_playgrounds: PlaygroundJson[]
}

export function playgroundsEvent(realm_playgrounds: PlaygroundJson[]): PlaygroundsEvent {
  return { type: 'realm_playgrounds', realm_playgrounds }
}
