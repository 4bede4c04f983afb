import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { sampleCalls } from '#test/support/calls/calls.ts'
import { draw } from '#test/support/drawing.ts'
import { caller, keyOf, listWithParams } from '#test/support/limits/asking.ts'
import { beyondLimit } from '#test/support/limits/values.ts'
import { startServer } from '#test/support/server.ts'

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

// Neither answers: what is sent there comes later, and is of no matter here.
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ config: nowhere })
after(server.close)
const samples = sampleCalls(server)

/** In bytes, without what a turn of the event loop lets go. */
async function usedHeap(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    await setImmediate()
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

const listed = draw(listWithParams(), 1 / 6)

/** Statements and rows: who calls is looked up, and what the other parameters name. */
const mostWork = 100

/** In bytes, as the engine keeps the text that a pattern was last tried on: many such values have more. */
const mostKept = 6e6

describe('what is ten times over a limit is refused without looking further, and leaves nothing behind', () => {
  const calls = new Map<Endpoint, ReturnType<typeof caller>>()
  let usedBefore = 0

  before(async () => {
    for (const { endpoint } of listed) {
      const call = caller(server, samples, endpoint)
      // So that neither the sample nor the values count, which are kept.
      await call('', { [Object.keys(endpoint.params)[0] ?? '']: '\0' })
      Object.values(endpoint.params).map(beyondLimit)
      calls.set(endpoint, call)
    }
    usedBefore = await usedHeap()
  })

  for (const section of new Set(listed.map((each) => each.section))) {
    const endpoints = listed
      .filter((each) => each.section === section)
      .map(({ endpoint }) => endpoint)
    // To collect garbage takes longer than all else, so memory is measured once a section.
    describe(section, () => {
      for (const endpoint of endpoints) {
        test(keyOf(endpoint), async () => {
          for (const [name, param] of Object.entries(endpoint.params)) {
            const answer = await calls.get(endpoint)?.(name, { [name]: beyondLimit(param) })
            assert.equal(answer?.result, 'error', name)
            assert.ok(answer.work <= mostWork, `${name}: ${answer.work} statements and rows`)
          }
        })
      }

      test('memory is as before', async () => {
        const used = await usedHeap()
        const grown = used - usedBefore
        usedBefore = used
        assert.ok(grown < mostKept, `grew by ${grown} bytes`)
      })
    })
  }
})
