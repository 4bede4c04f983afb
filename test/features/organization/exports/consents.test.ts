import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const type = 'realm_export_consent'
const path = '/export/realm/consents'
const consent = (actor: Actor, allow_private_data_export: boolean) =>
  server.as(actor).patch('/settings', { allow_private_data_export })

describe('who learns what people say to an export of what is private to them', () => {
  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'does' : 'does not'}`, async () => {
      const queue = await server.as(actor).watch(type)
      const reply = await server.as(actor).get(path)
      if (may) assert.equal(reply.result, 'success')
      else {
        const refused = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
        assert.deepEqual(reply, refused)
      }
      assert.equal((await consent('zoe', true)).result, 'success')
      assert.equal((await consent('zoe', true)).result, 'success')
      assert.equal((await consent('zoe', false)).result, 'success')
      const event = { type, user_id: ids.zoe }
      const told = [
        { ...event, consented: true },
        { ...event, consented: false },
      ]
      assert.deepEqual(await queue.drain(), may ? told : [])
    })
  }

  test('nobody without credentials', async () => {
    assert.equal((await server.anonymous.get(path)).status, 401)
  })
})

test('all active people are listed, and no bots', async () => {
  await consent('member', true)
  const { export_consents: found } = await server
    .as('owner')
    .get<{ export_consents: { user_id: number }[] }>(path, { extended_members: true })
  const people = [
    ids.outsider,
    ids.zoe,
    ids.cordelia,
    ids.owner,
    ids.member,
    ids.admin,
    ids.othello,
  ]
  const listed = found.map(({ user_id }) => user_id)
  assert.deepEqual(listed, [...people, ids.guest, ids.prospero, ids.moderator])
  const about = { user_id: ids.member, consented: true, email_address_visibility: 3 }
  assert.deepEqual(
    found.find(({ user_id }) => user_id === ids.member),
    about,
  )
})

test('administrators hear it of those who join and those who come back (feature level 312)', async () => {
  const owner = server.as('owner')
  const queue = await owner.watch(type)
  const account = { email: 'new@zulip.com', full_name: 'New', password: 'correct horse battery' }
  const { user_id } = await owner.post<{ user_id: number }>('/users', account)
  assert.deepEqual(await consent('cordelia', true), { ...success })
  assert.deepEqual(await owner.del(`/users/${ids.cordelia}`), success)
  assert.deepEqual(await owner.post(`/users/${ids.cordelia}/reactivate`), success)
  assert.deepEqual(await queue.drain(), [
    { type, user_id, consented: false },
    { type, user_id: ids.cordelia, consented: true },
    { type, user_id: ids.cordelia, consented: true },
  ])
})
