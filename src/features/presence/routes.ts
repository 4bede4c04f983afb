import { endpoint } from '#platform/http/endpoint.ts'
import { bool, described, int, oneOf, optional, text, withDefault } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { accessPresence, listVisiblePresences, usualHistoryDays } from './access.ts'
import * as actions from './actions.ts'
import { legacyPresence, legacyPresencesJson, presencesJson } from './json.ts'
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
  summary: 'Report that a client is there, and learn who else is.',
  description: 'With `ping_only` the reply has none of its members.',
  params: {
    status: oneOf(['active', 'idle']),
    /** Whether the user did something since the last report; counts as `active`. */
    new_user_input: withDefault(bool(), false),
    ping_only: withDefault(bool(), false),
    slim_presence: withDefault(bool(), false),
    last_update_id: described(
      optional(int({ min: -1 })),
      'Of the last reply, or -1: asks for what changed since, in the slim form.',
    ),
    history_limit_days: withDefault(int({ min: 0, max: 3650 }), usualHistoryDays),
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
      presence_last_update_id: Math.max(known, ...presences.map(({ updateId }) => updateId)),
      server_timestamp: server.clock.now() / 1000,
    }
  },
})

/** @source Zulip API, "Get presence of all users" */
export const getRealmPresence = endpoint({
  method: 'get',
  path: '/realm/presence',
  summary: 'List who is there.',
  params: {},
  reply: { presences: legacyPresencesShape, server_timestamp: serverTimestamp },
  run: ({ store, user, server }) => ({
    presences: legacyPresencesJson(listVisiblePresences(store, user, usualHistoryDays)),
    server_timestamp: server.clock.now() / 1000,
  }),
})

/** @source Zulip API, "Get a user's presence" */
export const getUserPresence = endpoint({
  method: 'get',
  path: '/users/:user_id_or_email/presence',
  summary: 'Find out whether a user is there.',
  params: { user_id_or_email: text(1000) },
  reply: { presence: onePresenceShape },
  run({ store, user }, p) {
    const { aggregated } = legacyPresence(accessPresence(store, user, p.user_id_or_email))
    const { status, timestamp } = aggregated
    return { presence: { website: { status, timestamp }, aggregated: { status, timestamp } } }
  },
})
