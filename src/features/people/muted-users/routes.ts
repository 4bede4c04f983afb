import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import * as actions from './actions.ts'

/** @source Zulip API, "Mute a user" */
export const muteUser = endpoint({
  method: 'post',
  path: '/users/me/muted_users/:muted_user_id{[0-9]+}',
  summary: 'Mute a user.',
  params: { muted_user_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.muteUser(tx, caller, p.muted_user_id)),
})

/** @source Zulip API, "Unmute a user" */
export const unmuteUser = endpoint({
  method: 'delete',
  path: '/users/me/muted_users/:muted_user_id{[0-9]+}',
  summary: 'Unmute a user.',
  params: { muted_user_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.unmuteUser(tx, caller, p.muted_user_id)),
})
