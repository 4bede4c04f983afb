import { after, describe, test } from 'node:test'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { caller, keyOf, listWithParams } from '#test/support/limits/asking.ts'
import { assertCheap } from '#test/support/limits/cpu.ts'
import { atLimit } from '#test/support/limits/values.ts'
import { startServer } from '#test/support/server.ts'

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ inProcess: true, config: nowhere })
after(server.close)
const samples = sampleCalls(server)

// What is as long as it may be, but means nothing. full-parameters.test.ts sends what is taken.
describe('what is at its limit is answered within 100 ms of CPU', () => {
  for (const { endpoint } of listWithParams()) {
    test(keyOf(endpoint), async () => {
      const call = caller(server, samples, endpoint)
      for (const [name, param] of Object.entries(endpoint.params)) {
        const replaced = { [name]: atLimit(param) }
        const attempt = async () => (await call(name, replaced)).cpu
        await assertCheap(name, attempt)
      }
    })
  }
})
