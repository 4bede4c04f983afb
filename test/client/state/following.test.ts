import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startServer } from '#test/support/server.ts'
import { actionsOf } from '#test/whole/replay/actions/all.ts'
import { randomActions } from '#test/whole/replay/random-actions.ts'
import { differences, messageDifferences } from './compare.ts'
import { messageWalk } from './message-walk.ts'
import { type Follower, follow } from './support.ts'

/** A push service that takes every registration. */
const pushService = createHttpServer((_, response) => response.end('{"device_id": 77}'))
await new Promise<void>((listening) => pushService.listen(0, '127.0.0.1', listening))
after(() => {
  pushService.closeAllConnections()
  pushService.close()
})
const { port } = pushService.address() as AddressInfo
const pushServiceUrl = `http://organization:key@127.0.0.1:${port}`
const server = await startServer({ inProcess: true, config: { pushServiceUrl } })
after(server.close)

const people = ['owner', 'member', 'outsider', 'guest'] as const
const followers: [string, Follower][] = []
for (const name of people) followers.push([name, await follow(server, server.as(name))])

async function compareAll(done: string): Promise<string[]> {
  const problems: string[] = []
  for (const [name, follower] of followers) {
    await follower.catchUp()
    const found = differences(follower.store, await follower.anew())
    found.push(...messageDifferences(follower.store, await follower.fetchKnown()))
    problems.push(...found.map((difference) => `${name}, after ${done}: ${difference}`))
  }
  return problems
}

test('after what people do, a store that followed the events is the store of a new registration', async () => {
  const actions = actionsOf(server)
  for (const [i, [title, act]] of actions.entries()) {
    const reply = await act()
    assert.equal(reply?.result ?? 'success', 'success', `${title}: ${reply?.msg}`)
    if (i % 6 > 0 && i < actions.length - 1) continue
    const problems = await compareAll(title)
    assert.equal(problems.join('\n'), '')
  }
})

test('so it is after a random walk through the channels', async () => {
  const { act, count } = await randomActions(server, 7)
  for (let step = 1; step <= 240; step++) {
    await act()
    if (step % 24 > 0) continue
    const problems = await compareAll(`${step} random actions`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > 60, `${count()} of the actions did something`)
})

test('so it is after a random walk through the messages', async () => {
  const { act, count } = messageWalk(server, 3)
  for (let step = 1; step <= 400; step++) {
    await act()
    if (step % 20 > 0) continue
    const problems = await compareAll(`${step} things done with messages`)
    assert.equal(problems.join('\n'), '')
  }
  assert.ok(count() > 200, `${count()} of the actions did something`)
  for (const [name, { store }] of followers) {
    assert.ok(store.messages.current.size > 20, `${name} has ${store.messages.current.size}`)
  }
})
