import { publicPart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { playgroundJson } from './json.ts'
import { listPlaygrounds } from './queries.ts'
import { playgroundShape } from './shapes.ts'

export const playgroundsState = publicPart({
  types: ['realm_playgrounds'],
  members: { realm_playgrounds: shape.list(playgroundShape) },
  read: ({ store }) => ({ realm_playgrounds: listPlaygrounds(store).map(playgroundJson) }),
})
