import type { StatePart } from '#events/state.ts'
import { listVisiblePresences } from './access.ts'
import { presencesJson } from './json.ts'
import { presencesShape, serverTimestamp, updateIdShape } from './shapes.ts'

/** @source the API description of `POST /register`, "presence"; level 263 for the update id */
export const presenceState: StatePart = {
  types: ['presence'],
  shape: {
    presences: presencesShape,
    presence_last_update_id: updateIdShape,
    server_timestamp: serverTimestamp,
  },
  read({ store, user, server }, { slimPresence, presenceHistoryDays }) {
    const presences = listVisiblePresences(store, user, presenceHistoryDays)
    return {
      presences: presencesJson(presences, slimPresence),
      presence_last_update_id: Math.max(-1, ...presences.map(({ updateId }) => updateId)),
      server_timestamp: server.clock.now() / 1000,
    }
  },
}
