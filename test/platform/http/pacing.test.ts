import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createPacing } from '#platform/http/pacing.ts'
import { startServer } from '#test/support/server.ts'

/** Pacing with a clock of its own, and in what turn of the event loop whose requests began. */
function observed() {
  let now = 0
  let turn = 0
  const pacing = createPacing(() => now)
  const begun: [name: string, turn: number][] = []
  return {
    begun,
    ask(name: string, costs = 0): void {
      const begin = () => {
        begun.push([name, turn])
        pacing.timed(name, () => (now += costs))
      }
      const wait = pacing.turn(name)
      if (wait) void wait.then(begin)
      else begin()
    },
    work: (name: string, costs: number) => void pacing.timed(name, () => (now += costs)),
    move: (name: string, bytes: number) => pacing.moved(name, bytes),
    fail(name: string, costs: number): void {
      const failing = () => {
        now += costs
        throw new Error('wrong')
      }
      assert.throws(() => pacing.timed(name, failing))
    },
    /** Lets so many turns of the event loop pass. */
    async pass(turns = 40): Promise<void> {
      for (let i = 0; i < turns; i++) {
        await setImmediate()
        turn += 1
      }
    },
    names: () => begun.map(([name]) => name),
  }
}

test('who moves many bytes is behind those who ask for little', async () => {
  const { ask, move, pass, names } = observed()
  for (let i = 0; i < 20; i++) ask('little', 5)
  for (let i = 0; i < 20; i++) {
    ask('files')
    move('files', 64 * 1024 * 1024)
  }
  await pass()
  const before = names().slice(0, names().lastIndexOf('little'))
  assert.ok(before.filter((name) => name === 'files').length < 3, names().join(' '))
})

describe('requests that come at a time', () => {
  test('of one account begin one in a turn of the event loop', async () => {
    const { ask, pass, begun } = observed()
    for (let i = 0; i < 4; i++) ask('a')
    assert.equal(begun.length, 1)
    await pass()
    assert.equal(begun.length, 4)
    assert.equal(new Set(begun.map(([, turn]) => turn)).size, 4)
  })

  test('of many accounts begin in one turn, so that they are written together', async () => {
    const { ask, pass, begun } = observed()
    for (let i = 0; i < 100; i++) ask(`account ${i}`, 1)
    for (let i = 0; i < 100; i++) ask(`account ${i}`, 1)
    assert.deepEqual(
      begun.map(([, turn]) => turn),
      Array(100).fill(0),
    )
    await pass()
    assert.equal(begun.length, 200)
    assert.equal(new Set(begun.slice(100).map(([, turn]) => turn)).size, 1)
  })

  test('wait only for those of who has had less work', async () => {
    const { ask, pass, names } = observed()
    for (let i = 0; i < 4; i++) ask('heavy', 100)
    for (let i = 0; i < 4; i++) ask('light', 1)
    await pass()
    assert.deepEqual(names(), [
      'heavy',
      ...['light', 'light', 'light', 'light'],
      ...['heavy', 'heavy', 'heavy'],
    ])
  })

  test('of two who ask for as much begin in turn', async () => {
    const { ask, pass, names } = observed()
    for (let i = 0; i < 4; i++) ask('a', 100)
    for (let i = 0; i < 4; i++) ask('b', 100)
    await pass()
    const count = (part: readonly string[]) => part.filter((name) => name === 'a').length
    for (let i = 2; i <= 8; i += 2) assert.ok(Math.abs(count(names().slice(0, i)) - i / 2) <= 1)
  })
})

test('who comes while another has been busy for long is first, but not for long', async () => {
  const { ask, pass, names } = observed()
  for (let i = 0; i < 12; i++) ask('busy', 100)
  await pass(9)
  const before = names().length
  assert.ok(before >= 4 && before < 10, String(before))
  for (let i = 0; i < 6; i++) ask('new', 100)
  await pass()
  const since = names().slice(before)
  assert.equal(since[0], 'new')
  assert.ok(since.indexOf('busy') < since.lastIndexOf('new'), since.join(' '))
})

test('one who comes back after a long silence shuts nobody out', async () => {
  const { ask, pass, names } = observed()
  for (let i = 0; i < 60; i++) ask('busy', 20)
  await pass(60)
  const before = names().length
  for (let i = 0; i < 30; i++) ask('back', 20)
  await pass(60)
  const since = names().slice(before, before + 12)
  assert.ok(since.filter((name) => name === 'busy').length >= 4, since.join(' '))
})

test('nobody waits where nobody else does, whatever they have had', async () => {
  const { ask, work, pass, names } = observed()
  work('a', 5000)
  ask('a')
  assert.deepEqual(names(), ['a'])
  await pass(4)
  ask('a')
  assert.deepEqual(names(), ['a', 'a'])
})

test('work that fails counts', async () => {
  const { ask, fail, pass, names } = observed()
  fail('a', 100)
  for (let i = 0; i < 2; i++) ask('a')
  ask('b')
  await pass()
  assert.deepEqual(names(), ['a', 'b', 'a'])
})

test('a server works on the requests of who has had less first', async () => {
  const server = await startServer({ config: { rateLimits: true } })
  after(server.close)
  const { clock, ids } = server
  server.server.context.pacing.timed(String(ids.member), () => clock.advance(60))
  const order: string[] = []
  const ask = async (actor: 'member' | 'owner') => {
    await server.as(actor).get('/users/me')
    order.push(actor)
  }
  await Promise.all([ask('member'), ask('member'), ask('owner')])
  assert.deepEqual(order, ['member', 'owner', 'member'])
})
