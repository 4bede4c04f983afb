import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { member, cordelia, othello, owner } = server.ids
const path = (id: number) => `/users/me/muted_users/${id}`
const now = Math.floor(server.clock.now() / 1000)

/** Ids of everything that a user has not read, in conversations of any kind. */
async function unread(actor: Actor): Promise<number[]> {
  type Lists = Record<'pms' | 'streams' | 'huddles', { unread_message_ids: number[] }[]>
  const { state } = await server.as(actor).watch('update_message_flags')
  const { pms, streams, huddles } = state.unread_msgs as Lists
  return [...pms, ...streams, ...huddles]
    .flatMap((each) => each.unread_message_ids)
    .sort((a, b) => a - b)
}

test('muting marks as read what someone wrote until now, and nothing of others', async () => {
  const direct = await server.say('cordelia', ['member'])
  const group = await server.say('cordelia', ['member', 'owner'])
  const inChannel = await server.say('cordelia', 'shared')
  const ofOthers = await server.say('owner', 'shared')
  assert.deepEqual(await unread('member'), [direct, group, inChannel, ofOthers])
  const queue = await server.as('member').watch('muted_users', 'update_message_flags')
  assert.deepEqual(await server.as('member').post(path(cordelia)), success)
  assert.deepEqual(await unread('member'), [ofOthers])
  const flagged = { flag: 'read', all: false, messages: [direct, group, inChannel] }
  assert.deepEqual(await queue.drain(), [
    { type: 'muted_users', muted_users: [{ id: cordelia, timestamp: now }] },
    { type: 'update_message_flags', op: 'add', operation: 'add', ...flagged },
  ])
  assert.deepEqual((await unread('owner')).includes(group), true, 'others keep it unread')
})

test('what a muted person writes is read at once, until they are unmuted', async () => {
  await server.as('zoe').post(path(othello))
  const [zoe, prospero] = await Promise.all([
    server.as('zoe').watch('message'),
    server.as('prospero').watch('message'),
  ])
  const before = await unread('zoe')
  await server.say('othello', ['zoe', 'prospero'])
  await server.say('othello', 'public')
  assert.deepEqual(await unread('zoe'), before)
  const flags = async (queue: typeof zoe) => (await queue.drain()).map((event) => event.flags)
  assert.deepEqual(await flags(zoe), [['read'], ['read']])
  assert.deepEqual(await flags(prospero), [[], []])
  const queue = await server.as('zoe').watch('muted_users')
  assert.deepEqual(await server.as('zoe').del(path(othello)), success)
  assert.deepEqual(await queue.drain(), [{ type: 'muted_users', muted_users: [] }])
  const heard = await server.say('othello', ['zoe', 'prospero'])
  assert.deepEqual(await unread('zoe'), [...before, heard])
})

test('a message of a muted person changes no read state of a muter who has left the channel', async () => {
  const prospero = server.as('prospero')
  assert.deepEqual(await prospero.post(path(owner)), success)
  await prospero.post('/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }] })
  await prospero.del('/users/me/subscriptions', { subscriptions: ['Denmark'] })
  const stored = server.server.context.store.db.$client
    .prepare('SELECT recipient_id, ranges FROM read_state WHERE user_id = ?')
    .raw()
  const before = stored.all(prospero.id)
  await server.say('owner', 'public')
  assert.deepEqual(stored.all(prospero.id), before)
  assert.deepEqual(await prospero.del(path(owner)), success)
})

test('guests can mute whom they know', async () => {
  assert.deepEqual(await server.as('guest').post(path(owner)), success)
  assert.deepEqual(await server.as('guest').del(path(owner)), success)
})

describe('refused', () => {
  const gone = failure('No such user')
  // biome-ignore format: a table reads best in columns
  const matrix: [string, 'post' | 'del', string, object][] = [
    ['muting oneself',           'post', path(member),  failure('Cannot mute self')],
    ['muting nobody',            'post', path(999),     gone],
    ['unmuting nobody',          'del',  path(999),     gone],
    ['muting twice',             'post', path(cordelia), failure('User already muted')],
    ['unmuting the unmuted',     'del',  path(othello), failure('User is not muted')],
    ['a negative id',            'post', path(-1),      failure('Not found', 'NOT_FOUND')],
    ['a huge id',                'post', path(2 ** 60), failure('muted_user_id is out of range')],
  ]
  for (const [what, method, url, expected] of matrix) {
    test(what, async () => {
      assert.deepEqual(await server.as('member')[method](url), expected)
    })
  }
})
