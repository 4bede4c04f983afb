import type { StatePart } from '#events/state.ts'
import { playgroundJson } from './json.ts'
import { listPlaygrounds } from './queries.ts'

export const playgroundsState: StatePart = {
  types: ['realm_playgrounds'],
  read: ({ store }) => ({ realm_playgrounds: listPlaygrounds(store).map(playgroundJson) }),
}
