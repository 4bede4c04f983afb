import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { json, optional, textArray, textPairs } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { removeEntries, storeEntries } from './actions.ts'
import { findValue, listEntries } from './queries.ts'
import { storageKeyQuota, storageQuota } from './quotas.ts'

/** The longest key, in UTF-16 code units. */
const longestKey = 1000
/** The most keys per request, and the longest value, in UTF-16 code units. */
const mostKeys = 1000
const longestValue = 1_000_000

/**
 * @throws BAD_REQUEST not a bot
 * @source Zulip API, "API changelog" (feature level 494)
 */
function requireBot({ user }: Caller): void {
  if (user.botType === null) throw badRequest('This endpoint is only available to bots.')
}

export const getStorage = endpoint({
  method: 'get',
  path: '/bot_storage',
  summary: 'Get stored values of the calling bot: all of them, or those of the given keys.',
  params: { keys: optional(json(textArray(mostKeys, longestKey))) },
  reply: { storage: shape.record(shape.string) },
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

export const updateStorage = endpoint({
  method: 'put',
  path: '/bot_storage',
  summary: 'Store values for the calling bot, each under a key.',
  description: limitsText(storageQuota, storageKeyQuota),
  params: { storage: json(textPairs(mostKeys, longestKey, longestValue), 2 * longestValue) },
  reply: {},
  run(caller, p) {
    requireBot(caller)
    return caller.store.write((tx) => storeEntries(tx, caller.user.id, p.storage))
  },
})

export const removeStorage = endpoint({
  method: 'delete',
  path: '/bot_storage',
  summary: 'Remove stored values of the calling bot: all of them, or those of the given keys.',
  params: { keys: optional(json(textArray(mostKeys, longestKey))) },
  reply: {},
  run(caller, p) {
    requireBot(caller)
    return caller.store.write((tx) => removeEntries(tx, caller.user.id, p.keys))
  },
})
