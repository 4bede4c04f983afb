import { botJson } from '#features/foundation/bots/json.ts'
import { listAdministeredBots } from '#features/foundation/bots/queries.ts'
import { botShape } from '#features/foundation/bots/shapes.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

export const botsState = {
  types: ['realm_bot'],
  members: { realm_bots: shape.list(botShape) },
  read: ({ store, user }) => ({
    realm_bots: listAdministeredBots(store, user).map((bot) => botJson(store, bot)),
  }),
} satisfies StatePart
