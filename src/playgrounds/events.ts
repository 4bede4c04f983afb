import type { WireEvent } from '#events/types.ts'
import type { PlaygroundJson } from './json.ts'

/** All code playgrounds, after one came or went. @source the API description */
export interface PlaygroundsEvent extends WireEvent {
  type: 'realm_playgrounds'
  realm_playgrounds: PlaygroundJson[]
}

export function playgroundsEvent(realm_playgrounds: PlaygroundJson[]): PlaygroundsEvent {
  return { type: 'realm_playgrounds', realm_playgrounds }
}
