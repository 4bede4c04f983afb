import { presenceTimes } from '#features/foundation/realm/times.ts'
import { seconds } from '#platform/clock.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, described, int, oneOf, optional, text, withDefault } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { accessPresence, defaultHistoryDays, listVisiblePresences } from './access.ts'
import * as actions from './actions.ts'
import { legacyPresence, legacyPresencesJson, newestUpdateId, presencesJson } from './json.ts'
import {
  legacyPresencesShape,
  onePresenceShape,
  presencesShape,
  serverTimestamp,
  updateIdShape,
} from './shapes.ts'

/**
 * Reports the caller's presence, and returns other users' presences. `last_update_id` (feature
 * level 263) implies the slim form.
 *
 * @source Zulip API, "Update your presence" (feature level 288)
 */
export const updatePresence = endpoint({
  method: 'post',
  path: '/users/me/presence',
  summary: "Report the caller's presence, and get the presence of other users.",
  description: 'With `ping_only`, the reply has no members.',
  params: {
    status: oneOf(['active', 'idle']),
    /** Whether the user was active since the last report. */
    new_user_input: withDefault(bool(), false),
    ping_only: withDefault(bool(), false),
    slim_presence: withDefault(bool(), false),
    last_update_id: described(
      optional(int({ min: -1 })),
      '`presence_last_update_id` of the last reply, or -1: returns only later changes, in the modern format.',
    ),
    history_limit_days: withDefault(int({ min: 0, max: 3650 }), defaultHistoryDays),
  },
  reply: {
    presences: shape.maybe(presencesShape),
    presence_last_update_id: shape.maybe(updateIdShape),
    server_timestamp: shape.maybe(serverTimestamp),
  },
  async run(caller, p) {
    const { store, server } = caller
    const isActive = p.status === 'active' || p.new_user_input
    await store.write((tx, user) => actions.reportPresence(tx, user, isActive))
    if (p.ping_only) return undefined
    const known = p.last_update_id ?? -1
    const presences = listVisiblePresences(store, caller.user, p.history_limit_days, known)
    return {
      presences: presencesJson(presences, p.slim_presence || p.last_update_id !== undefined),
      presence_last_update_id: newestUpdateId(presences, known),
      server_timestamp: server.clock.now() / 1000,
    }
  },
})

/** @source Zulip API, "Get presence of all users" */
export const getRealmPresence = endpoint({
  method: 'get',
  path: '/realm/presence',
  summary: 'Get the presence of all users.',
  params: {},
  reply: { presences: legacyPresencesShape, server_timestamp: serverTimestamp },
  run: ({ store, user, server }) => ({
    presences: legacyPresencesJson(listVisiblePresences(store, user, defaultHistoryDays)),
    server_timestamp: server.clock.now() / 1000,
  }),
})

/** @source Zulip API, "Get a user's presence" */
export const getUserPresence = endpoint({
  method: 'get',
  path: '/users/:user_id_or_email/presence',
  summary: 'Get the presence of a user.',
  params: { user_id_or_email: text(1000) },
  reply: { presence: onePresenceShape },
  run({ store, user, server }, p) {
    const { aggregated } = legacyPresence(accessPresence(store, user, p.user_id_or_email))
    const { status, timestamp } = aggregated
    const isOffline = seconds(server.clock) - timestamp > presenceTimes.offlineSeconds
    const current = isOffline ? ('offline' as const) : status
    return {
      presence: { website: { status, timestamp }, aggregated: { status: current, timestamp } },
    }
  },
})
