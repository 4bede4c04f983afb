import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { storeGroupSetting } from '#features/foundation/groups/setting-values.queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  permissionRules,
  type RealmPermission,
  type SystemGroup,
} from '#features/foundation/permissions/table.ts'
import {
  realmSetting,
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import {
  setUserDefault,
  setUserSetting,
  userDefaults,
  userSetting,
  userSettings,
} from '#features/foundation/users/settings.queries.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { member, othello, guest, owner, admin } = server.ids
const days = 'waiting_period_threshold'

describe('a changed setting', () => {
  test('is visible later in the same write, and to everyone after it', async () => {
    const inside = await store.write((tx) => {
      setRealmSetting(tx, days, 3)
      return realmSetting(tx, days)
    })
    assert.deepEqual([inside, realmSetting(store, days)], [3, 3])
  })

  test('is restored if its write fails, also for other writes of the same commit', async () => {
    await store.write((tx) => setRealmSetting(tx, days, 3))
    const failing = store.write((tx) => {
      setRealmSetting(tx, days, 99)
      setUserSetting(tx, member, 'translate_emoticons', true)
      assert.equal(realmSetting(tx, days), 99)
      assert.equal(userSetting(tx, member, 'translate_emoticons'), true)
      throw new Error('on purpose')
    })
    const read = store.write((tx) => [
      realmSetting(tx, days),
      userSetting(tx, member, 'translate_emoticons'),
    ])
    await assert.rejects(failing, /on purpose/)
    assert.deepEqual(await read, [3, false])
    assert.equal(realmSetting(store, days), 3)
    assert.equal(userSetting(store, member, 'translate_emoticons'), false)
  })

  test('can be null, which is not the default', async () => {
    const name = 'message_content_edit_limit_seconds'
    await store.write((tx) => setRealmSetting(tx, name, null))
    assert.equal(realmSetting(store, name), null)
    assert.equal(realmSettingRules[name].fallback, 600)
  })

  test('is refused and not changed if its value is not allowed', async () => {
    const wrong: never = 'maybe' as never
    await assert.rejects(store.write((tx) => setRealmSetting(tx, 'invite_required', wrong)))
    await assert.rejects(store.write((tx) => setRealmSetting(tx, days, -1)))
    await assert.rejects(store.write((tx) => setUserSetting(tx, member, 'emojiset', wrong)))
    await assert.rejects(store.write((tx) => setUserDefault(tx, 'color_scheme', 7 as never)))
    assert.equal(realmSetting(store, days), 3)
    assert.equal(userSetting(store, member, 'emojiset'), 'google')
  })
})

test('every default is an allowed value', () => {
  for (const rules of [realmSettingRules, userSettingRules]) {
    for (const [name, { schema, fallback }] of Object.entries(rules)) {
      const result = schema['~standard'].validate(fallback)
      assert.ok(!('issues' in result && result.issues), name)
    }
  }
})

test("new users get the organization's defaults, and keep them when the defaults change", async () => {
  const emails = ['early@example.com', 'late@example.com'] as const
  const join = (email: string) =>
    store.write((tx) => createUser(tx, { email, fullName: email, role: 400 }).id)
  const early = await join(emails[0])
  await store.write((tx) => setUserDefault(tx, 'color_scheme', 2))
  const late = await join(emails[1])
  const chosen = [early, late, member].map((id) => userSetting(store, id, 'color_scheme'))
  assert.deepEqual(chosen, [1, 2, 1])
  assert.equal(userDefaults(store).color_scheme, 2)
  assert.equal(userSettings(store, late).color_scheme, 2)
  // The fixture organization's own default.
  assert.deepEqual(
    [userSetting(store, late, 'enter_sends'), userDefaults(store).enter_sends],
    [true, true],
  )
  await store.write((tx) => setUserSetting(tx, late, 'color_scheme', 3))
  assert.equal(userSetting(store, late, 'color_scheme'), 3)
})

describe('the legacy policy of a permission, for clients from before group settings', () => {
  const group = (name: SystemGroup) => systemGroupId(store, name)
  async function policies(setting: RealmPermission, groupId: number) {
    await store.write((tx) => setRealmGroupSetting(tx, setting, groupId))
    return (await server.as('member').watch('realm')).state
  }
  const directly = (...direct_members: number[]) =>
    store.write((tx) => storeGroupSetting(tx, { direct_members, direct_subgroups: [] }))

  // biome-ignore format: a table reads best in columns
  const matrix: [RealmPermission, string, SystemGroup, number][] = [
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:members',        1],
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:fullmembers',    3],
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:moderators',     4],
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:administrators', 2],
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:owners',         2],
    ['can_create_public_channel_group',     'realm_create_public_stream_policy',     'role:nobody',         2],
    ['can_create_private_channel_group',    'realm_create_private_stream_policy',    'role:members',        1],
    ['can_create_web_public_channel_group', 'realm_create_web_public_stream_policy', 'role:nobody',         6],
    ['can_create_web_public_channel_group', 'realm_create_web_public_stream_policy', 'role:owners',         7],
    ['can_create_web_public_channel_group', 'realm_create_web_public_stream_policy', 'role:administrators', 2],
    ['can_create_web_public_channel_group', 'realm_create_web_public_stream_policy', 'role:moderators',     4],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:everyone',       1],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:members',        2],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:fullmembers',    3],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:administrators', 5],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:owners',         5],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:nobody',         6],
    ['can_mention_many_users_group',        'realm_wildcard_mention_policy',         'role:moderators',     7],
  ]
  for (const [setting, member, name, code] of matrix) {
    test(`${member} is ${code} for ${name}`, async () => {
      const state = await policies(setting, group(name))
      assert.deepEqual([state[member], state[`realm_${setting}`]], [code, group(name)])
    })
  }

  // biome-ignore format: a table reads best in columns
  const people: [string, number[], number][] = [
    ['an owner',                 [owner],          5],
    ['an owner and a guest',     [owner, guest],   1],
    ['an administrator',         [admin],          5],
    ['a member of long standing',[othello, admin], 3],
    ['nobody at all',            [],               6],
  ]
  for (const [who, ids, code] of people) {
    test(`the smallest set of roles with ${who} in it`, async () => {
      await store.write((tx) => setRealmSetting(tx, days, 0))
      const state = await policies('can_mention_many_users_group', await directly(...ids))
      assert.equal(state.realm_wildcard_mention_policy, code)
      const held = state.realm_can_mention_many_users_group
      assert.deepEqual(held, { direct_members: ids.sort((a, b) => a - b), direct_subgroups: [] })
    })
  }

  test('a new member in the group makes it all members', async () => {
    await store.write((tx) => setRealmSetting(tx, days, 30))
    const state = await policies('can_mention_many_users_group', await directly(othello))
    assert.equal(state.realm_wildcard_mention_policy, 2)
  })

  test('the legacy settings of topics and edit history follow their replacements', async () => {
    const read = async () => {
      const { state } = await server.as('member').watch('realm')
      return [state.realm_mandatory_topics, state.realm_allow_edit_history]
    }
    assert.deepEqual(await read(), [false, true])
    await store.write((tx) => {
      setRealmSetting(tx, 'topics_policy', 'disable_empty_topic')
      setRealmSetting(tx, 'message_edit_history_visibility_policy', 'moves')
    })
    assert.deepEqual(await read(), [true, true])
    await store.write((tx) => setRealmSetting(tx, 'message_edit_history_visibility_policy', 'none'))
    assert.deepEqual(await read(), [true, false])
  })
})

test('clients get the allowed values of each permission', async () => {
  const { state } = await server
    .as('member')
    .watchWith({ event_types: ['realm'], client_capabilities: { extended_members: true } })
  type Supported = Record<'realm' | 'stream' | 'group', Record<string, object>>
  const supported = state.server_supported_permission_settings as Supported
  assert.deepEqual(supported.realm.can_create_web_public_channel_group, {
    require_system_group: true,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'role:owners',
    default_for_system_groups: null,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  })
  assert.deepEqual(supported.group.can_mention_group, {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: true,
    default_group_name: 'role:everyone',
    default_for_system_groups: 'role:nobody',
    allowed_system_groups: [],
  })
  for (const kind of ['realm', 'stream', 'group'] as const) {
    assert.deepEqual(Object.keys(supported[kind]), Object.keys(permissionRules[kind]))
  }
})
