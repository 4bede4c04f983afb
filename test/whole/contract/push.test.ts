import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

describe('Register a push device', () => {
  test('`PUSH_SERVICE_NOT_CONFIGURED` when the server does not use a push service', async () => {
    const reply = await server.as('member').post('/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id: 2408,
      push_public_key: 'push-public-key',
      bouncer_public_key: 'bouncer-public-key',
      encrypted_push_registration: 'encrypted',
    })
    assert.deepEqual(reply, failure(reply.msg, 'PUSH_SERVICE_NOT_CONFIGURED'))
  })
})

describe('Add an APNs device token', () => {
  const add = (params: CallParams) =>
    server.as('member').post('/users/me/apns_device_token', params)

  test('succeeds with an empty envelope', async () => {
    const token = 'a1'.repeat(32)
    assert.deepEqual(await add({ token, appid: 'org.zulip.Zulip' }), success)
  })

  for (const [title, token] of [
    ['an empty token', ''],
    ['a token of invalid length', 'ab'.repeat(5000)],
    ['an invalid token', 'not hexadecimal'],
  ] as const) {
    test(`\`BAD_REQUEST\` for ${title}`, async () => {
      const reply = await add({ token, appid: 'org.zulip.Zulip' })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    })
  }
})
