import { endpoint } from '#http/endpoint.ts'
import { bool, described, int, oneOf, optional, text, withDefault } from '#http/params.ts'
import { maybe } from '#shape.ts'
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
 * Reports that a client is there, and returns who else is.
 *
 * @source api-changes §3c: `last_update_id` (level 263) implies the slim form; `history_limit_days`
 * (level 288); clients.md §0.4, conflict 6
 */
export const updatePresence = endpoint({
  method: 'post',
  path: '/users/me/presence',
  summary: 'Report that a client is there, and learn who else is.',
  description: 'With `ping_only` the reply has none of its members.',
  params: {
    status: oneOf(['active', 'idle']),
    /** Whether the user did something since the last report: as good as `active`. */
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
    presences: maybe(presencesShape),
    presence_last_update_id: maybe(updateIdShape),
    server_timestamp: maybe(serverTimestamp),
  },
  async run({ store, user, server }, p) {
    const isActive = p.status === 'active' || p.new_user_input
    await store.write((tx) => actions.reportPresence(tx, user, isActive))
    if (p.ping_only) return undefined
    const known = p.last_update_id ?? -1
    const presences = listVisiblePresences(store, user, p.history_limit_days, known)
    return {
      presences: presencesJson(presences, p.slim_presence || p.last_update_id !== undefined),
      presence_last_update_id: Math.max(known, ...presences.map(({ updateId }) => updateId)),
      server_timestamp: server.clock.now() / 1000,
    }
  },
})

/** @source the API description of `GET /realm/presence` */
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

/** @source the API description of `GET /users/{user_id_or_email}/presence` */
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
