import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const owner = server.as('owner')
const { ids } = server
const hamlet = '@**King Hamlet**'

async function channel(name: string, people: readonly Actor[], params: CallParams = {}) {
  const subscribers = people.map((actor) => ids[actor])
  const made = { name, subscribers, ...params }
  return (await owner.post<{ id: number }>('/channels/create', made)).id
}

async function say(actor: Actor, to: number, content: string): Promise<number> {
  const sent = { type: 'channel', to, topic: 'incident', content }
  return (await server.as(actor).post<{ id: number }>('/messages', sent)).id
}

/** Moves the whole topic of a message. */
const move = (actor: Actor, id: number, to: number) =>
  server.as(actor).patch(`/messages/${id}`, {
    stream_id: to,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  })

const window = { anchor: 'newest', num_before: 100, num_after: 0 }

/** In which of many ways someone finds a message. */
async function waysTo(actor: Actor, id: number, to: number): Promise<string[]> {
  const client = server.as(actor)
  const narrows: Record<string, unknown[]> = {
    feed: [],
    channel: [['channel', to]],
    search: [['search', 'needle']],
    sender: [['sender', ids.member]],
    mentioned: [['is', 'mentioned']],
    starred: [['is', 'starred']],
  }
  const found: string[] = []
  for (const [name, narrow] of Object.entries(narrows)) {
    const params = { ...window, narrow }
    const { messages } = await client.get<{ messages?: { id: number }[] }>('/messages', params)
    if (messages?.some((message) => message.id === id)) found.push(name)
  }
  const one = await client.get<{ message?: { flags: string[] } }>(`/messages/${id}`)
  if (one.message) found.push('by ID')
  if (one.message?.flags.includes('historical')) found.push('historical')
  return found
}

const everywhere = ['feed', 'channel', 'search', 'sender', 'by ID']

describe('a message that was moved to a newer channel', () => {
  // biome-ignore format: a matrix reads best in columns
  const kinds: [string, CallParams, string[], string[]][] = [
    ['public',                      {},                                                       everywhere, ['channel', 'by ID', 'historical']],
    ['private with shared history', { invite_only: true, history_public_to_subscribers: true },  everywhere, ['channel', 'by ID', 'historical']],
    ['private with protected history', { invite_only: true, history_public_to_subscribers: false }, everywhere, []],
  ]
  for (const [kind, params, own, others] of kinds) {
    test(`is the own message of those who are there: ${kind}`, async () => {
      const from = await channel(`${kind}: from`, ['owner', 'member', 'othello', 'cordelia'])
      const first = await say('member', from, 'needle')
      const to = await channel(`${kind}: to`, ['owner', 'member', 'zoe'], params)
      assert.equal((await move('owner', first, to)).result, 'success')
      for (const actor of ['owner', 'member', 'zoe'] as const) {
        assert.deepEqual(await waysTo(actor, first, to), own, actor)
      }
      assert.deepEqual(
        await waysTo('othello', first, to),
        params.invite_only ? [] : own,
        'someone who received it, and is not there',
      )
      const subscriptions = [{ name: `${kind}: to` }]
      const principals = [ids.othello, ids.prospero]
      await owner.post('/users/me/subscriptions', { subscriptions, principals })
      assert.deepEqual(await waysTo('prospero', first, to), others, 'someone who came later')
      assert.deepEqual(
        await waysTo('othello', first, to),
        params.invite_only ? others : own,
        'someone who received it, and came later',
      )
      assert.equal((await move('owner', first, from)).result, 'success')
      assert.deepEqual(await waysTo('othello', first, from), own, 'moved back')
    })
  }

  test('is unread where it was, mentions whom it mentioned, and can be marked as read', async () => {
    const from = await channel('unread: from', ['owner', 'member'])
    const sent = [await say('owner', from, hamlet), await say('owner', from, '@**all**')]
    const to = await channel('unread: to', ['owner', 'member', 'zoe'])
    await move('owner', sent[0] ?? 0, to)
    const client = server.as('member')
    const listed = async (narrow: unknown[], anchor: unknown = 'newest') => {
      const params = { ...window, anchor, narrow: [['channel', to], ...narrow] }
      const { messages } = await client.get<{ messages: { id: number }[] }>('/messages', params)
      return messages.map(({ id }) => id).filter((id) => sent.includes(id))
    }
    assert.deepEqual(await listed([['is', 'unread']]), sent)
    assert.deepEqual(await listed([['is', 'mentioned']]), sent)
    const params = {
      anchor: 'first_unread',
      num_before: 0,
      num_after: 0,
      narrow: [['channel', to]],
    }
    const unread = await client.get('/messages', params)
    assert.equal(unread.anchor, sent[0])
    const mentions = { ...window, narrow: [['is', 'mentioned']], op: 'add', flag: 'read' }
    await client.post('/messages/flags/narrow', mentions)
    assert.deepEqual(await listed([['is', 'unread']]), [])
  })

  test('is in the history of those who joined before the move, but after the newest message', async () => {
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const from = await channel('moment: from', ['owner'])
    const to = await channel('moment: to', ['owner'], hidden)
    const join = (actor: Actor) => {
      const subscriptions = [{ name: 'moment: to' }]
      const params = {
        subscriptions,
        principals: [ids[actor]],
        send_new_subscription_messages: false,
      }
      return owner.post('/users/me/subscriptions', params)
    }
    const leave = (actor: Actor) =>
      owner.del('/users/me/subscriptions', {
        subscriptions: ['moment: to'],
        principals: [ids[actor]],
      })
    const id = await say('owner', from, 'needle')
    await join('zoe')
    await join('cordelia')
    await leave('cordelia')
    await move('owner', id, to)
    await join('othello')
    await join('cordelia')
    const reads = async (actor: Actor) => (await waysTo(actor, id, to)).includes('by ID')
    assert.deepEqual(
      [await reads('zoe'), await reads('othello'), await reads('cordelia')],
      [true, false, false],
    )
  })
})

test('what was moved before an upgrade comes back as far as the edit history tells', async () => {
  const hidden = { invite_only: true, history_public_to_subscribers: false }
  const from = await channel('upgrade: from', ['owner', 'member', 'othello'])
  const moved = await say('member', from, 'needle')
  const to = await channel('upgrade: to', ['owner', 'member'], hidden)
  await move('owner', moved, to)
  server.clock.advance(1000)
  await say('owner', to, 'later')
  const subscriptions = [{ name: 'upgrade: to' }]
  await owner.post('/users/me/subscriptions', { subscriptions, principals: [ids.zoe] })
  const { $client: sqlite } = server.server.context.store.db
  sqlite.exec('DELETE FROM moved_messages; DELETE FROM message_paths')
  assert.deepEqual(await waysTo('member', moved, to), [])
  const migration = readFileSync(
    new URL('../../../../drizzle/0020_own-history.sql', import.meta.url),
    'utf8',
  )
  const [, repair = ''] = migration.split('-- By hand')
  sqlite.exec(`-- ${repair}`)
  assert.deepEqual(await waysTo('member', moved, to), everywhere)
  assert.deepEqual(await waysTo('owner', moved, to), everywhere)
  assert.deepEqual(await waysTo('othello', moved, to), [])
  assert.deepEqual(await waysTo('zoe', moved, to), [])
})

describe('a starred message that one can no longer read', () => {
  const hidden = { invite_only: true, history_public_to_subscribers: true }
  const cordelia = server.as('cordelia')
  const starredOf = async () => {
    const params = { fetch_event_types: ['starred_messages'] }
    return (await cordelia.post<{ starred_messages: number[] }>('/register', params))
      .starred_messages
  }
  const flag = (id: number, op: 'add' | 'remove') =>
    cordelia.post('/messages/flags', { messages: [id], op, flag: 'starred' })

  /** What takes a message of the channel away, and what brings it back. */
  type Loss = [
    name: string,
    params: CallParams,
    take: (id: number, place: { id: number; name: string }) => Promise<unknown>,
    give: (id: number, place: { id: number; name: string }) => Promise<unknown>,
  ]
  let elsewhere = 0
  const losses: Loss[] = [
    [
      'moved',
      {},
      async (id) => {
        elsewhere ||= await channel('stars: elsewhere', ['owner'], hidden)
        return move('owner', id, elsewhere)
      },
      (id, place) => move('owner', id, place.id),
    ],
    [
      'removed',
      hidden,
      (_, { name }) =>
        owner.del('/users/me/subscriptions', { subscriptions: [name], principals: [ids.cordelia] }),
      (_, { name }) =>
        owner.post('/users/me/subscriptions', {
          subscriptions: [{ name }],
          principals: [ids.cordelia],
        }),
    ],
    [
      'privacy',
      {},
      async (_, place) => {
        await owner.del('/users/me/subscriptions', {
          subscriptions: [place.name],
          principals: [ids.cordelia],
        })
        return owner.patch(`/streams/${place.id}`, { is_private: true })
      },
      (_, place) => owner.patch(`/streams/${place.id}`, { is_private: false }),
    ],
  ]
  for (const [name, params, take, give] of losses) {
    test(`is not counted, can be unstarred, and returns with its star: ${name}`, async () => {
      const place = { id: 0, name: `stars: ${name}` }
      place.id = await channel(place.name, ['owner', 'cordelia'], params)
      const id = await say('owner', place.id, 'needle')
      await flag(id, 'add')
      const queue = await cordelia.watch('update_message_flags')
      const drained = async () => {
        const events = await queue.drain()
        return events.flatMap((event) =>
          event.flag === 'starred' ? [[event.op, event.messages]] : [],
        )
      }
      await take(id, place)
      assert.deepEqual(await drained(), [['remove', [id]]])
      assert.equal((await starredOf()).includes(id), false)
      await give(id, place)
      assert.deepEqual(await drained(), [['add', [id]]])
      assert.equal((await starredOf()).includes(id), true)
      await take(id, place)
      await drained()
      assert.equal((await flag(id, 'add')).result, 'error')
      assert.equal((await flag(id, 'remove')).result, 'success')
      assert.equal((await flag(id, 'remove')).result, 'error', 'it is gone now')
      await give(id, place)
      assert.equal((await starredOf()).includes(id), false)
    })
  }
})
