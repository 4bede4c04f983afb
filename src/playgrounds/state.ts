import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { playgroundJson } from './json.ts'
import { listPlaygrounds } from './queries.ts'
import { playgroundShape } from './shapes.ts'

export const playgroundsState: StatePart = {
  types: ['realm_playgrounds'],
  shape: { realm_playgrounds: list(playgroundShape) },
  read: ({ store }) => ({ realm_playgrounds: listPlaygrounds(store).map(playgroundJson) }),
}
