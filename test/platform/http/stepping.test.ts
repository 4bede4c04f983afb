import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Hono } from 'hono'
import { type ManualClock, manualClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { startTrace } from '#platform/http/log.ts'
import { createPacing, openAccountBill } from '#platform/http/pacing.ts'
import { noRateLimits } from '#platform/http/rate-limit.ts'
import { finish } from '#platform/http/stepping.ts'
import type { Steps } from '#platform/steps.ts'

const accounts = ['long', 'short', 'other', 'quick']

/** Each request says who asks and for how many steps, each of which takes as many milliseconds. */
function serve(check: () => void = () => {}) {
  const clock = manualClock(0)
  const pacing = createPacing(clock.elapsed)
  const server = { clock, pacing, rateLimits: noRateLimits } as Partial<Context> as Context
  const log: string[] = []
  const app = new Hono()
  app.get('/:name/:steps/:ms', async (c) => {
    const { name, steps, ms } = c.req.param()
    startTrace(c)
    openAccountBill(c, server, { id: accounts.indexOf(name), botOwnerId: null })
    const work = working(clock, log, name, { steps: Number(steps), ms: Number(ms) })
    return c.text(await finish(c, server, work, check))
  })
  return { log, ask: async (path: string) => await (await app.request(path)).text() }
}

function* working(
  clock: ManualClock,
  log: string[],
  name: string,
  { steps, ms }: { steps: number; ms: number },
): Steps<string> {
  for (let i = 0; i < steps; i++) {
    log.push(name)
    clock.advance(ms)
    yield
  }
  return `${name} is done`
}

describe('work in steps', () => {
  test('lets others have their turn between them', async () => {
    const { ask, log } = serve()
    const answers = await Promise.all([ask('/long/20/10'), ask('/short/1/1'), ask('/other/1/1')])
    assert.deepEqual(answers, ['long is done', 'short is done', 'other is done'])
    assert.deepEqual(log.slice(0, 3), ['long', 'short', 'other'])
    assert.equal(log.length, 22)
  })

  test('is done at once while it is short', async () => {
    const { ask, log } = serve()
    await Promise.all([ask('/quick/4/1'), ask('/other/1/1')])
    assert.deepEqual(log, ['quick', 'quick', 'quick', 'quick', 'other'])
  })

  test('of two requests of one account goes on in turn', async () => {
    const { ask, log } = serve()
    const both = [ask('/long/5/10'), ask('/long/5/10')]
    const third = ask('/short/1/1')
    await Promise.all([...both, third])
    assert.ok(log.indexOf('short') <= 2, log.join(' '))
  })

  test('ends when it must not go on', async () => {
    let isAllowed = true
    const { ask, log } = serve(() => {
      if (!isAllowed) throw new Error('gone')
    })
    const asked = ask('/long/20/10')
    isAllowed = false
    assert.equal(await asked, 'Internal Server Error')
    assert.equal(log.length, 1)
  })
})
