import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startPhonePushService } from '#test/support/phone-push-service.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Client, startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const service = await startPhonePushService()
after(service.close)
const server = await startServer({ config: { pushServiceUrl: service.url } })
after(server.close)
const [owner, member, zoe] = [server.as('owner'), server.as('member'), server.as('zoe')]
const { store } = server.server.context
const { clock, ids, channels } = server
const fcm = '/users/me/android_gcm_reg_id'
const apns = '/users/me/apns_device_token'
const appleToken = 'ab'.repeat(32)
const hour = 3_600_000

async function done(call: Promise<{ result: string; msg: string }>): Promise<void> {
  const reply = await call
  assert.equal(reply.result, 'success', reply.msg)
}

async function notices() {
  await server.settled()
  return service.notices()
}

/** What phones show and forget, in short. */
async function changes(): Promise<string[]> {
  return (await notices()).map(({ gcm_payload: { event, zulip_message_id, zulip_message_ids } }) =>
    event === 'remove' ? `-${zulip_message_ids}` : `+${zulip_message_id}`,
  )
}

async function told(client: Client): Promise<string[]> {
  const { messages } = await client.get<{ messages: { content: string }[] }>('/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: 'notification-bot@zulip.com' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content).filter((text) => text.startsWith('Phones get'))
}

await server.settled()
await done(member.patch('/settings', { automatically_follow_topics_where_mentioned: false }))

beforeEach(async () => {
  service.breaks(undefined)
  await done(member.post('/mark_all_as_read'))
  await done(member.post(fcm, { token: 'phone' }))
  await server.settled()
  service.calls()
  service.notices()
})

describe('the push service', () => {
  test('learns of the organization, and that it may be used', async () => {
    clock.advance(25 * hour)
    await server.settled()
    const calls = service.calls()
    assert.deepEqual(
      calls.map(({ path }) => path),
      ['/server/analytics/status', '/server/analytics'],
    )
    const params = calls[1]?.params ?? {}
    const [realm] = JSON.parse(String(params.realms))
    assert.deepEqual([realm.name, realm.url, realm.deactivated], ['Zulip Dev', server.url, false])
    const [row] = JSON.parse(String(params.realmauditlog_rows))
    assert.deepEqual(row.extra_data[10][11], { 100: 1, 200: 1, 300: 1, 400: 6, 600: 1 })
    const { state } = await member.watch('realm')
    assert.equal(state.realm_push_notifications_enabled, true)
    const facts = await server.anonymous.get<{ push_notifications_enabled: boolean }>(
      '/server_settings',
    )
    assert.equal(facts.push_notifications_enabled, true)
    // No message, and nobody's name or address.
    assert.doesNotMatch(JSON.stringify(calls), /hamlet|Desdemona|@zulip.com/i)
  })

  test('learns of new accounts within an hour, in ascending entries', async () => {
    await server.enroll('Fortinbras')
    clock.advance(hour)
    await server.settled()
    const rows = service
      .calls()
      .filter(({ path }) => path === '/server/analytics')
      .map(({ params }) => JSON.parse(String(params.realmauditlog_rows))[0])
    assert.deepEqual(
      rows.map(({ event_type }) => event_type),
      [101],
    )
    assert.equal(rows[0].extra_data[10][11][400], 7)
    clock.advance(hour)
    await server.settled()
    assert.deepEqual(service.calls(), [])
  })

  test('learns of phones, and that they are gone', async () => {
    await done(member.post(apns, { token: appleToken, appid: 'org.zulip.Zulip' }))
    await server.settled()
    assert.ok(service.tokens.has(appleToken) && service.tokens.has('phone'))
    await done(member.del(apns, { token: appleToken }))
    await server.settled()
    assert.ok(!service.tokens.has(appleToken))
    const prospero = server.as('prospero')
    await done(prospero.post(fcm, { token: 'prospero' }))
    await server.settled()
    assert.ok(service.tokens.has('prospero'))
    await done(prospero.post('/users/me/api_key/regenerate'))
    await server.settled()
    assert.deepEqual([...service.tokens], ['phone'])
  })
})

describe('a phone', () => {
  test('shows a direct message', async () => {
    await done(zoe.post(fcm, { token: 'zoe' }))
    await done(zoe.post(apns, { token: appleToken, appid: 'org.zulip.Zulip' }))
    await server.settled()
    const id = await server.say('owner', ['owner', 'zoe'], '', 'Hello **you**')
    const [notice, ...others] = await notices()
    assert.ok(notice && others.length === 0)
    assert.deepEqual([notice.android_devices, notice.apple_devices], [['zoe'], [appleToken]])
    const { sender_avatar_url, ...payload } = notice.gcm_payload
    assert.match(sender_avatar_url ?? '', /^http:\/\/.*\/user_avatars\//)
    assert.deepEqual(payload, {
      event: 'message',
      server: new URL(server.url).host,
      realm_id: '1',
      realm_uri: server.url,
      realm_url: server.url,
      realm_name: 'Zulip Dev',
      user_id: String(zoe.id),
      sender_id: String(owner.id),
      sender_email: payload.sender_email,
      recipient_type: 'private',
      zulip_message_id: String(id),
      time: payload.time,
      content: 'Hello you',
      sender_full_name: 'Desdemona',
    })
    assert.deepEqual(notice.apns_payload.alert, {
      title: 'Desdemona',
      subtitle: 'Desdemona:',
      body: 'Hello you',
    })
    assert.deepEqual(notice.apns_payload.custom.zulip.message_ids, [id])
    assert.equal(notice.gcm_options.priority, 'high')
  })

  test('shows a mention in a channel, and a group', async () => {
    await server.say('owner', 'public', 'plans', `@**|${zoe.id}** look`)
    await server.say('owner', ['owner', 'zoe', 'cordelia'])
    const [channel, group] = await notices()
    assert.deepEqual(
      [channel?.gcm_payload.stream, channel?.gcm_payload.stream_id, channel?.gcm_payload.topic],
      ['Denmark', String(channels.public), 'plans'],
    )
    assert.deepEqual(channel?.apns_payload.alert, {
      title: '#Denmark > plans',
      subtitle: 'Desdemona mentioned you:',
      body: '@Zoe look',
    })
    assert.equal(group?.gcm_payload.pm_users, [zoe.id, ids.cordelia, owner.id].join())
  })

  // biome-ignore format: a table reads best in columns
  const hiding: [string, unknown, RegExp][] = [
    ['require_e2ee_push_notifications',               true,  /treasure/],
    ['message_content_allowed_in_push_notifications', false, /treasure|Desdemona|Denmark|sender_email/],
  ]
  for (const [name, value, hidden] of hiding) {
    test(`shows no text with ${name}`, async () => {
      await done(owner.patch('/realm', { [name]: value }))
      await server.say('owner', 'public', 'plans', `@**|${zoe.id}** treasure`)
      const [notice] = await notices()
      assert.equal(notice?.gcm_payload.content, 'New message')
      assert.doesNotMatch(JSON.stringify([notice?.gcm_payload, notice?.apns_payload]), hidden)
      await done(owner.patch('/realm', { [name]: !value }))
    })
  }

  test('forgets what was read elsewhere', async () => {
    await done(zoe.post('/mark_all_as_read'))
    await notices()
    const id = await server.say('owner', ['owner', 'zoe'])
    assert.deepEqual(await changes(), [`+${id}`])
    await done(zoe.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    const [notice] = await notices()
    assert.deepEqual(
      [notice?.gcm_payload.event, notice?.gcm_payload.zulip_message_ids],
      ['remove', String(id)],
    )
    assert.equal(notice?.gcm_options.priority, 'normal')
  })

  test('that gave its token back is forgotten', async () => {
    service.returned.add('zoe')
    await server.say('owner', ['owner', 'zoe'])
    await notices()
    await server.say('owner', ['owner', 'zoe'])
    const [notice] = await notices()
    assert.deepEqual(notice?.android_devices, [])
    assert.deepEqual(await zoe.del(fcm, { token: 'zoe' }), failure('Token does not exist'))
    await done(zoe.del(apns, { token: appleToken }))
  })

  test('gets a test notification, once the service knows it', async () => {
    const path = '/mobile_push/test_notification'
    assert.equal((await zoe.post(path, { token: 'none' })).code, 'INVALID_PUSH_DEVICE_TOKEN')
    await done(zoe.post(path))
    service.breaks({ status: 503, body: '' })
    await done(zoe.post(fcm, { token: 'slow' }))
    await server.settled()
    assert.equal((await zoe.post(path)).code, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    service.breaks(undefined)
    clock.advance(hour)
    await server.settled()
    assert.deepEqual(await zoe.post(path, { token: 'slow' }), success)
    service.tokens.delete('slow')
    assert.equal((await zoe.post(path)).code, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    service.breaks({ status: 502, body: 'Bad gateway' })
    assert.equal((await zoe.post(path)).code, 'BAD_REQUEST')
    service.breaks(undefined)
    await done(zoe.del(fcm, { token: 'slow' }))
    await server.settled()
  })
})

describe('when the push service', () => {
  const phone = server.as('cordelia')
  const toPhone = () => server.say('owner', ['owner', 'cordelia'])
  beforeEach(async () => {
    await done(phone.post(fcm, { token: 'cordelia' }))
    await done(phone.post('/mark_all_as_read'))
    await server.settled()
    service.calls()
    service.notices()
  })

  test('answers 500 for an hour, nothing is lost or doubled', async () => {
    service.breaks({ status: 500, body: { result: 'error', msg: 'No.', code: 'X' } })
    const id = await toPhone()
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000)
      await server.settled()
    }
    assert.ok(service.calls().length < 20)
    service.breaks(undefined)
    clock.advance(hour)
    assert.deepEqual(await changes(), [`+${id}`])
    clock.advance(hour)
    assert.deepEqual(await changes(), [])
  })

  test('does not know the organization, it gets the facts, and the message again', async () => {
    service.forget('realm')
    const id = await toPhone()
    await server.settled()
    clock.advance(60_000)
    assert.deepEqual(await changes(), [`+${id}`])
  })

  test('takes no organization of this size, phones are off, and administrators are told once', async () => {
    const before = (await told(owner)).length
    service.mostAccounts = 5
    clock.advance(25 * hour)
    await server.settled()
    await toPhone()
    assert.deepEqual(await changes(), [])
    assert.equal((await told(owner)).length, before + 1)
    assert.equal((await told(server.as('admin'))).length, before + 1)
    assert.equal((await told(zoe)).length, 0)
    const { state } = await owner.watch('realm')
    assert.equal(state.realm_push_notifications_enabled, false)
    clock.advance(25 * hour)
    await server.settled()
    assert.equal((await told(owner)).length, before + 1)
    service.mostAccounts = 100
    clock.advance(25 * hour)
    await server.settled()
    const id = await toPhone()
    assert.deepEqual(await changes(), [`+${id}`])
  })

  test('does not know the server anymore, phones are off, and administrators are told', async () => {
    const before = (await told(owner)).length
    service.forget('server')
    await toPhone()
    await server.settled()
    await toPhone()
    assert.deepEqual(await changes(), [])
    assert.equal(service.calls().filter(({ path }) => path === '/push/notify').length, 1)
    assert.match((await told(owner)).at(-1) ?? '', /parley push register/)
    assert.equal((await told(owner)).length, before + 1)
    const left = store.db.$client.prepare('SELECT count(*) FROM pushes WHERE user_id = ?').pluck()
    assert.equal(left.get(phone.id), 0)
  })
})

test('without a configured service, nothing leaves the server', async () => {
  const bare = await startServer()
  try {
    service.calls()
    await done(bare.as('member').post(fcm, { token: 'phone' }))
    await bare.say('owner', ['owner', 'member'])
    bare.clock.advance(25 * hour)
    await bare.settled()
    assert.deepEqual(service.calls(), [])
    const { state } = await bare.as('member').watch('realm')
    assert.equal(state.realm_push_notifications_enabled, false)
    const { db } = bare.server.context.store
    assert.equal(db.$client.prepare('SELECT count(*) FROM notifications').pluck().get(), 0)
    await done(bare.as('member').del(fcm, { token: 'phone' }))
    assert.equal(db.$client.prepare('SELECT count(*) FROM push_tokens').pluck().get(), 0)
  } finally {
    await bare.close()
  }
})

describe('parley push register', () => {
  const args = ['push', 'register', '--contact', 'ann@example.com', '--service', service.origin]
  const env = { PARLEY_URL: 'https://chat.example.com' }

  test('says what is sent, and sends nothing until the terms are accepted', async () => {
    service.calls()
    const { code, out } = await parley(args, '', env)
    assert.equal(code, 1)
    assert.match(out, /chat\.example\.com[\s\S]*meant for\s+Zulip servers[\s\S]*--accept-terms/)
    assert.deepEqual(service.calls(), [])
  })

  test('prints the setting with the key, with which the service knows the server', async () => {
    const { code, out } = await parley([...args, '--accept-terms'], '', env)
    assert.equal(code, 0, out)
    const [, url = ''] = /^PARLEY_PUSH_SERVICE=(\S+)$/m.exec(out) ?? []
    const [{ params } = { params: {} }] = service.calls()
    const { zulip_org_key: key, ...rest } = params as Record<string, string>
    assert.deepEqual(
      [rest.hostname, rest.contact_email, new URL(url).username, new URL(url).password],
      ['chat.example.com', 'ann@example.com', rest.zulip_org_id, key],
    )
    service.forget('realm')
    const registered = await startServer({ config: { pushServiceUrl: url } })
    try {
      await registered.settled()
      const paths = service.calls().map(({ path }) => path)
      assert.deepEqual(paths, ['/server/analytics/status', '/server/analytics'])
      const { state } = await registered.as('owner').watch('realm')
      assert.equal(state.realm_push_notifications_enabled, true)
    } finally {
      await registered.close()
    }
  })

  test('passes on why the service refuses', async () => {
    const taken = [...args, '--hostname', 'taken.example.com', '--accept-terms']
    const { code, out } = await parley(taken, '', env)
    assert.deepEqual([code, /The name is in use\./.test(out)], [1, true])
  })
})
