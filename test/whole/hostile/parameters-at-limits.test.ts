import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { draw } from '#test/support/drawing.ts'
import { caller, keyOf, listWithParams } from '#test/support/limits/asking.ts'
import { atLimit } from '#test/support/limits/values.ts'
import { startServer } from '#test/support/server.ts'

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ config: nowhere })
after(server.close)
const samples = sampleCalls(server)

/** Statements and rows: a few for each of a thousand items, though they mean nothing. */
const mostWork = 4000

// full-parameters.test.ts sends what is taken.
describe('what is as long as it may be, but means nothing, asks little of the database', () => {
  for (const { endpoint } of listWithParams()) {
    test(keyOf(endpoint), async () => {
      const call = caller(server, samples, endpoint)
      for (const [name, param] of draw(Object.entries(endpoint.params), 1 / 6, keyOf(endpoint))) {
        const { work } = await call(name, { [name]: atLimit(param) })
        assert.ok(work <= mostWork, `${name}: ${work} statements and rows`)
      }
    })
  }
})
