import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import { type Client, startServer } from '#test/support/server.ts'

const server = await startServer({
  config: { rateLimits: true, quotas: { user_groups_per_hour: 1 } },
})
after(server.close)
const { channels } = server
const hour = 3600 * 1000

beforeEach(() => server.clock.advance(hour))

async function use(client: Client, calls: number): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < calls; i++) statuses.push((await client.get('/users/me')).status)
  return statuses
}

const send = { type: 'channel', to: channels.public, topic: 'later', content: 'Now?' }
const now = () => Math.floor(server.clock.now() / 1000)

/** Schedules a message, and tells whether it has been sent. */
async function schedule(secondsFromNow: number): Promise<() => Promise<boolean>> {
  const author = server.as('owner')
  const reply = await author.post('/scheduled_messages', {
    ...send,
    scheduled_delivery_timestamp: now() + secondsFromNow,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return async () => {
    await server.settled()
    const { scheduled_messages } = await author.get<{
      scheduled_messages: { scheduled_message_id: number }[]
    }>('/scheduled_messages')
    return scheduled_messages.every(
      ({ scheduled_message_id }) => scheduled_message_id !== reply.scheduled_message_id,
    )
  }
}

describe('a clock that is set back by an hour', () => {
  test('locks out nobody who has been active', async () => {
    const before = await use(server.as('member'), 20)
    server.clock.jump(-hour)
    const later = await use(server.as('member'), 20)
    assert.deepEqual(new Set([...before, ...later]), new Set([200]))
  })

  test('does not lengthen the wait after wrong passwords', async () => {
    const login = (password: string) =>
      server.anonymous.post('/fetch_api_key', { username: 'cordelia@zulip.com', password })
    for (let i = 0; i < 10; i++) await login('wrong')
    const refused = await login('wrong')
    assert.equal(refused.code, 'RATE_LIMIT_HIT')
    server.clock.jump(-hour)
    assert.equal((await login('wrong'))['retry-after'], refused['retry-after'])
    server.clock.advance(Number(refused['retry-after']) * 1000)
    assert.equal((await login('cordelia-password')).result, 'success')
  })

  test('does not count what an account did in the hour to come', async () => {
    const create = async (name: string) =>
      await server.as('member').post('/user_groups/create', { name, description: '', members: [] })
    assert.equal((await create('before')).result, 'success')
    server.clock.jump(-hour)
    assert.equal((await create('after')).result, 'success')
  })

  test('sends what is scheduled when its time has come by the new time', async () => {
    const isSent = await schedule(300)
    server.clock.jump(-hour)
    server.clock.advance(10 * 60_000)
    assert.equal(await isSent(), false)
    server.clock.advance(hour)
    assert.equal(await isSent(), true)
  })
})

describe('a clock that is set forward by two hours', () => {
  test('closes no event queue', async () => {
    const watch = await server.as('member').watch('message')
    server.clock.jump(2 * hour)
    server.clock.advance(2 * 60_000)
    await server.say('owner', 'public', 'plans', 'Still there?')
    assert.equal((await watch.drain()).length, 1)
  })

  test('does not delay what is scheduled', async () => {
    const isSent = await schedule(hour / 1000)
    assert.equal(await isSent(), false)
    server.clock.jump(2 * hour)
    assert.equal(await isSent(), true)
  })
})

test("the system's clock tells within seconds that it was set", (t) => {
  let ahead = 0
  const now = Date.now.bind(Date)
  t.mock.method(Date, 'now', () => now() + ahead)
  t.mock.timers.enable({ apis: ['setInterval'] })
  let calls = 0
  const cancel = systemClock.whenSet(() => {
    calls += 1
  })
  t.mock.timers.tick(5000)
  assert.equal(calls, 0)
  ahead = hour
  t.mock.timers.tick(5000)
  t.mock.timers.tick(5000)
  assert.equal(calls, 1)
  cancel()
  ahead = 0
  t.mock.timers.tick(5000)
  assert.equal(calls, 1)
})
