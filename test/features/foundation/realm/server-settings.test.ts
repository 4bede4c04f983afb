import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createRealm } from '#features/access/setup/realm.actions.ts'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { manualClock } from '#platform/clock.ts'
import { createServer } from '#program/server.ts'
import { startServer } from '#test/support/server.ts'
import { misfits } from '#test/support/shapes.ts'

const server = await startServer()
after(server.close)

const facts = {
  authentication_methods: { '*': 'bool' },
  external_authentication_methods: ['any'],
  zulip_feature_level: 'int',
  zulip_version: 'str',
  zulip_merge_base: 'str',
  push_notifications_enabled: 'bool',
  is_incompatible: 'bool',
  email_auth_enabled: 'bool',
  require_email_format_usernames: 'bool',
  realm_url: 'url',
  realm_uri: 'url',
  realm_name: 'str',
  realm_icon: 'url',
  realm_description: 'str',
  realm_web_public_access_enabled: 'bool',
} as const

describe('GET /server_settings', () => {
  test('tells anyone whose server this is and how to log in', async () => {
    const reply = await server.anonymous.get('/server_settings')
    assert.deepEqual(misfits(reply, facts), [])
    const { realm_name, realm_uri, realm_url, email_auth_enabled, authentication_methods } = reply
    assert.deepEqual(
      { realm_name, realm_uri, realm_url, email_auth_enabled },
      {
        realm_name: 'Zulip Dev',
        realm_uri: server.url,
        realm_url: server.url,
        email_auth_enabled: true,
      },
    )
    const { password, dev, email, ldap } = authentication_methods as Record<string, boolean>
    assert.deepEqual([password, dev, email, ldap], [true, true, true, false])
  })

  test('answers the same with credentials', async () => {
    const anonymous = await server.anonymous.get('/server_settings')
    assert.deepEqual(await server.as('guest').get('/server_settings'), anonymous)
  })

  test('ignores parameters that it does not know, and says so', async () => {
    const reply = await server.anonymous.get('/server_settings', { dont_block: true })
    assert.equal(reply.result, 'success')
    assert.deepEqual(reply.ignored_parameters_unsupported, ['dont_block'])
  })

  test('offers the development login in the development organization alone', async () => {
    const config = { logLevel: 'silent' }
    const other = await createServer({ data: ':memory:', port: 0, clock: manualClock(0), config })
    after(other.close)
    await other.context.store.write((tx) =>
      createRealm(tx, { name: 'Ours', placeholderDomain: 'ours.example' }),
    )
    const reply = await fetch(`${other.url}/api/v1/server_settings`)
    const body = (await reply.json()) as { authentication_methods: { dev: boolean } }
    assert.equal(body.authentication_methods.dev, false)
  })

  test('says that visitors can read along once they can', async () => {
    const read = async () =>
      (await server.anonymous.get('/server_settings')).realm_web_public_access_enabled
    assert.equal(await read(), false)
    const { store } = server.server.context
    await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', true))
    assert.equal(await read(), true)
    await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', false))
  })
})

describe('pictures that need no credentials', () => {
  const pictures = [
    ['/static/icon.png', 'image/png'],
    ['/static/logo.svg', 'image/svg+xml'],
    ['/static/logo-night.svg', 'image/svg+xml'],
    ['/static/generated/emoji/images/emoji/unicode/zulip.png', 'image/png'],
    ['/user_avatars/1/emoji/images/1.png', 'image/png'],
  ] as const
  for (const [path, type] of pictures) {
    test(path, async () => {
      const reply = await fetch(server.url + path)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-type'), type)
      const bytes = Buffer.from(await reply.arrayBuffer())
      if (type === 'image/png') assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
      else assert.match(bytes.toString(), /^<svg /)
    })
  }

  test('an emoji that does not exist has none', async () => {
    const reply = await fetch(`${server.url}/user_avatars/1/emoji/images/99.png`)
    assert.equal(reply.status, 404)
  })
})

describe('what everyone may list', () => {
  test('custom emoji', async () => {
    const { emoji } = await server.as('guest').get<{ emoji: object }>('/realm/emoji')
    const found = {
      id: '1',
      name: 'green_tick',
      source_url: '/user_avatars/1/emoji/images/1.png',
      still_url: null,
      deactivated: false,
      author_id: server.ids.admin,
    }
    assert.deepEqual(emoji, { 1: found })
  })

  test('linkifiers, in their order', async () => {
    const reply = await server
      .as('guest')
      .get<{ linkifiers: { id: number }[] }>('/realm/linkifiers')
    assert.deepEqual(reply.linkifiers[0], {
      id: 1,
      pattern: '#D(?P<id>[0-9]{2,8})',
      url_template: 'https://github.com/zulip/zulip-desktop/pull/{id}',
    })
    assert.deepEqual(
      reply.linkifiers.map(({ id }) => id),
      [1, 2, 3],
    )
  })

  test('custom profile fields, with the options of a list', async () => {
    const path = '/realm/profile_fields'
    type Field = { id: number; type: number; name: string; field_data: string }
    const { custom_fields: fields } = await server.as('guest').get<{ custom_fields: Field[] }>(path)
    assert.deepEqual(
      fields.map(({ id, type }) => [id, type]),
      [
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 3],
        [5, 4],
        [6, 5],
        [7, 6],
        [8, 7],
        [9, 8],
      ],
    )
    const options = Object.values(JSON.parse(fields[3]?.field_data ?? '') as Record<string, object>)
    assert.deepEqual(misfits(options, [{ text: 'str', order: 'str' }]), [])
    assert.deepEqual(JSON.parse(fields[7]?.field_data ?? ''), { subtype: 'github' })
  })

  for (const path of ['/realm/emoji', '/realm/linkifiers', '/realm/profile_fields']) {
    test(`${path} is for people with an account`, async () => {
      const reply = await server.anonymous.get(path)
      assert.equal(reply.code, 'UNAUTHORIZED')
    })
  }
})
