import { botJson } from '#features/people/bots/json.ts'
import { listAdministeredBots } from '#features/people/bots/queries.ts'
import { botShape } from '#features/people/bots/shapes.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

export const botsState = {
  types: ['realm_bot'],
  members: { realm_bots: shape.list(botShape) },
  read: ({ store, user }) => ({
    realm_bots: listAdministeredBots(store, user).map((bot) => botJson(store, bot)),
  }),
} satisfies StatePart
