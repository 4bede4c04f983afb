import { endpoint } from '#http/endpoint.ts'
import { ints } from '#http/params.ts'
import { changeProfile } from './actions.ts'
import { profileChanges } from './param.ts'

/** @source api-changes §2b */
export const updateOwnProfile = endpoint({
  method: 'patch',
  path: '/users/me/profile_data',
  summary: "Fill in fields of the caller's profile.",
  params: { data: profileChanges },
  reply: {},
  run: ({ store, user }, { data }, { origin }) =>
    store.write((tx) => changeProfile(tx, user, data, false, origin)),
})

/** @source api-changes §2b */
export const clearOwnProfile = endpoint({
  method: 'delete',
  path: '/users/me/profile_data',
  summary: "Clear fields of the caller's profile.",
  params: { data: ints(1000) },
  reply: {},
  run: ({ store, user }, { data }, { origin }) =>
    store.write((tx) =>
      changeProfile(
        tx,
        user,
        data.map((id) => ({ id, value: null })),
        false,
        origin,
      ),
    ),
})
