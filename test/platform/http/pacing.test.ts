import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createPacing } from '#platform/http/pacing.ts'
import { startServer } from '#test/support/server.ts'

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('requests of one account', () => {
  test('begin one in a turn of the event loop, in their order', async () => {
    const pacing = createPacing()
    let turn = 0
    const begun: [string, number][] = []
    assert.equal(pacing.turn('a'), undefined)
    for (const name of ['second', 'third', 'fourth']) {
      void pacing.turn('a')?.then(() => begun.push([name, turn]))
    }
    assert.equal(pacing.turn('b'), undefined, 'nobody else waits')
    while (++turn < 10) await setImmediate()
    assert.deepEqual(
      begun.map(([name]) => name),
      ['second', 'third', 'fourth'],
    )
    assert.equal(new Set(begun.map(([, at]) => at)).size, 3)
    assert.equal(pacing.turn('a'), undefined, 'it is over')
  })

  test('wait after work for as long as that took, and nobody else does', async () => {
    const pacing = createPacing()
    const order: string[] = []
    pacing.timed('a', () => work(40))
    assert.equal(pacing.turn('b'), undefined)
    // Timers fire in the order in which they are due.
    const half = new Promise<void>((resolve) => void setTimeout(resolve, 20)).then(() => {
      order.push('half of it')
    })
    const next = pacing.turn('a')?.then(() => order.push('the next request'))
    assert.ok(next)
    await Promise.all([half, next])
    assert.deepEqual(order, ['half of it', 'the next request'])
  })

  test('add up what they have worked meanwhile, and errors count, too', async () => {
    const pacing = createPacing()
    assert.equal(pacing.turn('a'), undefined)
    const next = pacing.turn('a')
    assert.throws(() =>
      pacing.timed('a', () => {
        work(20)
        throw new Error('wrong')
      }),
    )
    pacing.timed('a', () => work(20))
    const order: string[] = []
    const most = new Promise<void>((resolve) => void setTimeout(resolve, 25)).then(() => {
      order.push('most of it')
    })
    await Promise.all([most, next?.then(() => order.push('the next request'))])
    assert.deepEqual(order, ['most of it', 'the next request'])
  })
})

test('a request waits while its account rests, and nobody else does', async () => {
  const server = await startServer({ config: { rateLimits: true } })
  after(server.close)
  server.server.context.pacing.timed(String(server.ids.member), () => work(200))
  const order: string[] = []
  const ask = (actor: 'member' | 'owner') =>
    server
      .as(actor)
      .get('/users/me')
      .then(() => order.push(actor))
  await Promise.all([ask('member'), ask('owner')])
  assert.deepEqual(order, ['owner', 'member'])
})
