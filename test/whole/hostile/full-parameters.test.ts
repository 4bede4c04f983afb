import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Bounds } from '#platform/http/bounds.ts'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { isWhole } from '#test/support/drawing.ts'
import { caller, keyOf, listWithParams } from '#test/support/limits/asking.ts'
import { gatherCrowd } from '#test/support/limits/crowd.ts'
import { fullValues } from '#test/support/limits/full-values.ts'
import { assertProportional } from '#test/support/limits/proportional.ts'
import { startServer } from '#test/support/server.ts'

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ config: nowhere })
after(server.close)
const samples = sampleCalls(server)
/** How much of their limits requests carry. */
const share = isWhole ? 1 : 0.2
const crowd = await gatherCrowd(server, share)
const [half, full] = [fullValues(server, crowd, share / 2), fullValues(server, crowd, share)]

describe('a request with twice as much in it asks about twice as much of the database', () => {
  for (const { endpoint } of listWithParams()) {
    const key = keyOf(endpoint)
    const names = Object.keys(full[key] ?? {})
    if (names.length === 0) continue
    test(key, async () => {
      const call = caller(server, samples, endpoint)
      for (const name of names) {
        const work: number[] = []
        for (const values of [half, full]) {
          const answer = await call(name, (await values[key]?.[name]?.()) ?? {})
          assert.equal(answer.result, 'success', `${name}: ${answer.msg}`)
          work.push(answer.work)
        }
        const [less = 0, more = 0] = work
        assertProportional(name, less, more)
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
