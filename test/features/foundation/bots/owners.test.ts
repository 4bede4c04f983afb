import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findUser } from '#features/foundation/users/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Client, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids } = server
const { store } = server.server.context

interface Bot {
  readonly user_id: number
  readonly api_key: string
  readonly email: string
}

let made = 0

async function make(owner: Client): Promise<Bot> {
  made += 1
  const reply = await owner.post<Bot>('/bots', { full_name: `B ${made}`, short_name: `b${made}` })
  assert.equal(reply.result, 'success', reply.msg)
  return { ...reply, email: `b${made}-bot@zulipdev.com` }
}

const give = (giver: Actor, bot: Bot, to: number) =>
  server.as(giver).patch(`/bots/${bot.user_id}`, { bot_owner_id: to })

async function keyOf(owner: Actor, bot: Bot): Promise<Bot> {
  const { api_key } = await server.as(owner).get<Bot>(`/bots/${bot.user_id}/api_key`)
  return { ...bot, api_key }
}

async function regenerate(who: Actor, bot: Bot): Promise<Bot> {
  const path = `/bots/${bot.user_id}/api_key/regenerate`
  const { api_key } = await server.as(who).post<Bot>(path)
  assert.ok(api_key)
  return { ...bot, api_key }
}

/** Calls with the key of a bot. */
async function call(bot: Bot, method: string, path: string, params: Record<string, string> = {}) {
  const authorization = `Basic ${Buffer.from(`${bot.email}:${bot.api_key}`).toString('base64')}`
  const url = `${server.url}/api/v1${path}?${new URLSearchParams(params)}`
  const request = new Request(url, { method, headers: { authorization } })
  return (await (await server.server.fetch(request)).json()) as Record<string, unknown>
}

const roleOf = ({ user_id }: Pick<Bot, 'user_id'>) => findUser(store, user_id)?.role
const wrongKey = failure('Invalid API key', 'INVALID_API_KEY')

describe('a bot that is given to someone', () => {
  test('gets another key, which the old owner does not get, and its polls end', async () => {
    const bot = await make(server.as('member'))
    const queue = await call(bot, 'POST', '/register', { event_types: '["message"]' })
    const parked = call(bot, 'GET', '/events', {
      queue_id: String(queue.queue_id),
      last_event_id: '-1',
    })
    const own = await server.as('member').watch('realm_bot')
    assert.equal((await give('member', bot, ids.cordelia)).result, 'success')
    assert.deepEqual(await parked, wrongKey)
    assert.deepEqual(await call(bot, 'GET', '/users/me'), wrongKey)
    assert.ok(!JSON.stringify(await own.drain()).includes('api_key'))
    const path = `/bots/${bot.user_id}/api_key`
    assert.deepEqual(await server.as('member').get(path), failure('Insufficient permission'))
    const now = await keyOf('cordelia', bot)
    assert.equal((await call(now, 'GET', '/users/me')).user_id, bot.user_id)
  })

  /** A channel where Cordelia alone may post, with a bot of someone else in it. */
  async function restricted(bot: Bot): Promise<() => Promise<string>> {
    made += 1
    const { id } = await server.as('owner').post<{ id: number }>('/channels/create', {
      name: `restricted ${made}`,
      subscribers: [ids.cordelia, bot.user_id],
      can_send_message_group: { direct_members: [ids.cordelia], direct_subgroups: [] },
    })
    const params = { type: 'channel', to: String(id), topic: 'x', content: 'Hello' }
    return async () => {
      const { result } = await call(await keyOf('owner', bot), 'POST', '/messages', params)
      return String(result)
    }
  }

  test('has no rights of the new owner until they generate a key for it', async () => {
    const bot = await make(server.as('member'))
    const post = await restricted(bot)
    assert.equal(await post(), 'error')
    await give('member', bot, ids.cordelia)
    assert.equal(await post(), 'error')
    // Neither reading its key nor what others do takes it over.
    await keyOf('cordelia', bot)
    await regenerate('admin', bot)
    await server.as('cordelia').patch(`/bots/${bot.user_id}`, { full_name: `Mine ${made}` })
    assert.equal(await post(), 'error')
    await regenerate('cordelia', bot)
    assert.equal(await post(), 'success')
    // Given on, it has to be taken over again.
    await give('cordelia', bot, ids.member)
    await give('admin', bot, ids.cordelia)
    assert.equal(await post(), 'error')
  })

  test('has those of who takes it for themselves', async () => {
    const bot = await make(server.as('othello'))
    const post = await restricted(bot)
    await server.as('owner').patch(`/users/${ids.cordelia}`, { role: 200 })
    assert.equal((await give('cordelia', bot, ids.cordelia)).result, 'success')
    await server.as('owner').patch(`/users/${ids.cordelia}`, { role: 400 })
    assert.equal(await post(), 'success')
  })

  test('does not see the channels of the new owner before', async () => {
    const bot = await make(server.as('member'))
    const { id } = await server.as('cordelia').post<{ id: number }>('/channels/create', {
      name: 'secret plans',
      subscribers: [ids.cordelia],
      invite_only: true,
    })
    const sees = async (key: Bot) => {
      const params = { include_owner_subscribed: 'true', include_public: 'false' }
      const { streams } = await call(key, 'GET', '/streams', params)
      return (streams as { stream_id: number }[]).some(({ stream_id }) => stream_id === id)
    }
    await give('member', bot, ids.cordelia)
    assert.equal(await sees(await keyOf('cordelia', bot)), false)
    assert.equal(await sees(await regenerate('cordelia', bot)), true)
  })
})

describe('a bot has no higher role than its owner', () => {
  const setRole = (who: Actor, bot: Bot, role: number) =>
    server.as(who).patch(`/bots/${bot.user_id}`, { role })

  test('a higher one cannot be given to it', async () => {
    const bot = await make(server.as('othello'))
    const refused = failure('A bot cannot have a higher role than its owner.')
    assert.deepEqual(await setRole('owner', bot, 200), refused)
    assert.equal(roleOf(bot), 400)
  })

  test('its role is lowered with the owner’s, also while it is deactivated, and not raised', async () => {
    const person = await server.enroll('Ann', 200)
    const demote = (role: number) => server.as('owner').patch(`/users/${person.id}`, { role })
    const [active, off] = [await make(person), await make(person)]
    for (const bot of [active, off]) assert.deepEqual((await setRole('owner', bot, 200)).msg, '')
    assert.deepEqual(await server.as('owner').del(`/bots/${off.user_id}`), success)
    const queue = await server.as('admin').watch('realm_user')
    await demote(400)
    assert.deepEqual([roleOf(active), roleOf(off)], [400, 400])
    const told = (await queue.drain()).map(({ person: changed }) => changed)
    assert.deepEqual(
      told.filter((changed) => (changed as { role?: number }).role === 400),
      [person.id, active.user_id, off.user_id].map((user_id) => ({ user_id, role: 400 })),
    )
    await demote(600)
    assert.deepEqual([roleOf(active), roleOf(off)], [600, 600])
    await demote(200)
    assert.deepEqual([roleOf(active), roleOf(off)], [600, 600])
  })

  test('an administrator’s bot does nothing for administrators once its owner is demoted', async () => {
    const person = await server.enroll('Bea', 200)
    const bot = await make(person)
    await setRole('owner', bot, 200)
    const edit = () =>
      call(bot, 'PATCH', `/users/${ids.othello}`, { full_name: `Othello ${++made}` })
    assert.equal((await edit()).result, 'success')
    await server.as('owner').patch(`/users/${person.id}`, { role: 400 })
    assert.equal((await edit()).code, 'UNAUTHORIZED_PRINCIPAL')
  })

  test('it is lowered to the role of a new owner', async () => {
    const bot = await make(server.as('member'))
    await give('member', bot, ids.guest)
    assert.equal(roleOf(bot), 600)
  })
})
