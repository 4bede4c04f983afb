import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  permissionRules,
  type RealmPermission,
  type SystemGroup,
} from '#features/foundation/permissions/table.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userDefaults } from '#features/foundation/users/settings.queries.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { providerSettings } from '#test/support/identity-provider.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer({
  config: { webPublicChannels: true, identityProviders: [providerSettings('https://id.example')] },
})
after(server.close)
const digest = digestOf(server)
const { store } = server.server.context
const { ids } = server

const change = (actor: Actor, params: object) =>
  server.as(actor).patch('/realm', params as Record<string, unknown>)
const group = (name: SystemGroup) => systemGroupId(store, name)
const dictionary = (data: object) => ({
  type: 'realm',
  op: 'update_dict',
  property: 'default',
  data,
})

const administrator = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const ownerAlone = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')

describe('who may change the organization', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object, object][] = [
    ['owner',     success,       success],
    ['admin',     success,       ownerAlone],
    ['moderator', administrator, administrator],
    ['member',    administrator, administrator],
    ['guest',     administrator, administrator],
    ['bot',       administrator, administrator],
  ]
  const all = () => ({ new: group('role:moderators') })
  const ownerOnly = (): [string, unknown][] => [
    ['can_create_groups', all()],
    ['can_invite_users_group', all()],
    ['can_manage_all_groups', all()],
    ['can_manage_billing_group', all()],
    ['create_multiuse_invite_group', all()],
    ['disallow_disposable_email_addresses', false],
    ['emails_restricted_to_domains', false],
    ['invite_required', true],
    ['message_retention_days', -1],
    ['waiting_period_threshold', 0],
  ]
  for (const [actor, usual, special] of matrix) {
    test(`${actor}`, async () => {
      assert.deepEqual(await change(actor, { digest_weekday: 2 }), usual)
      const defaults = await server.as(actor).patch('/realm/user_settings_defaults', {})
      assert.deepEqual(defaults, usual)
      for (const [name, value] of ownerOnly()) {
        assert.deepEqual(await change(actor, { [name]: value }), special, name)
      }
    })
  }

  test('nobody without credentials', async () => {
    const reply = await server.anonymous.patch('/realm', { digest_weekday: 2 })
    assert.deepEqual([reply.status, reply.code], [401, 'UNAUTHORIZED'])
  })
})

test('a request without parameters changes nothing, successfully', async () => {
  const before = digest()
  assert.deepEqual(await change('admin', {}), success)
  assert.equal(digest(), before)
})

describe('every plain setting can be changed, and everyone is told', () => {
  const candidates: Record<string, unknown> = {
    default_code_block_language: 'python',
    default_language: 'de',
    empty_topic_display_name: 'whatever',
    jitsi_server_url: 'https://meet.example.com',
    message_retention_days: 30,
    moderation_request_channel_id: 8,
    new_stream_announcements_stream_id: 3,
    signup_announcements_stream_id: 4,
    zulip_update_announcements_stream_id: 5,
    welcome_message_custom_text: 'Be **kind**.',
    message_edit_history_visibility_policy: 'none',
    topics_policy: 'disable_empty_topic',
    org_type: 50,
    giphy_rating: 4,
    video_chat_provider: 0,
  }
  const extended = { event_types: ['realm'], client_capabilities: { extended_members: true } }
  const derived: Record<string, object> = {
    message_edit_history_visibility_policy: { allow_edit_history: false },
    topics_policy: { mandatory_topics: true },
    password_auth_enabled: {
      authentication_methods: {
        Dev: { enabled: true, available: true },
        Email: { enabled: false, available: true },
        'OpenID Connect': { enabled: true, available: true },
      },
    },
  }
  for (const name of Object.keys(realmSettingRules) as (keyof typeof realmSettingRules)[]) {
    test(name, async () => {
      const current = realmSetting(store, name)
      const value =
        candidates[name] ?? (typeof current === 'boolean' ? !current : Number(current ?? 0) + 1)
      const queue = await server.as('guest').watchWith(extended)
      assert.deepEqual(await change('owner', { [name]: value }), success)
      assert.deepEqual(await queue.drain(), [dictionary({ [name]: value, ...derived[name] })])
      const { state } = await server.as('guest').watchWith(extended)
      assert.deepEqual(state[`realm_${name}`], value)
      assert.deepEqual(await change('owner', { [name]: value }), success)
      assert.deepEqual(await queue.drain(), [], 'what stays as it is causes no event')
      assert.deepEqual(await change('owner', { [name]: current }), success)
    })
  }

  // biome-ignore format: a table reads best in columns
  const words: [string, string, unknown][] = [
    ['message_content_edit_limit_seconds',         'unlimited', null],
    ['message_content_delete_limit_seconds',       'unlimited', null],
    ['move_messages_within_stream_limit_seconds',  'unlimited', null],
    ['move_messages_between_streams_limit_seconds','unlimited', null],
    ['message_retention_days',                     'unlimited', -1],
    ['jitsi_server_url',                           'default',   null],
  ]
  for (const [name, word, meaning] of words) {
    test(`${name} understands "${word}", with JSON quotes or without`, async () => {
      const first = name === 'jitsi_server_url' ? 'https://meet.example.com' : 7
      for (const sent of [word, JSON.stringify(word)]) {
        assert.deepEqual(await change('owner', { [name]: first }), success)
        const queue = await server.as('member').watch('realm')
        assert.deepEqual(await change('owner', { [name]: sent }), success)
        assert.deepEqual(await queue.drain(), [dictionary({ [name]: meaning })])
      }
    })
  }
})

test('name and description change, and server_settings shows them', async () => {
  const queue = await server.as('guest').watch('realm')
  const profile = { name: ' Elsinore ', description: 'Something is *rotten*.' }
  assert.deepEqual(await change('admin', profile), success)
  assert.deepEqual(await queue.drain(), [dictionary({ ...profile, name: 'Elsinore' })])
  const settings = await server.anonymous.get('/server_settings')
  assert.equal(settings.realm_name, 'Elsinore')
  assert.equal(settings.realm_description, '<p>Something is <em>rotten</em>.</p>')
})

test('several changes are one event', async () => {
  const queue = await server.as('member').watch('realm')
  const data = { enable_read_receipts: false, presence_disabled: true }
  assert.deepEqual(await change('admin', data), success)
  assert.deepEqual(await queue.drain(), [dictionary(data)])
})

describe('every permission', () => {
  const all = { event_types: ['realm'], client_capabilities: { extended_members: true } }
  const derived: Partial<Record<RealmPermission, object>> = {
    can_create_public_channel_group: { create_public_stream_policy: 4 },
    can_create_private_channel_group: { create_private_stream_policy: 4 },
    can_create_web_public_channel_group: { create_web_public_stream_policy: 4 },
    can_mention_many_users_group: { wildcard_mention_policy: 7 },
  }
  for (const setting of Object.keys(permissionRules.realm) as RealmPermission[]) {
    test(`${setting} can be changed where \`old\` is its value, and only there`, async () => {
      const { state } = await server.as('owner').watchWith(all)
      const current = state[`realm_${setting}`]
      const wide = setting === 'can_access_all_users_group'
      const first = group(wide ? 'role:members' : 'role:moderators')
      const queue = await server.as('member').watchWith(all)
      const wrong = { new: first, old: group('role:nobody') }
      const mismatch = failure(
        "'old' value does not match the expected value.",
        'EXPECTATION_MISMATCH',
      )
      const before = digest()
      assert.deepEqual(await change('owner', { [setting]: wrong, digest_weekday: 3 }), mismatch)
      assert.equal(digest(), before)
      if (current !== first) {
        assert.deepEqual(
          await change('owner', { [setting]: { new: first, old: current } }),
          success,
        )
        const expected = dictionary({ [setting]: first, ...derived[setting] })
        assert.deepEqual(await queue.drain(), [expected])
      }
      assert.deepEqual(await change('owner', { [setting]: { new: first } }), success)
      assert.deepEqual(await queue.drain(), [])
      const internet = await change('owner', { [setting]: { new: group('role:internet') } })
      const refused = `'${setting}' setting cannot be set to 'role:internet' group.`
      assert.deepEqual(internet, failure(refused))
    })
  }

  test('can be held by people and groups directly', async () => {
    const value = { direct_members: [ids.cordelia, ids.member], direct_subgroups: [3] }
    const queue = await server.as('guest').watch('realm')
    assert.deepEqual(await change('admin', { can_create_bots_group: { new: value } }), success)
    assert.deepEqual(await queue.drain(), [dictionary({ can_create_bots_group: value })])
    const again = { new: { ...value, direct_members: [10, 8] }, old: value }
    assert.deepEqual(await change('admin', { can_create_bots_group: again }), success)
    assert.deepEqual(await queue.drain(), [])
  })
})

test('guests start over when they know of other people than before', async () => {
  const guest = await server.as('guest').watch('realm')
  const [everyone, members] = [group('role:everyone'), group('role:members')]
  await change('owner', { can_access_all_users_group: { new: everyone } })
  const reply = await server
    .as('guest')
    .get('/events', { queue_id: guest.queueId, last_event_id: -1, dont_block: true })
  assert.equal(reply.code, 'BAD_EVENT_QUEUE_ID')
  assert.notEqual(everyone, members)
})

describe('what new users start with', () => {
  const set = (actor: Actor, params: Record<string, unknown>) =>
    server.as(actor).patch('/realm/user_settings_defaults', params)
  const { allow_private_data_export: _, ...rules } = userSettingRules

  test('every setting, with an event for each', async () => {
    for (const [name, { schema }] of Object.entries(rules)) {
      const current = (userDefaults(store) as unknown as Record<string, unknown>)[name]
      const candidates = [!current, 1, 2, 20, 120, 'de', 'twitter', 'ding', 'never', 'all_messages']
      const value = candidates.find((candidate) => {
        const result = schema['~standard'].validate(candidate)
        return candidate !== current && !('issues' in result && result.issues)
      })
      const queue = await server.as('guest').watch('realm_user_settings_defaults')
      assert.deepEqual(await set('admin', { [name]: value }), success, name)
      const event = { type: 'realm_user_settings_defaults', op: 'update', property: name, value }
      assert.deepEqual(await queue.drain(), [event])
      assert.deepEqual(await set('admin', { [name]: value }), success, name)
      assert.deepEqual(await queue.drain(), [])
    }
  })

  test('nothing about whether their data is exported: nobody decides that for others', async () => {
    const reply = await set('owner', { allow_private_data_export: true })
    assert.deepEqual(reply.ignored_parameters_unsupported, ['allow_private_data_export'])
  })

  for (const actor of ['moderator', 'member', 'guest', 'bot'] as const) {
    test(`${actor} does not decide it`, async () => {
      const before = digest()
      assert.deepEqual(await set(actor, { enter_sends: true }), administrator)
      assert.equal(digest(), before)
    })
  }

  test('a wrong value changes nothing', async () => {
    const before = digest()
    const reply = await set('owner', { enter_sends: true, color_scheme: 9 })
    assert.deepEqual(reply, failure('Invalid color_scheme'))
    assert.equal(digest(), before)
  })
})

describe('settings act at once', () => {
  afterEach(async () => {
    await change('owner', {
      message_content_edit_limit_seconds: 600,
      allow_message_editing: true,
      topics_policy: 'allow_empty_topic',
      direct_message_permission_group: { new: group('role:everyone') },
      message_edit_history_visibility_policy: 'all',
      waiting_period_threshold: 0,
    })
  })
  const edit = (id: number) => server.as('member').patch(`/messages/${id}`, { content: 'Edited.' })

  test('allow_message_editing and the limit of edits', async () => {
    const id = await server.say('member', 'public')
    await change('admin', { allow_message_editing: false })
    assert.equal((await edit(id)).result, 'error')
    await change('admin', { allow_message_editing: true, message_content_edit_limit_seconds: 60 })
    assert.deepEqual(await edit(id), { ...success, detached_uploads: [] })
    await server.clock.advance(90_000)
    assert.equal((await edit(id)).result, 'error')
    await change('admin', { message_content_edit_limit_seconds: 'unlimited' })
    assert.equal((await edit(id)).result, 'success')
  })

  test('message_edit_history_visibility_policy', async () => {
    const id = await server.say('member', 'public')
    await edit(id)
    assert.equal((await server.as('member').get(`/messages/${id}/history`)).result, 'success')
    await change('admin', { message_edit_history_visibility_policy: 'none' })
    assert.equal((await server.as('member').get(`/messages/${id}/history`)).result, 'error')
  })

  test('topics_policy', async () => {
    const send = () =>
      server.as('member').post('/messages', { type: 'channel', to: 4, topic: '', content: 'Hi.' })
    assert.equal((await send()).result, 'success')
    await change('admin', { topics_policy: 'disable_empty_topic' })
    assert.equal((await send()).result, 'error')
  })

  test('direct-message permissions', async () => {
    const send = () =>
      server.as('member').post('/messages', { type: 'direct', to: [ids.zoe], content: 'Hi.' })
    const everyone = { new: group('role:everyone') }
    await change('admin', { direct_message_initiator_group: everyone })
    await change('admin', { direct_message_permission_group: everyone })
    assert.equal((await send()).result, 'success')
    await change('admin', { direct_message_permission_group: { new: group('role:nobody') } })
    assert.equal((await send()).result, 'error')
  })
})

describe('bad input changes nothing', () => {
  const hidden = failure('Invalid channel ID')
  // biome-ignore format: a table reads best in columns
  const table: [string, object, object][] = [
    ['a word for a boolean',   { invite_required: 'perhaps' },          failure('Argument "invite_required" is not valid JSON.')],
    ['null for a boolean',     { invite_required: null },               failure('Invalid invite_required')],
    ['an array for a number',  { digest_weekday: [1] },                 failure('Invalid digest_weekday')],
    ['out of range',           { digest_weekday: 7 },                   failure('Invalid digest_weekday')],
    ['a negative limit',       { message_content_edit_limit_seconds: -5 }, failure('Invalid message_content_edit_limit_seconds')],
    ['a limit of zero',        { message_content_edit_limit_seconds: 0 },  failure('Invalid message_content_edit_limit_seconds')],
    ['a huge limit',           { message_content_edit_limit_seconds: '1e300' }, failure('Invalid message_content_edit_limit_seconds')],
    ['another word',           { message_content_edit_limit_seconds: 'forever' }, failure('Invalid message_content_edit_limit_seconds')],
    ['keeping for zero days',  { message_retention_days: 0 },           failure("Bad value for 'message_retention_days': 0")],
    ['an unknown policy',      { topics_policy: '__proto__' },          failure('Invalid topics_policy')],
    ['a script as address',    { jitsi_server_url: 'javascript:alert(1)' }, failure('Invalid jitsi_server_url')],
    ['NUL',                    { name: 'a\0b' },                        failure('Argument "name" holds characters that are not allowed.')],
    ['an empty name',          { name: '  ' },                          failure("The organization's name can't be blank.")],
    ['a long name',            { name: 'x'.repeat(41) },                failure('name is too long (limit: 40 characters)')],
    ['a long description',     { description: 'x'.repeat(1001) },       failure('description is too long (limit: 1000 characters)')],
    ['an unknown channel',     { signup_announcements_stream_id: 999 }, hidden],
    ['a negative channel',     { signup_announcements_stream_id: -2 },  failure('Invalid signup_announcements_stream_id')],
    ['a public channel for reports', { moderation_request_channel_id: 4 }, failure('Moderation request channel must be private.')],
    ['an unknown group',       { can_create_bots_group: { new: 9999 } }, failure('Invalid user group')],
    ['an unknown user',        { can_create_bots_group: { new: { direct_members: [9999], direct_subgroups: [] } } }, failure('Invalid user ID: 9999')],
    ['a bare group',           { can_create_bots_group: 3 },            failure('Invalid can_create_bots_group')],
    ['everyone, guests too',   { can_create_bots_group: { new: 7 } },   failure("'can_create_bots_group' setting cannot be set to 'role:everyone' group.")],
    ['nobody in charge',       { can_manage_all_groups: { new: 1 } },   failure("'can_manage_all_groups' setting cannot be set to 'role:nobody' group.")],
    ['a good and a bad value', { digest_weekday: 6, name: '' },         failure("The organization's name can't be blank.")],
  ]
  for (const [name, params, expected] of table) {
    test(name, async () => {
      const queue = await server.as('member').watch()
      const before = digest()
      assert.deepEqual(await change('owner', params), expected)
      assert.equal(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})
