import { endpoint } from '#platform/http/endpoint.ts'
import { word } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { sessionJson } from './json.ts'
import { listSessions } from './queries.ts'
import { sessionShape } from './shapes.ts'

const own = 'Not part of the Zulip API.'

/** An endpoint of Parley's own. */
export const getSessions = endpoint({
  method: 'get',
  path: '/users/me/sessions',
  summary: 'List the browsers in which the caller is logged in.',
  description: own,
  params: {},
  reply: { sessions: shape.list(sessionShape) },
  run: ({ store, user, sessionId, server }) => ({
    sessions: listSessions(store, user.id, server.clock).map((session) =>
      sessionJson(session, sessionId),
    ),
  }),
})

/** An endpoint of Parley's own. */
export const endSession = endpoint({
  method: 'delete',
  path: '/users/me/sessions/:session_id{[0-9a-f]+}',
  summary: 'Log the caller out of one browser, and close its event queues.',
  description: own,
  params: { session_id: word(64) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, server }, p) =>
    store.write((tx, user) => actions.endOwnSession(tx, server.queues, user, p.session_id)),
})

/** An endpoint of Parley's own. */
export const endOtherSessions = endpoint({
  method: 'delete',
  path: '/users/me/sessions',
  summary: 'Log the caller out of all browsers except the one that made this request.',
  description: `${own} It disconnects all assistants as well.`,
  params: {},
  reply: { ended: shape.noted(shape.integer, 'The number of sessions that were ended.') },
  run: async ({ store, server, sessionId }) => ({
    ended: await store.write((tx, user) =>
      actions.endOtherSessions(tx, server.queues, user, sessionId),
    ),
  }),
})
