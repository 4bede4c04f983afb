import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import type { RealmPermission, SystemGroup } from '#features/foundation/permissions/table.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer({ channelNotices: true })
after(server.close)

const { ids } = server
const { store } = server.server.context
const groups = { nobody: 1, administrators: 3, moderators: 4, members: 6, everyone: 7 }

const only = (...members: Actor[]) => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
})
const give = (setting: RealmPermission, group: SystemGroup) =>
  store.write((tx) => setRealmGroupSetting(tx, setting, systemGroupId(tx, group)))

let made = 0
/** A channel that the owner creates; its subscribers and its only administrators are these. */
async function make(params: CallParams = {}, subscribers: Actor[] = [], admins: Actor[] = []) {
  made += 1
  const name = `made ${made}`
  const reply = await server.as('owner').post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: (['owner', ...subscribers] as Actor[]).map((actor) => ids[actor]),
    can_administer_channel_group: only(...admins),
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  const found = await server.as('owner').get<{ stream_id: number }>('/get_stream_id', {
    stream: name,
  })
  return { id: found.stream_id, name }
}
const edit = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/streams/${id}`, params)
const look = async (id: number) =>
  (
    await server
      .as('owner')
      .get<{ stream: Record<string, unknown> }>(`/streams/${id}`, { extended_members: true })
  ).stream
const isPrivate = { invite_only: true }
const isShared = { invite_only: true, history_public_to_subscribers: true }

const unknown = failure('Invalid channel ID')
const denied = failure('Insufficient permission')
const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const ownersOnly = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
const unread = failure("You need access to a channel's messages to change who else has it.")

describe('contract, "Update a channel": who may', () => {
  const kinds = { public: {}, private: isPrivate }
  const asked = {
    description: { description: 'New words' },
    name: { new_name: 'a name of its own' },
    privacy: { is_private: false },
    joining: { can_subscribe_group: { new: groups.members } },
    sending: { can_send_message_group: { new: groups.moderators } },
    deletion: { can_delete_own_message_group: { new: groups.everyone } },
    topics: { topics_policy: 'disable_empty_topic' },
    folder: { folder_id: 1 },
    retention: { message_retention_days: 30 },
    default: { is_default_stream: false },
    pushing: { default_push_notifications: false },
  }
  // The member and the guest are subscribed; cordelia and the bot administer the channel, unsubscribed.
  // biome-ignore format: a matrix reads best in columns
  const matrix: [keyof typeof kinds, keyof typeof asked, Actor, object][] = [
    // kind     what           who          answer
    ['public',  'description', 'admin',     success],
    ['public',  'description', 'cordelia',  success],
    ['public',  'description', 'bot',       success],
    ['public',  'description', 'moderator', denied],
    ['public',  'description', 'member',    denied],
    ['public',  'description', 'guest',     denied],
    ['public',  'name',        'cordelia',  success],
    ['public',  'name',        'member',    denied],
    ['public',  'privacy',     'admin',     success],
    ['public',  'privacy',     'cordelia',  success],
    ['public',  'privacy',     'moderator', denied],
    ['public',  'joining',     'cordelia',  success],
    ['public',  'sending',     'admin',     success],
    ['public',  'sending',     'cordelia',  success],
    ['public',  'sending',     'member',    denied],
    ['public',  'deletion',    'admin',     success],
    ['public',  'deletion',    'cordelia',  denied],
    ['public',  'topics',      'cordelia',  success],
    ['public',  'topics',      'member',    denied],
    ['public',  'folder',      'cordelia',  success],
    ['public',  'folder',      'member',    denied],
    ['public',  'retention',   'owner',     success],
    ['public',  'retention',   'admin',     ownersOnly],
    ['public',  'retention',   'cordelia',  ownersOnly],
    ['public',  'retention',   'member',    denied],
    ['public',  'default',     'admin',     success],
    ['public',  'default',     'cordelia',  adminsOnly],
    ['public',  'pushing',     'cordelia',  adminsOnly],
    ['private', 'description', 'owner',     success],
    ['private', 'description', 'admin',     success],
    ['private', 'description', 'cordelia',  success],
    ['private', 'description', 'member',    denied],
    ['private', 'description', 'guest',     denied],
    ['private', 'description', 'moderator', unknown],
    ['private', 'name',        'outsider',  unknown],
    ['private', 'privacy',     'owner',     success],
    ['private', 'privacy',     'admin',     unread],
    ['private', 'privacy',     'cordelia',  unread],
    ['private', 'privacy',     'member',    denied],
    ['private', 'privacy',     'moderator', unknown],
    ['private', 'joining',     'owner',     success],
    ['private', 'joining',     'admin',     unread],
    ['private', 'joining',     'cordelia',  unread],
    ['private', 'sending',     'admin',     success],
    ['private', 'sending',     'cordelia',  success],
    ['private', 'sending',     'moderator', unknown],
  ]
  for (const [kind, what, actor, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} change the ${what} of a ${kind} channel`, async () => {
      const { id } = await make(kinds[kind], ['member', 'guest'], ['cordelia', 'bot', 'guest'])
      const before = await look(id)
      const change = what === 'name' ? { new_name: `renamed ${id}` } : asked[what]
      assert.deepEqual(await edit(actor, id, change), expected)
      if (expected !== success) assert.deepEqual(await look(id), before)
    })
  }

  test('whom can_set_delete_message_policy_group and can_set_topics_policy_group let', async () => {
    const { id } = await make({}, [], ['cordelia', 'moderator'])
    assert.deepEqual(await edit('moderator', id, asked.deletion), success)
    await give('can_set_topics_policy_group', 'role:moderators')
    assert.deepEqual(await edit('cordelia', id, asked.topics), denied)
    assert.deepEqual(await edit('moderator', id, asked.topics), success)
    await give('can_set_topics_policy_group', 'role:members')
  })
})

test('a channel takes every change at once, and shows each', async () => {
  const { id } = await make({}, ['member'])
  const before = await look(id)
  const permissions = {
    can_add_subscribers_group: groups.moderators,
    can_administer_channel_group: only('cordelia', 'member'),
    can_create_topic_group: groups.everyone,
    can_delete_any_message_group: groups.moderators,
    can_delete_own_message_group: groups.everyone,
    can_move_messages_out_of_channel_group: groups.members,
    can_move_messages_within_channel_group: groups.moderators,
    can_remove_subscribers_group: groups.members,
    can_resolve_topics_group: groups.administrators,
    can_send_message_group: groups.moderators,
    can_subscribe_group: groups.members,
  }
  const reply = await edit('owner', id, {
    new_name: `  all of ${id} `,
    description: 'Some **bold**\nwords',
    is_private: true,
    history_public_to_subscribers: false,
    message_retention_days: 'unlimited',
    folder_id: 2,
    topics_policy: 'allow_empty_topic',
    default_push_notifications: true,
    ...Object.fromEntries(
      Object.entries(permissions).map(([name, value]) => [name, { new: value }]),
    ),
  })
  assert.deepEqual(reply, success)
  const changed = await look(id)
  assert.deepEqual(changed, {
    ...before,
    ...permissions,
    name: `all of ${id}`,
    description: 'Some **bold** words',
    rendered_description: '<p>Some <strong>bold</strong> words</p>',
    invite_only: true,
    history_public_to_subscribers: false,
    message_retention_days: -1,
    folder_id: 2,
    topics_policy: 'allow_empty_topic',
    default_push_notifications: true,
    stream_post_policy: 4,
    first_message_id: changed.first_message_id,
  })
  assert.notEqual(changed.first_message_id, null)
})

describe('contract, "Update a channel": is_web_public has the preconditions of creation', () => {
  const off = failure('Web-public channels are not enabled.')
  const both = failure('A private channel cannot be web-public.')
  const protectedHistory = failure(
    'The history of a public channel is shared with its subscribers.',
  )
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, Actor, boolean, CallParams, CallParams, object][] = [
    // who                                 spectators  channel    change
    ['an owner',                  'owner', true,       {},        { is_web_public: true }, success],
    ['an administrator',          'admin', true,       {},        { is_web_public: true }, denied],
    ['an owner without spectators', 'owner', false,    {},        { is_web_public: true }, off],
    ['an owner, a private one',   'owner', true,       isPrivate, { is_web_public: true }, both],
    ['an owner, one made public', 'owner', true,       isPrivate, { is_web_public: true, is_private: false }, success],
    ['an owner, one made private', 'owner', true,      {},        { is_web_public: true, is_private: true }, both],
    ['an owner, a protected history', 'owner', true,   {},        { is_web_public: true, history_public_to_subscribers: false }, protectedHistory],
  ]
  for (const [name, actor, allowed, creation, change, expected] of matrix) {
    test(name, async () => {
      const { id } = await make(creation)
      const before = await look(id)
      await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', allowed))
      const reply = await edit(actor, id, change)
      await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', false))
      assert.deepEqual(reply, expected)
      if (expected !== success) return assert.deepEqual(await look(id), before)
      const { invite_only, is_web_public, history_public_to_subscribers } = await look(id)
      assert.deepEqual(
        [invite_only, is_web_public, history_public_to_subscribers],
        [false, true, true],
      )
      // What is web-public stays so where spectators are not let in anymore, and can be edited.
      assert.deepEqual(await edit('admin', id, { description: 'Still open' }), success)
      assert.deepEqual(await edit('admin', id, { is_web_public: false }), success)
      assert.equal((await look(id)).is_web_public, false)
    })
  }
})

test('null takes a channel out of its folder, and realm_default away its retention', async () => {
  const { id } = await make({ folder_id: 1, message_retention_days: 3 })
  const reply = await edit('owner', id, {
    folder_id: null,
    message_retention_days: 'realm_default',
  })
  assert.deepEqual(reply, success)
  const { folder_id, message_retention_days } = await look(id)
  assert.deepEqual(
    { folder_id, message_retention_days },
    { folder_id: null, message_retention_days: null },
  )
})

describe('what is refused changes nothing and tells nobody', () => {
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
  const long = 'x'.repeat(1_000_000)
  const ofType = (name: string, what: string) => failure(`${name} is not ${what}`)
  // biome-ignore format: a matrix reads best in columns
  const rows: [CallParams, object | RegExp][] = [
    [{ new_name: '' }, failure("Channel name can't be empty.")],
    [{ new_name: '  ' }, failure("Channel name can't be empty.")],
    [{ new_name: 'x'.repeat(61) }, failure('Channel name is too long (limit: 60 characters)')],
    [{ new_name: 'a\u0000b' }, /NUL|character/],
    [{ new_name: 'a\u0007b' }, failure('Invalid character in channel name, at position 2: U+0007.')],
    [{ new_name: 'verona' }, failure("Channel 'verona' already exists")],
    [{ new_name: long }, /too (long|large)/],
    [{ description: 'x'.repeat(1025) }, failure('description is too long (limit: 1024 characters)')],
    [{ description: 'a\u0000b' }, /NUL|character/],
    [{ is_private: 'yes' }, /is_private/],
    [{ is_private: 1 }, ofType('is_private', 'a boolean')],
    [{ is_web_public: null }, ofType('is_web_public', 'a boolean')],
    [{ is_web_public: true }, denied],
    [{ is_web_public: true, is_private: true }, denied],
    [{ history_public_to_subscribers: 'x' }, /history_public_to_subscribers/],
    [{ history_public_to_subscribers: false }, failure('The history of a public channel is shared with its subscribers.')],
    [{ history_public_to_subscribers: false, is_private: false }, failure('The history of a public channel is shared with its subscribers.')],
    [{ is_private: true, is_default_stream: true }, failure('A default channel cannot be private.')],
    [{ is_private: true, can_create_topic_group: { new: groups.members } }, failure("'can_create_topic_group' must be everyone where history is protected.")],
    [{ is_archived: true }, failure('Use DELETE to archive a channel.')],
    [{ is_archived: false }, failure('This channel is not archived.')],
    [{ is_archived: '__proto__' }, /is_archived/],
    [{ message_retention_days: 0 }, /message_retention_days/],
    [{ message_retention_days: -1 }, /message_retention_days/],
    [{ message_retention_days: 1e30 }, /message_retention_days/],
    [{ message_retention_days: '__proto__' }, /message_retention_days/],
    [{ folder_id: 99 }, failure('Invalid channel folder ID')],
    [{ folder_id: -1 }, failure('Invalid channel folder ID')],
    [{ folder_id: 1e300 }, /folder_id/],
    [{ folder_id: '__proto__' }, /folder_id/],
    [{ topics_policy: 'constructor' }, /topics_policy/],
    [{ topics_policy: 'empty_topic_only' }, failure('This channel has messages in named topics.')],
    [{ default_push_notifications: 'maybe' }, /default_push_notifications/],
    [{ can_send_message_group: groups.members }, /can_send_message_group/],
    [{ can_send_message_group: {} }, /can_send_message_group/],
    [{ can_send_message_group: { new: 'x' } }, /can_send_message_group/],
    [{ can_send_message_group: { new: 8 } }, failure("'can_send_message_group' setting cannot be set to 'role:internet' group.")],
    [{ can_send_message_group: { new: 999 } }, failure('Invalid user group')],
    [{ can_send_message_group: { new: -1 } }, failure('Invalid user group')],
    [{ can_send_message_group: { new: { direct_members: [999], direct_subgroups: [] } } }, failure('Invalid user ID: 999')],
    [{ can_send_message_group: { new: { direct_members: [], direct_subgroups: [999] } } }, failure('Invalid user group')],
    [{ can_send_message_group: { new: { __proto__: null, direct_members: '__proto__', direct_subgroups: [] } } }, /can_send_message_group/],
    [{ can_send_message_group: deep }, /can_send_message_group/],
    [{ can_add_subscribers_group: { new: groups.everyone } }, failure("'can_add_subscribers_group' setting cannot be set to 'role:everyone' group.")],
    [{ can_send_message_group: { new: groups.members, old: groups.moderators } }, failure("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH')],
    [{ can_subscribe_group: { new: groups.members, old: only('member') } }, failure("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH')],
  ]
  for (const [params, expected] of rows) {
    test(JSON.stringify(params).slice(0, 120), async () => {
      const { id } = await make({}, ['member'])
      await server.as('member').post('/messages', {
        type: 'channel',
        to: id,
        topic: 'named',
        content: 'Hi.',
      })
      const tables = ['channels', 'user_groups', 'group_members', 'messages', 'realm_settings']
      const digest = () =>
        tables.map((table) => store.db.$client.prepare(`SELECT * FROM ${table}`).all())
      const before = digest()
      const queue = await server.as('member').watch('stream', 'message', 'default_streams')
      // With a change that is allowed: one that is not undoes it.
      const reply = await edit('admin', id, { description: 'All or nothing', ...params })
      if (expected instanceof RegExp) {
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, expected)
      } else assert.deepEqual(reply, expected)
      assert.deepEqual(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }

  test('ids that no channel has', async () => {
    for (const id of ['0', '999', '99999999999999999999', '9007199254740993']) {
      const reply = await server.as('owner').patch(`/streams/${id}`, { description: 'x' })
      assert.equal(reply.result, 'error', id)
    }
    assert.deepEqual(await edit('owner', 999, { description: 'x' }), unknown)
  })
})

test("a setting's old value is compared in any order, and a right one lets the change through", async () => {
  const { id } = await make({ can_resolve_topics_group: only('member', 'cordelia') })
  const reply = await edit('owner', id, {
    can_resolve_topics_group: { old: only('cordelia', 'member'), new: groups.moderators },
  })
  assert.deepEqual(reply, success)
  assert.equal((await look(id)).can_resolve_topics_group, groups.moderators)
})

test('one who changes nothing tells nobody', async () => {
  const { id, name } = await make({}, ['member'])
  const queue = await server.as('member').watch('stream', 'message', 'default_streams')
  const same = { new_name: name, description: '', is_private: false, is_default_stream: false }
  assert.deepEqual(await edit('owner', id, {}), success)
  assert.deepEqual(await edit('owner', id, { ...same, topics_policy: 'inherit' }), success)
  const sending = { can_send_message_group: { new: only(), old: groups.everyone } }
  assert.deepEqual(
    await edit('owner', id, { can_send_message_group: { new: groups.everyone } }),
    success,
  )
  assert.deepEqual(await queue.drain(), [])
  assert.deepEqual(await edit('owner', id, sending), success)
})

describe('events', () => {
  const updates = async (params: CallParams, creation: CallParams = {}) => {
    const { id, name } = await make(creation, ['member'])
    const queue = await server.as('member').watch('stream', 'default_streams')
    assert.deepEqual(await edit('owner', id, params), success)
    const common = { type: 'stream', op: 'update', stream_id: id, name }
    // The first notice gives the channel its first message.
    const events = (await queue.drain()).filter(({ property }) => property !== 'first_message_id')
    return { events, common, id }
  }

  test('a new name comes with the old one', async () => {
    const { events, common } = await updates({ new_name: 'the newest name' })
    assert.deepEqual(events, [{ ...common, property: 'name', value: 'the newest name' }])
  })

  test('a description comes with its HTML', async () => {
    const { events, common } = await updates({ description: 'very *new*' })
    const value = 'very *new*'
    const rendered_description = '<p>very <em>new</em></p>'
    assert.deepEqual(events, [{ ...common, property: 'description', value, rendered_description }])
  })

  test('who may send comes with the old policy and its older form', async () => {
    const change = { can_send_message_group: { new: groups.administrators } }
    const { events, common } = await updates(change)
    assert.deepEqual(events, [
      { ...common, property: 'can_send_message_group', value: groups.administrators },
      { ...common, property: 'is_announcement_only', value: true },
      { ...common, property: 'stream_post_policy', value: 2 },
    ])
  })

  test('an anonymous group comes as such', async () => {
    const value = only('cordelia', 'member')
    const { events, common } = await updates({ can_administer_channel_group: { new: value } })
    assert.deepEqual(events, [{ ...common, property: 'can_administer_channel_group', value }])
  })

  test('other properties come each for itself', async () => {
    const change = { folder_id: 1, message_retention_days: 7, topics_policy: 'disable_empty_topic' }
    const { events, common } = await updates(change)
    assert.deepEqual(events, [
      { ...common, property: 'message_retention_days', value: 7 },
      { ...common, property: 'topics_policy', value: 'disable_empty_topic' },
      { ...common, property: 'folder_id', value: 1 },
    ])
  })

  test('privacy comes with what history and spectators get', async () => {
    const { events, common } = await updates({ is_private: true })
    const extra = { history_public_to_subscribers: false, is_web_public: false }
    assert.deepEqual(events, [{ ...common, property: 'invite_only', value: true, ...extra }])
  })

  test('a new default comes with all defaults', async () => {
    const { events, id } = await updates({ is_default_stream: true })
    const [event] = events
    assert.equal(events.length, 1)
    assert.ok(event?.type === 'default_streams')
    assert.ok((event.default_streams as number[]).includes(id))
    assert.deepEqual(await edit('admin', id, { is_default_stream: false }), success)
  })

  test('guests hear of no default', async () => {
    const queue = await server.as('guest').watch('default_streams')
    const { id } = await updates({ is_default_stream: true })
    assert.deepEqual(await edit('admin', id, { is_default_stream: false }), success)
    assert.deepEqual(await queue.drain(), [])
  })

  test('who may not know of the channel hears nothing', async () => {
    const { id } = await make(isPrivate)
    const queue = await server.as('member').watch('stream', 'message')
    assert.deepEqual(await edit('owner', id, { new_name: `secret ${id}` }), success)
    assert.deepEqual(await queue.drain(), [])
  })
})

describe('channels appear and disappear', () => {
  const witnesses: Actor[] = ['owner', 'admin', 'member', 'outsider', 'guest', 'cordelia']
  /** What each hears first, in short, when a channel with one subscriber changes. */
  async function hear(creation: CallParams, change: CallParams) {
    const { id } = await make(creation, ['member'])
    const queues = await Promise.all(witnesses.map((actor) => server.as(actor).watch('stream')))
    assert.deepEqual(await edit('owner', id, change), success)
    const heard = await Promise.all(queues.map((queue) => queue.drain()))
    const short = ({ op, property }: Event) => (property ? `${property}` : `${op}`)
    const entries = witnesses.map((actor, i) => [actor, (heard[i] ?? [])[0]] as const)
    return Object.fromEntries(entries.map(([actor, event]) => [actor, event && short(event)]))
  }
  const spectators = (allowed: boolean) =>
    store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', allowed))

  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, CallParams, CallParams, Record<string, string | undefined>][] = [
    ['private to public', isPrivate, { is_private: false },
      { owner: 'invite_only', admin: 'invite_only', member: 'invite_only', outsider: 'create', guest: undefined, cordelia: 'create' }],
    ['public to private', {}, { is_private: true },
      { owner: 'invite_only', admin: 'invite_only', member: 'invite_only', outsider: 'delete', guest: undefined, cordelia: 'delete' }],
    ['public to web-public', {}, { is_web_public: true },
      { owner: 'invite_only', admin: 'invite_only', member: 'invite_only', outsider: 'invite_only', guest: 'create', cordelia: 'invite_only' }],
    ['web-public to private', { is_web_public: true }, { is_private: true },
      { owner: 'invite_only', admin: 'invite_only', member: 'invite_only', outsider: 'delete', guest: 'delete', cordelia: 'delete' }],
    ['whom can_subscribe_group lets in', isPrivate, { can_subscribe_group: { new: only('cordelia', 'guest') } },
      { owner: 'can_subscribe_group', admin: 'can_subscribe_group', member: 'can_subscribe_group', outsider: undefined, guest: undefined, cordelia: 'create' }],
    ['whom can_subscribe_group no longer lets in', { ...isPrivate, can_subscribe_group: only('cordelia') }, { can_subscribe_group: { new: groups.nobody } },
      { owner: 'can_subscribe_group', admin: 'can_subscribe_group', member: 'can_subscribe_group', outsider: undefined, guest: undefined, cordelia: 'delete' }],
    ['whom can_administer_channel_group makes know', isPrivate, { can_administer_channel_group: { new: only('cordelia') } },
      { owner: 'can_administer_channel_group', admin: 'can_administer_channel_group', member: 'can_administer_channel_group', outsider: undefined, guest: undefined, cordelia: 'create' }],
  ]
  for (const [name, creation, change, expected] of matrix) {
    test(name, async () => {
      await spectators(true)
      assert.deepEqual(await hear(creation, change), expected)
      await spectators(false)
    })
  }

  test('the channel that appears is the changed one, with its subscribers', async () => {
    const { id } = await make(isPrivate, ['member'])
    const queue = await server.as('outsider').watchWith({
      event_types: ['stream', 'subscription'],
      client_capabilities: { extended_members: true },
    })
    const change = { is_private: false, folder_id: 1, new_name: `out in the open ${id}` }
    assert.deepEqual(await edit('owner', id, change), success)
    const [event, peers] = await queue.drain()
    const user_ids = [ids.owner, ids.member]
    assert.deepEqual(peers, { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids })
    assert.ok(event)
    const [stream] = event.streams as Record<string, unknown>[]
    const { first_message_id: _, ...now } = await look(id)
    assert.deepEqual(
      { ...stream, first_message_id: undefined },
      { ...now, first_message_id: undefined },
    )
  })
})

describe('what privacy transitions do to history', () => {
  const changes = {
    'private, named shared': { is_private: true, history_public_to_subscribers: true },
    private: { is_private: true },
    public: { is_private: false },
    shared: { history_public_to_subscribers: true },
    protected: { history_public_to_subscribers: false },
  }
  const kinds = {
    'a public channel': {},
    'a private, protected one': isPrivate,
    'a private, shared one': isShared,
  }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [keyof typeof kinds, keyof typeof changes, boolean][] = [
    // from                        change                   a new subscriber reads the history
    ['a public channel',           'private',               false],
    ['a public channel',           'private, named shared', true],
    ['a private, protected one',   'public',                true],
    ['a private, protected one',   'shared',                true],
    ['a private, shared one',      'protected',             false],
    ['a private, shared one',      'private',               true],
  ]
  for (const [from, change, reads] of matrix) {
    test(`${from} that becomes ${change}: a newcomer ${reads ? 'reads' : 'does not read'} what was before`, async () => {
      const { id, name } = await make(kinds[from], ['member'])
      const sent = await server.as('member').post<{ id: number }>('/messages', {
        type: 'channel',
        to: id,
        topic: 'old',
        content: 'From before.',
      })
      assert.deepEqual(await edit('owner', id, changes[change]), success)
      const joined = await server.as('owner').post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [ids.outsider],
      })
      assert.equal(joined.result, 'success', joined.msg)
      const seen = (actor: Actor) => server.as(actor).get(`/messages/${sent.id}`)
      assert.equal((await seen('outsider')).result, reads ? 'success' : 'error')
      assert.equal((await seen('member')).result, 'success')
    })
  }

  test('who is no subscriber of a channel that becomes private reads nothing of it', async () => {
    const { id } = await make({}, ['member'])
    const message = { type: 'channel', to: id, topic: 'old', content: 'From before.' }
    const sent = await server.as('member').post<{ id: number }>('/messages', message)
    assert.equal((await server.as('outsider').get(`/messages/${sent.id}`)).result, 'success')
    assert.deepEqual(await edit('owner', id, { is_private: true }), success)
    assert.deepEqual(
      await server.as('outsider').get(`/messages/${sent.id}`),
      failure('Invalid message(s)'),
    )
    assert.deepEqual(await server.as('outsider').get(`/streams/${id}`), unknown)
  })
})

describe('Notification Bot says in the channel', () => {
  async function notices(params: CallParams, creation: CallParams = {}) {
    const { id, name } = await make(creation, ['member'])
    const queue = await server.as('member').watch('message')
    assert.deepEqual(await edit('owner', id, params), success)
    const events = (await queue.drain()) as unknown as {
      message: { content: string; subject: string; sender_full_name: string; stream_id: number }
      flags: string[]
    }[]
    for (const { message, flags } of events) {
      assert.equal(message.sender_full_name, 'Notification Bot')
      assert.equal(message.stream_id, id)
      assert.deepEqual(flags, [])
    }
    return { name, texts: events.map(({ message }) => `${message.subject}: ${message.content}`) }
  }
  const author = '@_**Desdemona|9**'

  test('a new name, whatever is in it', async () => {
    const { name, texts } = await notices({ new_name: '@**all** `code`' })
    assert.deepEqual(texts, [
      `channel events: ${author} renamed this channel from \` ${name} \` to \`\` @**all** \`code\` \`\`.`,
    ])
  })

  test('a new description, with the old one, mentioning nobody', async () => {
    const { id } = await make({}, ['member'])
    const client = server.as('member')
    const queue = await client.watchWith({ event_types: ['message'], apply_markdown: true })
    assert.deepEqual(await edit('owner', id, { description: 'Ask @**King Hamlet**' }), success)
    const [event] = (await queue.drain()) as unknown as { message: { content: string } }[]
    assert.match(event?.message.content ?? '', /No description/)
    assert.match(event?.message.content ?? '', /user-mention silent/)
    assert.doesNotMatch(event?.message.content ?? '', /class="user-mention"/)
  })

  test('who can read it', async () => {
    const { texts } = await notices({ is_private: true, history_public_to_subscribers: true })
    assert.deepEqual(texts, [
      `channel events: ${author} changed who can read this channel: it was **public** and is now **private, with shared history**.`,
    ])
  })

  test('nothing of who may do what', async () => {
    const change = { can_send_message_group: { new: groups.moderators } }
    assert.deepEqual((await notices(change)).texts, [])
  })

  test('in the empty topic, where there is no other', async () => {
    const { texts } = await notices(
      { new_name: 'one topic only' },
      { topics_policy: 'empty_topic_only' },
    )
    assert.equal(texts.length, 1)
    assert.match(texts[0] ?? '', /^general chat: /)
  })
})
