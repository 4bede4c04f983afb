import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Bounds } from '#platform/http/bounds.ts'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { caller, keyOf, listWithParams } from '#test/support/limits/asking.ts'
import { assertCheap } from '#test/support/limits/cpu.ts'
import { gatherCrowd } from '#test/support/limits/crowd.ts'
import { fullValues } from '#test/support/limits/full-values.ts'
import { startServer } from '#test/support/server.ts'

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ inProcess: true, config: nowhere })
after(server.close)
const samples = sampleCalls(server)
const full = fullValues(server, await gatherCrowd(server))

describe('in a large organization, a request that does as much as it may takes 100 ms of CPU', () => {
  for (const { endpoint } of listWithParams()) {
    const fills = Object.entries(full[keyOf(endpoint)] ?? {})
    if (fills.length === 0) continue
    test(keyOf(endpoint), async () => {
      const call = caller(server, samples, endpoint)
      for (const [name, fill] of fills) {
        await assertCheap(name, async () => {
          const { result, msg, cpu } = await call(name, await fill())
          assert.equal(result, 'success', `${name}: ${msg}`)
          return cpu
        })
      }
    })
  }
})

/** Lists that nothing fills. */
const neverFull = [
  // A bot has the options of its integration, which are few.
  'POST /bots config_data',
  'PATCH /bots/:bot_id{-?[0-9]+} config_data',
  // Only system groups.
  'PATCH /realm can_access_all_users_group',
  'PATCH /realm can_create_web_public_channel_group',
  // The members of one direct conversation.
  'GET /pinned_messages user_ids',
  // The days of the week.
  'PATCH /users/me/quiet_times schedule',
  // Templates, each of them short.
  'POST /realm/linkifiers/preview alternative_url_templates',
]

const holdsList = ({ list, object }: Bounds): boolean =>
  list !== undefined ||
  object?.others !== undefined ||
  Object.values(object?.members ?? {}).some(holdsList)

test('there is such a request for every list that a parameter takes', () => {
  const missing = listWithParams().flatMap(({ endpoint }) =>
    Object.entries(endpoint.params)
      .filter(([name, { bounds }]) => holdsList(bounds) && !full[keyOf(endpoint)]?.[name])
      .map(([name]) => `${keyOf(endpoint)} ${name}`),
  )
  assert.deepEqual(missing.sort(), neverFull.sort())
})
