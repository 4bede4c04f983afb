import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { botJson } from './json.ts'
import { listAdministeredBots } from './queries.ts'
import { botShape } from './shapes.ts'

export const botsState: StatePart = {
  types: ['realm_bot'],
  shape: { realm_bots: list(botShape) },
  read: ({ store, user }) => ({
    realm_bots: listAdministeredBots(store, user).map((bot) => botJson(store, bot)),
  }),
}
