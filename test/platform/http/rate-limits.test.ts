import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { manualClock, systemClock } from '#platform/clock.ts'
import { createBuckets, mostSubjects } from '#platform/http/buckets.ts'
import { createRateLimits, tokenCosts } from '#platform/http/rate-limit.ts'
import { fixtureTime } from '#program/fixture/options.ts'
import { plainFetch } from '#test/support/conformance.ts'
import { type Actor, startServer } from '#test/support/server.ts'

/** How long measured work takes; each look at the clock is a tick. */
let tickMs = 0
let elapsed = 0
const clock = {
  ...manualClock(fixtureTime),
  elapsed: () => {
    elapsed += tickMs
    return elapsed
  },
}
const server = await startServer({ socket: true, clock, config: { rateLimits: true } })
after(server.close)

interface Left {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  /** Seconds since the epoch. */
  readonly reset: number
}

async function call(
  method: string,
  path: string,
  { as, ...init }: { as?: Actor; body?: URLSearchParams; headers?: Record<string, string> } = {},
): Promise<Left> {
  const { email, apiKey } = server.as(as ?? 'member')
  const basic = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
  const headers = { ...(as && { authorization: basic }), ...init.headers }
  const response = await plainFetch(server.url + path, { ...init, method, headers })
  await response.arrayBuffer()
  const number = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  return {
    status: response.status,
    limit: number('limit'),
    remaining: number('remaining'),
    reset: number('reset'),
  }
}

/** What a call costs an account that has just made another. */
async function costOf(as: Actor, act: () => Promise<Left>): Promise<number> {
  const before = await call('GET', '/api/v1/users/me', { as })
  const spent = await act()
  return before.remaining - spent.remaining
}

describe('what is left is told with every reply', () => {
  test('to an account', async () => {
    const first = await call('GET', '/api/v1/users/me', { as: 'zoe' })
    assert.deepEqual([first.limit, first.remaining], [2000, 1999])
    const second = await call('GET', '/api/v1/streams', { as: 'zoe' })
    assert.deepEqual([second.limit, second.remaining], [2000, 1998])
    const now = clock.now() / 1000
    assert.ok(second.reset >= now && second.reset <= now + 1, String(second.reset - now))
  })

  test('to a network without an account', async () => {
    const { limit, remaining } = await call('GET', '/api/v1/server_settings')
    assert.deepEqual([limit, remaining], [500, 499])
  })

  test('with an error, and with a page', async () => {
    const wrong = await call('GET', '/api/v1/messages/x', { as: 'zoe' })
    assert.ok(wrong.status >= 400)
    assert.equal(wrong.limit, 2000)
    const page = await call('GET', '/user_uploads/2/none', { as: 'zoe' })
    assert.equal(page.remaining, wrong.remaining - 1)
  })

  test('to web apps of other sites as well', async () => {
    const headers = { origin: 'http://localhost' }
    const response = await plainFetch(`${server.url}/api/v1/server_settings`, { headers })
    const exposed = response.headers.get('access-control-expose-headers') ?? ''
    assert.match(exposed, /X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset/)
  })

  test('unless there are no limits', async () => {
    const free = await startServer({ socket: true })
    after(free.close)
    const response = await plainFetch(`${free.url}/api/v1/server_settings`)
    assert.equal(response.headers.get('x-ratelimit-limit'), null)
  })
})

test('an account has one budget for the API, for files and for uploads in parts', async () => {
  const as = 'othello'
  const headers = { 'tus-resumable': '1.0.0' }
  const paths = ['/api/v1/users/me', '/user_uploads/2/none', '/api/v1/tus/ab', '/api/v1/streams']
  const left: number[] = []
  for (const path of paths) left.push((await call('GET', path, { as, headers })).remaining)
  assert.deepEqual(left, [1999, 1998, 1997, 1996])
})

describe('what a call costs', () => {
  test('a token for a cheap one', async () => {
    const cheap = () => call('GET', '/api/v1/users/me', { as: 'prospero' })
    assert.equal(await costOf('prospero', cheap), 1)
  })

  test('a token for one of a public endpoint, also with a wrong key', async () => {
    const authorization = `Basic ${Buffer.from('nobody@zulip.com:wrong').toString('base64')}`
    const before = await call('GET', '/api/v1/server_settings')
    const after = await call('GET', '/api/v1/server_settings', { headers: { authorization } })
    assert.deepEqual([after.status, before.remaining - after.remaining], [200, 1])
  })
  test('more for a large one', async () => {
    const content = 'x'.repeat(600 * 1024)
    const body = new URLSearchParams({ content })
    const large = () => call('PUT', '/api/v1/bot_storage', { as: 'prospero', body })
    assert.equal(await costOf('prospero', large), 1 + 2)
  })

  test('more for work, and more still if the writer does it', async () => {
    const read = () => call('GET', '/api/v1/users/me', { as: 'cordelia' })
    const body = new URLSearchParams({ type: 'direct', to: '[8]', content: 'Hello.' })
    const write = () => call('POST', '/api/v1/messages', { as: 'cordelia', body })
    tickMs = 20 * tokenCosts.workMs
    const worked = await costOf('cordelia', read)
    const written = await costOf('cordelia', write)
    tickMs = 0
    assert.ok(worked > 10, String(worked))
    assert.ok(written > worked + 5, `${written} instead of ${worked}`)
  })

  test('for a register, its work once', async () => {
    const { queues } = server.server.context
    const { open } = queues
    const workMs = 300
    queues.open = (...asked) => {
      elapsed += workMs
      return open.apply(queues, asked)
    }
    const body = new URLSearchParams({ fetch_event_types: '["realm_emoji"]' })
    const register = () => call('POST', '/api/v1/register', { as: 'othello', body })
    const cost = await costOf('othello', register).finally(() => Object.assign(queues, { open }))
    // Tokens come back while it works, at a ninth of this rate.
    const most = 1 + workMs / tokenCosts.workMs
    assert.ok(cost <= most && cost > 0.8 * most, String(cost))
  })

  test('more for a text that is hard to show', async () => {
    const real = await startServer({
      socket: true,
      clock: { ...manualClock(fixtureTime), elapsed: systemClock.elapsed },
      config: { rateLimits: true },
    })
    after(real.close)
    const limits = real.server.context.rateLimits.bill('api', real.ids.member)
    const left = () => Number(limits.headers()['X-RateLimit-Remaining'])
    const render = async (content: string) => {
      const before = left()
      await real.as('member').post('/messages/render', { content })
      return before - left()
    }
    const hard = await render('$$\\frac{a}{b}$$ '.repeat(600))
    const easy: number[] = []
    for (let i = 0; i < 10; i++) easy.push(await render('Hello.'))
    assert.ok(hard > Math.min(...easy), `${hard} and ${easy}`)
  })

  test('what an account owes keeps it waiting, and nobody else', () => {
    const time = manualClock(0)
    const limits = createRateLimits(time)
    limits.bill('api', 1).timed(() => time.advance(2 * 60_000))
    assert.throws(() => limits.bill('api', 1).open(), { extra: { 'retry-after': 60.03 } })
    limits.bill('api', 2).open()
    time.advance(60_030)
    limits.bill('api', 1).open()
  })
})

describe('the memory for buckets', () => {
  const budget = { tokens: 10, seconds: 60 }

  test('has an end', () => {
    const buckets = createBuckets(budget, manualClock(0))
    for (let i = 0; i < 3 * mostSubjects; i++) buckets.take(`subject ${i}`, 10)
    assert.ok(buckets.size <= mostSubjects, String(buckets.size))
  })

  test('keeps who is in use while others flood it', () => {
    const buckets = createBuckets(budget, manualClock(0), 100)
    buckets.take('busy', 10)
    for (let i = 0; i < 1000; i++) {
      buckets.take(`other ${i}`, 1)
      assert.ok(buckets.wait('busy') > 0)
    }
  })

  test('forgets by time only what is full again', () => {
    const time = manualClock(0)
    const buckets = createBuckets(budget, time)
    for (let i = 0; i < 100; i++) buckets.take(`subject ${i}`, 100)
    time.advance(119_000)
    assert.ok(buckets.left('subject 1') < 10)
    for (let i = 0; i < 2; i++) {
      time.advance(121_000)
      buckets.take('another', 1)
    }
    assert.equal(buckets.size, 1)
  })
})

describe('the bots of an owner', () => {
  test('have a budget together, besides one each, so that more bots are not more calls', () => {
    const limits = createRateLimits(systemClock)
    const left = (id: number, botOwnerId: number | null) =>
      Number(limits.accountBill({ id, botOwnerId }).headers()['X-RateLimit-Remaining'])
    limits.accountBill({ id: 21, botOwnerId: 5 }).charge(1500)
    assert.equal(left(21, 5), 500)
    assert.equal(left(22, 5), 2000)
    for (const id of [22, 23, 24]) limits.accountBill({ id, botOwnerId: 5 }).charge(1500)
    assert.equal(left(25, 5), 0)
    assert.throws(() => limits.accountBill({ id: 25, botOwnerId: 5 }).open(), {
      code: 'RATE_LIMIT_HIT',
    })
    // A leaked webhook URL must not lock out the owner, or stop the bots of others.
    assert.equal(left(5, null), 2000)
    assert.equal(left(26, 6), 2000)
  })
})
