import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { insertSession } from '#features/foundation/sessions/queries.ts'
import { hashCost, hashPassword } from '#features/foundation/users/passwords.ts'
import { updateUser } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer()
after(server.close)
const digest = digestOf(server)
const { store } = server.server.context
const { ids } = server

const change = (actor: Actor, params: object) =>
  server.as(actor).patch('/settings', params as Record<string, unknown>)

const modern = { client_capabilities: { user_settings_object: true } }
const events = ['user_settings', 'update_display_settings', 'update_global_notifications']

test('settings can be changed at the paths that they had before as well', async () => {
  for (const [path, color_scheme] of [
    ['notifications', 2],
    ['display', 3],
  ] as const) {
    const queue = await server.as('zoe').watchWith({ ...modern, event_types: ['user_settings'] })
    assert.deepEqual(await server.as('zoe').patch(`/settings/${path}`, { color_scheme }), success)
    const [event] = await queue.drain()
    assert.deepEqual([event?.property, event?.value], ['color_scheme', color_scheme])
  }
})

test('the home view may be called as newer clients call it', async () => {
  const queue = await server.as('zoe').watchWith({ ...modern, event_types: ['user_settings'] })
  assert.deepEqual(await change('zoe', { web_home_view: 'recent' }), success)
  assert.deepEqual(
    (await queue.drain()).map(({ property, value }) => [property, value]),
    [['web_home_view', 'recent_topics']],
  )
  await change('zoe', { web_home_view: 'inbox' })
})

test('without parameters nothing happens, successfully', async () => {
  assert.deepEqual(await change('member', {}), success)
})

describe('every setting that POST /register announces can be changed', () => {
  /** A value that is not the current one. */
  function another(name: keyof typeof userSettingRules): unknown {
    const current: unknown = userSetting(store, ids.cordelia, name)
    if (typeof current === 'boolean') return !current
    const candidates = [1, 2, 3, 20, 120, 'de', 'twitter', 'ding', 'never', 'all_messages']
    const { schema } = userSettingRules[name]
    return candidates.find((value) => {
      const result = schema['~standard'].validate(value)
      return value !== current && !('issues' in result && result.issues)
    })
  }
  for (const name of Object.keys(userSettingRules) as (keyof typeof userSettingRules)[]) {
    test(name, async () => {
      const value = another(name)
      assert.notEqual(value, undefined)
      const queue = await server.as('cordelia').watchWith({ event_types: events, ...modern })
      assert.deepEqual(await change('cordelia', { [name]: value }), success)
      const language = name === 'default_language' ? { language_name: 'German' } : {}
      const event = { type: 'user_settings', op: 'update', property: name, value, ...language }
      assert.deepEqual(await queue.drain(), [event])
      const again = await server.as('cordelia').watchWith({ fetch_event_types: ['user_settings'] })
      assert.equal((again.state.user_settings as Record<string, unknown>)[name], value)
      assert.deepEqual(await change('cordelia', { [name]: value }), success)
      assert.deepEqual(await queue.drain(), [], 'what stays as it is causes no event')
    })
  }
})

describe('clients without user_settings_object', () => {
  const user = 'user12@zulipdev.com'
  // biome-ignore format: a table reads best in columns
  const table: [string, unknown, object | undefined][] = [
    ['enable_sounds',        false,  { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: false }],
    ['notification_sound',   'ding', { type: 'update_global_notifications', user, notification_name: 'notification_sound', setting: 'ding' }],
    ['high_contrast_mode',   true,   { type: 'update_display_settings', user, setting_name: 'high_contrast_mode', setting: true }],
    ['default_language',     'fr',   { type: 'update_display_settings', user, setting_name: 'default_language', setting: 'fr', language_name: 'French' }],
    ['timezone',      'Asia/Tokyo',  { type: 'update_display_settings', user, setting_name: 'timezone', setting: 'Asia/Tokyo' }],
    ['hide_ai_features',     true,   undefined],
  ]
  for (const [name, value, event] of table) {
    test(`hear of ${name} ${event ? 'in the older form too' : 'in the newer form alone'}`, async () => {
      const old = await server.as('othello').watch(...events)
      const other = await server.as('member').watch(...events)
      await change('othello', { [name]: value })
      const got = await old.drain()
      assert.deepEqual(got.map(({ type }) => type).slice(0, 1), ['user_settings'])
      assert.deepEqual(got.slice(1), event ? [event] : [])
      assert.deepEqual(await other.drain(), [])
    })
  }
})

test('everyone hears of a new time zone, and of a new name', async () => {
  const queue = await server.as('guest').watch('realm_user')
  assert.deepEqual(
    await change('zoe', { timezone: 'US/Pacific', full_name: ' Zoe the Second ' }),
    success,
  )
  const person = { user_id: ids.zoe }
  assert.deepEqual(await queue.drain(), [
    { type: 'realm_user', op: 'update', person: { ...person, full_name: 'Zoe the Second' } },
    {
      type: 'realm_user',
      op: 'update',
      person: { ...person, email: 'user7@zulipdev.com', timezone: 'US/Pacific' },
    },
  ])
})

describe('where the organization disables name changes', () => {
  const refused = failure('Name changes are disabled in this organization.')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner', success], ['admin', success], ['moderator', refused], ['member', refused],
    ['guest', refused], ['bot', refused],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'can' : 'cannot'} take another name`, async () => {
      await store.write((tx) => setRealmSetting(tx, 'name_changes_disabled', true))
      assert.deepEqual(await change(actor, { full_name: `New ${actor}` }), expected)
      await store.write((tx) => setRealmSetting(tx, 'name_changes_disabled', false))
      assert.deepEqual(await change(actor, { full_name: `New ${actor}` }), success)
    })
  }
})

test('where names are unique nobody can take the name of another active user', async () => {
  const refusal = (name: string) =>
    failure(`Unique names required in this organization: '${name}' is taken.`)
  assert.deepEqual(await change('member', { full_name: 'King of  Infinite\u00a0Space ' }), success)
  await store.write((tx) => setRealmSetting(tx, 'require_unique_names', true))
  for (const name of ['KING of Infinite Space', 'Ｋing of Infinite Space']) {
    assert.deepEqual(await change('outsider', { full_name: name }), refusal(name))
  }
  assert.deepEqual(await change('member', { full_name: 'king of Infinite Space' }), success)
})

describe('email_address_visibility', () => {
  const update = (person: object) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: ids.prospero, ...person },
  })
  const real = 'prospero@zulip.com'
  const hidden = 'user14@zulipdev.com'
  // From one value to the next; what an administrator, a member and a guest hear.
  // biome-ignore format: a table reads best in columns
  const steps: [string, number, object[], object[], object[]][] = [
    ['nobody',     4, [{ delivery_email: null }], [], []],
    ['everyone',   1, [{ delivery_email: real }, { new_email: real }], [{ delivery_email: real }, { new_email: real }], [{ delivery_email: real }, { new_email: real }]],
    ['members',    2, [{ new_email: hidden }], [{ new_email: hidden }], [{ delivery_email: null }, { new_email: hidden }]],
    ['moderators', 5, [], [{ delivery_email: null }], []],
    ['admins',     3, [], [], []],
  ]
  for (const [name, value, ...expected] of steps) {
    test(`${name}: everyone learns which addresses they now see`, async () => {
      const viewers = ['admin', 'member', 'guest'] as const
      const queues = await Promise.all(viewers.map((who) => server.as(who).watch('realm_user')))
      assert.deepEqual(await change('prospero', { email_address_visibility: value }), success)
      for (const [i, queue] of queues.entries()) {
        assert.deepEqual(await queue.drain(), (expected[i] ?? []).map(update), viewers[i])
        const viewer = viewers[i] ?? 'guest'
        const { user } = await server.as(viewer).get<{ user: object }>(`/users/${ids.prospero}`)
        const sees = { 1: 'admin member guest', 2: 'admin member', 3: 'admin', 4: '', 5: 'admin' }
        const seen = (sees[value as 1] ?? '').includes(viewer)
        const { email, delivery_email } = user as Record<string, unknown>
        assert.deepEqual([email, delivery_email], [value === 1 ? real : hidden, seen ? real : null])
      }
    })
  }

  test('means nothing for a bot, whose address everyone sees', async () => {
    const queue = await server.as('member').watch('realm_user')
    assert.deepEqual(await change('bot', { email_address_visibility: 4 }), success)
    assert.deepEqual(await queue.drain(), [])
  })
})

test('a new password takes the old one, ends other logins and keeps the API key', async () => {
  const [first, second] = ['much ado about', 'nothing at all']
  const hash = await hashPassword(first, hashCost({ fixture: true }))
  await store.write((tx) => {
    updateUser(tx, ids.moderator, { passwordHash: hash })
    insertSession(tx, ids.moderator, tx.clock)
  })
  const sessions = () =>
    store.db.$client.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?').get(15)
  assert.deepEqual(sessions(), { n: 1 })
  const wrong = { old_password: 'something else', new_password: second }
  assert.deepEqual(await change('moderator', wrong), failure('Wrong password!'))
  assert.deepEqual(sessions(), { n: 1 })
  const right = { old_password: first, new_password: second }
  assert.deepEqual(await change('moderator', right), success)
  assert.deepEqual(sessions(), { n: 0 })
  const login = (password: string) =>
    server.anonymous.post('/fetch_api_key', { username: 'shiva@zulip.com', password })
  assert.equal((await login(first)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await login(second)).api_key, server.as('moderator').apiKey)
})

describe('bad input changes nothing', () => {
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  // biome-ignore format: a table reads best in columns
  const table: [string, object, object][] = [
    ['a word for a boolean',     { enter_sends: 'maybe' },       failure('Argument "enter_sends" is not valid JSON.')],
    ['a number for a boolean',   { enter_sends: 1 },             failure('Invalid enter_sends')],
    ['null for a boolean',       { enter_sends: null },          failure('Invalid enter_sends')],
    ['an object for a number',   { color_scheme: { a: 1 } },     failure('Invalid color_scheme')],
    ['a value out of range',     { color_scheme: 4 },            failure('Invalid color_scheme')],
    ['a fraction',               { web_font_size_px: 16.5 },     failure('Invalid web_font_size_px')],
    ['too small',                { web_font_size_px: 7 },        failure('Invalid web_font_size_px')],
    ['negative',                 { email_notifications_batching_period_seconds: -1 }, failure('Invalid email_notifications_batching_period_seconds')],
    ['a huge number',            { email_notifications_batching_period_seconds: '1e400' }, failure('Invalid email_notifications_batching_period_seconds')],
    ['a word not on the list',   { emojiset: 'apple' },          failure('Invalid emojiset')],
    ['a prototype name',         { emojiset: '__proto__' },      failure('Invalid emojiset')],
    ['NUL in a word',            { default_language: 'de\0' },   failure('Argument "default_language" holds characters that are not allowed.')],
    ['no language',              { default_language: 'klingon!' }, failure('Invalid default_language')],
    ['no time zone',             { timezone: 'Mars/Olympus' },   failure('Invalid timezone')],
    ['an offset as time zone',   { timezone: '+05:30' },         failure('Invalid timezone')],
    ...['PST', 'IST', 'BST', 'SystemV/PST8PDT', 'US/Pacific-New', 'Factory', 'EUROPE/BERLIN', 'utc', ' UTC'].map(
      (timezone): [string, object, object] => [`'${timezone}' as time zone`, { timezone }, failure('Invalid timezone')],
    ),
    ['an empty name',            { full_name: '   ' },           failure('The full name is missing.')],
    ['a name of asterisks',      { full_name: '**all**' },       failure('The full name may not contain * (U+002A), at position 1.')],
    ['an invisible character',   { full_name: 'Ia\u2060go' },     failure('The full name may not contain U+2060, at position 3.')],
    ['a turning character',      { full_name: '\u202eogaI' },    failure('The full name may not contain U+202E, at position 1.')],
    ['a blank name',             { full_name: '\u2800\u2800' },  failure('The full name has no visible character.')],
    ['a tower of marks',         { full_name: `a${'\u0301'.repeat(9)}` }, failure('The full name has too many marks on one character, at position 10.')],
    ['a name of one letter',     { full_name: 'I' },             failure('The full name is too short (at least 2 characters).')],
    ['an ID at the end',         { full_name: 'Iago|11' },       failure('The full name may not end in | and a number.')],
    ['a name that is too long',  { full_name: 'x'.repeat(101) }, failure('The full name is too long (limit: 100 characters).')],
    ['deep JSON',                { color_scheme: '['.repeat(99) + ']'.repeat(99) }, failure('Argument "color_scheme" is nested too deeply.')],
    ['a good and a bad value',   { enter_sends: true, full_name: '@' }, failure('The full name may not contain @ (U+0040), at position 1.')],
    ['no old password',          { new_password: 'long enough' }, missing('old_password')],
    ['no new password',          { old_password: 'long enough' }, missing('new_password')],
    ['an empty password',        { old_password: 'long enough', new_password: '' }, failure('The password is missing.')],
  ]
  for (const [name, params, expected] of table) {
    test(name, async () => {
      const queue = await server.as('guest').watch()
      const before = digest()
      assert.deepEqual(await change('guest', params), expected)
      assert.equal(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }

  test('without credentials', async () => {
    const reply = await server.anonymous.patch('/settings', { enter_sends: true })
    assert.deepEqual([reply.status, reply.code], [401, 'UNAUTHORIZED'])
  })
})

test('an address changes at once, as no mail could confirm it', async () => {
  const queue = await server.as('admin').watch('realm_user')
  assert.deepEqual(await change('prospero', { email: 'new@zulip.com' }), success)
  assert.deepEqual(await queue.drain(), [
    {
      type: 'realm_user',
      op: 'update',
      person: { user_id: ids.prospero, delivery_email: 'new@zulip.com' },
    },
  ])
})

test('who has someone’s API key cannot try passwords without end', async () => {
  const limited = await startServer({ config: { rateLimits: true } })
  try {
    const guess = async () => {
      const passwords = { old_password: 'guessed', new_password: 'correct horse' }
      return (await limited.as('zoe').patch('/settings', passwords)).code
    }
    for (let i = 0; i < 10; i++) assert.equal(await guess(), 'BAD_REQUEST')
    assert.equal(await guess(), 'RATE_LIMIT_HIT')
    assert.deepEqual(
      await limited.as('zoe').patch('/settings', { starred_message_counts: false }),
      success,
    )
  } finally {
    await limited.close()
  }
})
