import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const hidden = failure('Invalid channel ID')

describe('the e-mail address of a channel, on a server that takes no mail', () => {
  const address = (actor: Actor, channel: Channel, sender_id?: unknown) =>
    server.as(actor).get(`/streams/${channels[channel]}/email_address`, { sender_id })
  const none = { ...success, email: '' }
  const mayNot = failure("Not authorized to send to channel 'announce'")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Channel, object][] = [
    ['member',   'public',    none],
    ['outsider', 'public',    none],
    ['guest',    'public',    hidden],
    ['guest',    'shared',    none],
    ['guest',    'webPublic', none],
    ['member',   'private',   none],
    ['outsider', 'private',   hidden],
    ['guest',    'private',   hidden],
    ['admin',    'announce',  none],
    ['member',   'announce',  mayNot],
  ]
  for (const [actor, channel, expected] of matrix) {
    test(`${actor} who asks for that of a ${channel} channel`, async () => {
      assert.deepEqual(await address(actor, channel), expected)
    })
  }

  const foreign = failure('Invalid sender_id')
  // biome-ignore format: a table reads best in columns
  const senders: [string, unknown, object | RegExp][] = [
    ['oneself',               ids.member,              none],
    ['the Email Gateway',     1,                       none],
    ['another bot of the server', 4,                   foreign],
    ['another person',        ids.owner,               foreign],
    ["somebody else's bot",   ids.bot,                 foreign],
    ['nobody',                999,                     foreign],
    ['a negative id',         -1,                      foreign],
    ['a word',                'me',                    /sender_id/],
    ['a huge number',         '99999999999999999999',  /sender_id/],
  ]
  for (const [who, sender, expected] of senders) {
    test(`for mail from ${who} (feature level 335)`, async () => {
      const reply = await address('member', 'public', sender)
      if (expected instanceof RegExp) assert.match(reply.msg, expected)
      else assert.deepEqual(reply, expected)
    })
  }

  test('an own bot is a sender as good as oneself', async () => {
    assert.deepEqual(await address('owner', 'public', ids.bot), none)
  })

  test('of a channel that is not there, or archived', async () => {
    assert.deepEqual(await server.as('owner').get('/streams/999/email_address'), hidden)
    const made = await server.as('owner').post('/channels/create', { name: 'old', subscribers: [] })
    await server.as('owner').del(`/streams/${made.id}`)
    const closed = failure("Not authorized to send to channel 'old'")
    assert.deepEqual(await server.as('owner').get(`/streams/${made.id}/email_address`), closed)
  })
})

describe('which channels someone is subscribed to (feature level 440)', () => {
  const list = (actor: Actor, userId: number) => server.as(actor).get(`/users/${userId}/channels`)
  const found = (...subscribed_channel_ids: number[]) => ({ ...success, subscribed_channel_ids })
  const { private: hiddenOne, public: open, shared, announce } = channels

  test('is all for oneself, and for others what they may know of', async () => {
    const own = (await list('owner', ids.owner)).subscribed_channel_ids as number[]
    assert.ok(own.includes(hiddenOne) && own.includes(open))
    assert.deepEqual(await list('member', ids.owner), found(...own))
    assert.deepEqual(
      await list('outsider', ids.owner),
      found(...own.filter((id) => id !== hiddenOne)),
    )
    const guest = (await list('guest', ids.owner)).subscribed_channel_ids as number[]
    assert.ok(guest.includes(shared) && guest.includes(announce))
    assert.ok(!guest.includes(open) && !guest.includes(hiddenOne))
  })

  test('changes as they subscribe, leave, and as channels are archived', async () => {
    const before = (await list('member', ids.zoe)).subscribed_channel_ids as number[]
    const made = await server
      .as('owner')
      .post<{ id: number }>('/channels/create', { name: 'fresh', subscribers: [ids.zoe] })
    assert.deepEqual(await list('member', ids.zoe), found(...before, made.id))
    await server.as('owner').del(`/streams/${made.id}`)
    assert.deepEqual(await list('member', ids.zoe), found(...before))
    await server.as('zoe').del('/users/me/subscriptions', { subscriptions: ['Denmark'] })
    assert.deepEqual(await list('member', ids.zoe), found(...before.filter((id) => id !== open)))
  })

  test('includes bots (feature level 458)', async () => {
    assert.deepEqual(await list('member', ids.bot), found())
  })

  const noUser = failure('No such user')
  test('of nobody', async () => {
    assert.deepEqual(await list('member', 999), noUser)
    assert.equal((await server.as('member').get('/users/-1/channels')).status, 404)
    assert.equal((await server.anonymous.get(`/users/${ids.owner}/channels`)).status, 401)
  })
})
