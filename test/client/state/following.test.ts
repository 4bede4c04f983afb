import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startServer } from '#test/support/server.ts'
import { actionsOf } from '#test/whole/replay/actions/all.ts'
import { randomActions } from '#test/whole/replay/random-actions.ts'
import { compareAll, followAll } from './compare.ts'

/** A push service that takes every registration. */
const pushService = createHttpServer((_, response) => response.end('{"device_id": 77}'))
await new Promise<void>((listening) => pushService.listen(0, '127.0.0.1', listening))
after(() => {
  pushService.closeAllConnections()
  pushService.close()
})
const { port } = pushService.address() as AddressInfo
const pushServiceUrl = `http://organization:key@127.0.0.1:${port}`
const server = await startServer({ config: { pushServiceUrl } })
after(server.close)

const people = ['owner', 'member', 'outsider', 'guest'] as const
const followers = await followAll(server, people)

test('after what people do, a store that followed the events is the store of a new registration', async () => {
  const actions = actionsOf(server)
  for (const [i, [title, act]] of actions.entries()) {
    const reply = await act()
    assert.equal(reply?.result ?? 'success', 'success', `${title}: ${reply?.msg}`)
    if (i % 6 > 0 && i < actions.length - 1) continue
    const problems = await compareAll(followers, title)
    assert.equal(problems.join('\n'), '')
  }
})

test('after a random walk through the channels, it is the store of a new registration as well', async () => {
  const { act, count } = await randomActions(server, 7)
  for (let step = 1; step <= 192; step++) {
    await act()
    if (step % 24 > 0) continue
    const problems = await compareAll(followers, `${step} random actions`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > 40, `${count()} of the actions did something`)
})

test('clients that were away, and look up what they missed, have the store of a new registration', async () => {
  const { act, count } = await randomActions(server, 11)
  const size = () => server.server.context.queues.size()
  for (let step = 1; step <= 192; step++) {
    if (step % 24 === 1) {
      server.clock.advance(60_000)
      assert.ok(size().away >= people.length, `${size().away} are away`)
    }
    await act()
    if (step % 24 > 0) continue
    const problems = await compareAll(followers, `${step} random actions`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > 40, `${count()} of the actions did something`)
})
