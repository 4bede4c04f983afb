import type { StatePart } from '#platform/events/state.ts'
import { listVisiblePresences } from './access.ts'
import { newestUpdateId, presencesJson } from './json.ts'
import { presencesShape, serverTimestamp, updateIdShape } from './shapes.ts'

/** @source Zulip API, "Register an event queue", type "presence" (feature level 263) */
export const presenceState = {
  types: ['presence'],
  members: {
    presences: presencesShape,
    presence_last_update_id: updateIdShape,
    server_timestamp: serverTimestamp,
  },
  read({ store, user, server }, { slimPresence, presenceHistoryDays }) {
    const presences = listVisiblePresences(store, user, presenceHistoryDays)
    return {
      presences: presencesJson(presences, slimPresence),
      presence_last_update_id: newestUpdateId(presences, -1),
      server_timestamp: server.clock.now() / 1000,
    }
  },
} satisfies StatePart
