import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server

const receipts = (actor: Actor, id: number) =>
  server.as(actor).get<{ user_ids: number[] }>(`/messages/${id}/read_receipts`)
const readBy = (...user_ids: number[]) => ({ ...success, user_ids })

async function flag(actor: Actor, op: 'add' | 'remove', id: number): Promise<void> {
  const params = { messages: [id], op, flag: 'read' }
  const reply = await server.as(actor).post('/messages/flags', params)
  assert.equal(reply.result, 'success')
}

/** A message by the member that these people have read. */
async function messageReadBy(...actors: Actor[]): Promise<number> {
  const id = await server.say('member', 'public')
  for (const actor of actors) await flag(actor, 'add', id)
  return id
}

test('who read a message is listed without its sender, and no more once it is unread', async () => {
  const id = await messageReadBy('zoe', 'owner', 'member')
  assert.deepEqual(await receipts('member', id), readBy(ids.zoe, ids.owner))
  assert.deepEqual(await receipts('zoe', id), readBy(ids.zoe, ids.owner), 'the caller too')
  await flag('owner', 'remove', id)
  assert.deepEqual(await receipts('member', id), readBy(ids.zoe))
  await server.say('member', 'public')
  await server.as('admin').post('/mark_all_as_read')
  assert.deepEqual(await receipts('member', id), readBy(ids.zoe, ids.admin))
})

test('a message between others is read and unread alike', async () => {
  const older = await server.say('zoe', 'public')
  const id = await messageReadBy('owner')
  const newer = await server.say('zoe', 'public')
  assert.deepEqual(await receipts('member', id), readBy(ids.owner))
  assert.deepEqual(await receipts('member', newer), readBy())
  assert.deepEqual((await receipts('member', older)).user_ids.includes(ids.owner), false)
})

test('who read a direct message is listed', async () => {
  const id = await server.say('member', ['cordelia', 'zoe'])
  assert.deepEqual(await receipts('member', id), readBy())
  await flag('cordelia', 'add', id)
  assert.deepEqual(await receipts('zoe', id), readBy(ids.cordelia))
})

test('a bot that marks messages as read is listed', async () => {
  const id = await server.say('member', ['bot'])
  await flag('bot', 'add', id)
  assert.deepEqual(await receipts('member', id), readBy(ids.bot))
})

describe('not listed', () => {
  test('who does not send read receipts', async () => {
    const id = await messageReadBy('owner', 'zoe')
    await server.as('zoe').patch('/settings', { send_read_receipts: false })
    assert.deepEqual(await receipts('member', id), readBy(ids.owner))
    await server.as('zoe').patch('/settings', { send_read_receipts: true })
    assert.deepEqual(await receipts('member', id), readBy(ids.zoe, ids.owner))
  })

  test('whom the caller muted, and who muted the caller', async () => {
    const id = await messageReadBy('owner', 'admin', 'zoe')
    await server.as('othello').post(`/users/me/muted_users/${ids.owner}`)
    await server.as('zoe').post(`/users/me/muted_users/${ids.othello}`)
    assert.deepEqual(await receipts('othello', id), readBy(ids.admin))
    assert.deepEqual(await receipts('member', id), readBy(ids.zoe, ids.owner, ids.admin))
    await server.as('othello').del(`/users/me/muted_users/${ids.owner}`)
    await server.as('zoe').del(`/users/me/muted_users/${ids.othello}`)
  })

  test('who subscribed later, for whom the message was never unread', async () => {
    const id = await messageReadBy('owner')
    const subscriptions = [{ name: 'Denmark' }]
    await server.as('outsider').post('/users/me/subscriptions', { subscriptions })
    assert.deepEqual(await receipts('member', id), readBy(ids.owner))
    const next = await server.say('member', 'public')
    await flag('outsider', 'add', next)
    assert.deepEqual(await receipts('member', next), readBy(ids.outsider))
    await server.as('outsider').del('/users/me/subscriptions', { subscriptions: ['Denmark'] })
    assert.deepEqual(await receipts('member', next), readBy(ids.outsider), 'it was read then')
  })

  test('who has a moved message only since it was moved', async () => {
    const id = await server.say('member', 'private')
    await flag('owner', 'add', id)
    const moved = { stream_id: channels.public, topic: 'here', propagate_mode: 'change_one' }
    assert.equal((await server.as('admin').patch(`/messages/${id}`, moved)).result, 'success')
    assert.deepEqual(await receipts('zoe', id), readBy(ids.owner))
  })

  test('who was deactivated', async () => {
    const id = await messageReadBy('prospero')
    await server.as('owner').del(`/users/${ids.prospero}`)
    assert.deepEqual(await receipts('member', id), readBy())
    await server.as('owner').post(`/users/${ids.prospero}/reactivate`)
  })

  test('whom a limited guest does not know', async () => {
    const id = await server.say('member', 'shared')
    for (const actor of ['cordelia', 'owner'] as const) await flag(actor, 'add', id)
    const limited = systemGroupId(server.server.context.store, 'role:members')
    const change = { can_access_all_users_group: { new: limited } }
    assert.equal((await server.as('owner').patch('/realm', change)).result, 'success')
    assert.deepEqual(await receipts('guest', id), readBy(ids.cordelia, ids.owner))
    const list = await server
      .as('cordelia')
      .get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions')
    const subscriptions = list.subscriptions.map(({ name }) => name)
    await server.as('cordelia').del('/users/me/subscriptions', { subscriptions })
    assert.deepEqual(await receipts('guest', id), readBy(ids.owner))
    assert.deepEqual(await receipts('member', id), readBy(ids.cordelia, ids.owner))
  })
})

describe('refused', () => {
  const hidden = failure('Invalid message(s)')
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, () => Promise<number>][] = [
    ['a message in a channel one cannot read', 'outsider', () => server.say('member', 'private')],
    ['a message to others',                    'owner',    () => server.say('member', ['zoe'])],
    ['a message that never was',               'owner',    async () => 999_999],
  ]
  for (const [what, actor, make] of table) {
    test(what, async () => {
      assert.deepEqual(await receipts(actor, await make()), hidden)
    })
  }

  test('everything where the organization turned them off', async () => {
    const id = await messageReadBy('owner')
    const set = (enable_read_receipts: boolean) =>
      server.as('owner').patch('/realm', { enable_read_receipts })
    await set(false)
    const off = failure('Read receipts are turned off in this organization.')
    assert.deepEqual(await receipts('member', id), off)
    await set(true)
    assert.deepEqual(await receipts('member', id), readBy(ids.owner))
  })
})
