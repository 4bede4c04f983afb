import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { updateUser } from '#features/foundation/users/queries.ts'
import { failure } from '#test/support/replies.ts'
import { type Client, startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true, config: { rateLimits: true } })
after(server.close)
const { queues, rateLimits, store } = server.server.context

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>
  readonly reply: Record<string, unknown> & { readonly events?: readonly { readonly id: number }[] }
}

const basic = ({ email, apiKey }: Pick<Client, 'email' | 'apiKey'>) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`

/** Someone who polls on one connection, and has got some events by polls that waited. */
async function poller(name: string) {
  const person = await server.enroll(name)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  const form = { event_types: ['message'], fetch_event_types: [] }
  const { queue_id } = await person.post<{ queue_id: string }>('/register', form)
  let last = -1

  function ask(query: string, as: Pick<Client, 'email' | 'apiKey'> = person): Promise<Answer> {
    const headers = { authorization: basic(as) }
    return new Promise((resolve, reject) => {
      get(`${server.url}/api/v1/events?${query}`, { agent, headers }, async (response) => {
        const reply: Answer['reply'] = JSON.parse(await text(response))
        last = reply.events?.at(-1)?.id ?? last
        resolve({ headers: response.headers, reply })
      }).on('error', reject)
    })
  }

  const query = (id = last) => `queue_id=${queue_id}&last_event_id=${id}`
  const poll = () => ask(query())

  /** A poll that waits until `act` has been done. */
  async function waiting(act: () => Promise<unknown>, asked = query()): Promise<Answer> {
    const before = queues.size().parked
    const answer = ask(asked)
    while (queues.size().parked === before) await turn()
    await act()
    return await answer
  }

  const write = () =>
    server.as('member').post('/messages', { type: 'direct', to: [person.id], content: 'Hello.' })
  const next = () => waiting(write)
  const first = await next()
  const second = await next()
  return { person, queue_id, first, second, ask, query, poll, waiting, next, write }
}

test('a poll that repeats the one before is answered as that one was', async () => {
  const { first, second, next } = await poller('Same Answers')
  const third = await next()
  const names = ({ headers }: Answer) => Object.keys(headers)
  assert.deepEqual(names(second), names(first))
  assert.deepEqual(names(third), names(first))
  for (const { headers, reply } of [first, second, third]) {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(reply.events?.length, 1)
  }
  const ids = new Set([first, second, third].map(({ headers }) => headers['x-request-id']))
  assert.equal(ids.size, 3, 'each has an ID of its own')
})

test('it gets at once what came since, all of it in order', async () => {
  const { query, ask, poll, next, write } = await poller('In Between')
  const { reply } = await next()
  const seen = reply.events?.[0]?.id ?? 0
  await write()
  await write()
  const both = await poll()
  assert.deepEqual(
    both.reply.events?.map(({ id }) => id),
    [seen + 1, seen + 2],
  )
  assert.deepEqual((await ask(query(seen))).reply.events, both.reply.events)
})

test('every poll costs a token, and none waits for someone without any', async () => {
  const { person, second, next, waiting, poll, write } = await poller('Paying')
  const left = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining'])
  const third = await next()
  assert.equal(left(second) - left(third), 1)
  await write()
  // It takes the usual way, which does not count it twice.
  assert.equal(left(third) - left(await poll()), 1)
  rateLimits.bill('api', person.id).charge(2000)
  assert.equal((await poll()).reply.code, 'RATE_LIMIT_HIT')
  server.clock.advance(60_000)
  assert.equal((await waiting(write)).reply.result, 'success')
})

describe('it is refused', () => {
  const wrongKey = failure('Invalid API key', 'INVALID_API_KEY')
  const change = (person: Client, apiKey: string) =>
    store.write((tx) => updateUser(tx, person.id, { apiKey }))

  test('once the key is another one', async () => {
    const { person, poll } = await poller('New Key')
    await change(person, '0'.repeat(32))
    assert.deepEqual((await poll()).reply, wrongKey)
  })

  test('once the key has changed while it waited', async () => {
    const { person, waiting, write } = await poller('New Key Meanwhile')
    const { reply } = await waiting(async () => {
      await change(person, '1'.repeat(32))
      await write()
    })
    assert.deepEqual(reply, wrongKey)
  })

  test('once the account is deactivated', async () => {
    const { person, poll } = await poller('Deactivated')
    await server.as('owner').del(`/users/${person.id}`)
    const refusal = failure('Account is deactivated', 'USER_DEACTIVATED')
    assert.deepEqual((await poll()).reply, refusal)
  })

  test('once the account is deactivated while it waits', async () => {
    const { person, waiting } = await poller('Deactivated Meanwhile')
    const { reply } = await waiting(() => server.as('owner').del(`/users/${person.id}`))
    assert.deepEqual(reply, failure('Account is deactivated', 'USER_DEACTIVATED'))
  })

  test('with the key of someone else', async () => {
    const { query, ask } = await poller('Owner Of Queue')
    const other = await server.enroll('Other Key')
    assert.equal((await ask(query(), other)).reply.code, 'BAD_EVENT_QUEUE_ID')
  })

  test('with an ID that the queue never had', async () => {
    const { query, ask } = await poller('From The Future')
    assert.equal((await ask(query(1000))).reply.code, 'BAD_EVENT_QUEUE_ID')
  })

  test('once the queue is deleted', async () => {
    const { person, queue_id, poll } = await poller('Deleted Queue')
    await person.del('/events', { queue_id })
    assert.equal((await poll()).reply.code, 'BAD_EVENT_QUEUE_ID')
  })

  test('with two values for the parameter, even if the first poll had one of them twice', async () => {
    const { query, ask, waiting, write } = await poller('Two Values')
    const twice = failure('Argument "last_event_id" was sent more than once.', 'BAD_REQUEST')
    for (const name of ['last_event_id', 'last%5Fevent_id']) {
      const { reply } = await waiting(
        write,
        `${query()}&${query().replace(/.*&last_event_id/, name)}`,
      )
      const old = (reply.events?.[0]?.id ?? 0) - 1
      assert.deepEqual((await ask(`${query()}&${name}=${old}`)).reply, twice)
    }
  })
})

test('a role that has changed does not end it', async () => {
  const { person, next, waiting, write } = await poller('New Role')
  await server.as('owner').patch(`/users/${person.id}`, { role: 200 })
  assert.equal((await next()).reply.result, 'success')
  const { reply } = await waiting(async () => {
    await server.as('owner').patch(`/users/${person.id}`, { role: 600 })
    await write()
  })
  assert.equal(reply.result, 'success')
})
