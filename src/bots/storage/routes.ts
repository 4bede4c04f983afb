import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { endpoint } from '#http/endpoint.ts'
import { json, optional, textArray, textPairs } from '#http/params.ts'
import { record, string } from '#shape.ts'
import { removeEntries, storageLimit, storeEntries } from './actions.ts'
import { findValue, listEntries } from './queries.ts'

/** The longest key, in UTF-16 units. */
const longestKey = 1000
/** The most keys in one call. */
const mostKeys = 10_000

/** Most of the characters that a form has to escape take three bytes, and six in JSON. */
const bodyLimit = 4 * storageLimit

/** @throws BAD_REQUEST for people: they have no use for it */
function requireBot({ user }: Caller): void {
  if (user.botType === null) throw badRequest('This endpoint is only available to bots.')
}

/** @source the API description of `GET /bot_storage`; api-changes §2b */
export const getStorage = endpoint({
  method: 'get',
  path: '/bot_storage',
  summary: 'Return what the calling bot keeps here, all of it or the named keys.',
  params: { keys: optional(json(textArray(mostKeys, longestKey))) },
  reply: { storage: record(string) },
  run(caller, p) {
    requireBot(caller)
    const { store, user } = caller
    const chosen = p.keys?.map((key): [string, string] => {
      const value = findValue(store, user.id, key)
      if (value === undefined) throw badRequest('Key does not exist.')
      return [key, value]
    })
    return { storage: Object.fromEntries(chosen ?? listEntries(store, user.id)) }
  },
})

/** @source the API description of `PUT /bot_storage` */
export const updateStorage = endpoint({
  method: 'put',
  path: '/bot_storage',
  summary: 'Keep texts for the calling bot, each under a key.',
  params: { storage: json(textPairs(mostKeys, longestKey, 2 * storageLimit)) },
  reply: {},
  bodyLimit,
  run(caller, p) {
    requireBot(caller)
    return caller.store.write((tx) => storeEntries(tx, caller.user.id, p.storage))
  },
})

/** @source the API description of `DELETE /bot_storage` */
export const removeStorage = endpoint({
  method: 'delete',
  path: '/bot_storage',
  summary: 'Remove what the calling bot keeps here, all of it or the named keys.',
  params: { keys: optional(json(textArray(mostKeys, longestKey))) },
  reply: {},
  run(caller, p) {
    requireBot(caller)
    return caller.store.write((tx) => removeEntries(tx, caller.user.id, p.keys))
  },
})
