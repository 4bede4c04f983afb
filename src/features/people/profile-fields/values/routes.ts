import { checking } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { ints } from '#platform/http/params.ts'
import { changeProfile } from './actions.ts'
import { profileChanges } from './params.ts'

export const updateOwnProfile = endpoint({
  method: 'patch',
  path: '/users/me/profile_data',
  summary: "Set values of the caller's custom profile fields.",
  params: { data: profileChanges },
  reply: {},
  run: ({ store, server }, { data }) =>
    store.write((tx, user) =>
      checking('data', () => changeProfile(tx, user, data, false, server.realmUrl)),
    ),
})

export const clearOwnProfile = endpoint({
  method: 'delete',
  path: '/users/me/profile_data',
  summary: "Clear values of the caller's custom profile fields.",
  params: { data: ints(1000) },
  reply: {},
  run: ({ store, server }, { data }) =>
    store.write((tx, user) =>
      changeProfile(
        tx,
        user,
        data.map((id) => ({ id, value: null })),
        false,
        server.realmUrl,
      ),
    ),
})
