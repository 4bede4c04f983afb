import type { StatePart } from '#events/state.ts'
import { botJson } from './json.ts'
import { listAdministeredBots } from './queries.ts'

export const botsState: StatePart = {
  types: ['realm_bot'],
  read: ({ store, user }) => ({
    realm_bots: listAdministeredBots(store, user).map((bot) => botJson(store, bot)),
  }),
}
