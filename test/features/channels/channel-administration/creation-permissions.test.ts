import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import type { RealmPermission, SystemGroup } from '#features/foundation/permissions/table.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context

let made = 0
/** Asks for a new channel; returns its name and the reply. */
async function create(actor: Actor, params: CallParams = {}) {
  made += 1
  const name = `made ${made}`
  const reply = await server
    .as(actor)
    .post('/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  return { name, reply }
}

interface ChannelReply {
  stream: Record<string, unknown>
}

async function look(name: string): Promise<ChannelReply['stream']> {
  const admin = server.as('admin')
  const { stream_id } = await admin.get<{ stream_id: number }>('/get_stream_id', { stream: name })
  return (await admin.get<ChannelReply>(`/streams/${stream_id}`, { extended_members: true })).stream
}

const only = (...members: Actor[]) => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
})
const give = (setting: RealmPermission, group: SystemGroup) =>
  store.write((tx) => setRealmGroupSetting(tx, setting, systemGroupId(tx, group)))
const spectators = (allowed: boolean) =>
  store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', allowed))

const denied = failure('Insufficient permission')
const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const ownersOnly = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')

describe('who may create', () => {
  afterEach(async () => {
    await give('can_create_public_channel_group', 'role:members')
    await give('can_create_private_channel_group', 'role:members')
    await give('can_create_web_public_channel_group', 'role:owners')
    await spectators(false)
  })
  const kinds = { public: {}, private: { invite_only: true }, web: { is_web_public: true } }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [keyof typeof kinds, SystemGroup, Actor, boolean][] = [
    // kind     the group that may    who          may
    ['public',  'role:members',        'member',    true],
    ['public',  'role:members',        'bot',       true],
    ['public',  'role:members',        'guest',     false],
    ['public',  'role:moderators',     'moderator', true],
    ['public',  'role:moderators',     'member',    false],
    ['public',  'role:administrators', 'admin',     true],
    ['public',  'role:administrators', 'moderator', false],
    ['public',  'role:nobody',         'owner',     false],
    ['private', 'role:members',        'member',    true],
    ['private', 'role:members',        'guest',     false],
    ['private', 'role:moderators',     'member',    false],
    ['web',     'role:owners',         'owner',     true],
    ['web',     'role:owners',         'admin',     false],
    ['web',     'role:moderators',     'moderator', true],
    ['web',     'role:nobody',         'owner',     false],
  ]
  for (const [kind, group, actor, may] of matrix) {
    const can = may ? 'can' : 'cannot'
    test(`a ${kind} channel where ${group} may: ${actor} ${can}`, async () => {
      const setting = kind === 'web' ? 'web_public' : kind
      await give(`can_create_${setting}_channel_group`, group)
      await spectators(true)
      const { name, reply } = await create(actor, kinds[kind])
      if (!may) return assert.deepEqual(reply, denied)
      assert.equal(reply.result, 'success', reply.msg)
      const { invite_only, is_web_public, creator_id } = await look(name)
      assert.deepEqual(
        { invite_only, is_web_public, creator_id },
        { invite_only: kind === 'private', is_web_public: kind === 'web', creator_id: ids[actor] },
      )
    })
  }

  test('a web-public channel where the realm has no spectators: nobody', async () => {
    const { reply } = await create('owner', { is_web_public: true })
    assert.deepEqual(reply, failure('Web-public channels are not enabled.'))
  })
})

test('a server without web-public channels has none, whatever the realm says', async () => {
  const other = await startServer({ config: { webPublicChannels: false } })
  await other.server.context.store.write((tx) =>
    setRealmSetting(tx, 'enable_spectator_access', true),
  )
  const subscriptions = [{ name: 'seen by all' }]
  const asked = { subscriptions, is_web_public: true }
  const reply = await other.as('owner').post('/users/me/subscriptions', asked)
  assert.deepEqual(reply, failure('Web-public channels are not enabled.'))
  await other.close()
})

describe('a new channel', () => {
  test('takes every setting', async () => {
    const groups = {
      can_add_subscribers_group: 4,
      can_administer_channel_group: only('cordelia', 'member'),
      can_create_topic_group: 5,
      can_delete_any_message_group: 3,
      can_delete_own_message_group: 6,
      can_move_messages_out_of_channel_group: 4,
      can_move_messages_within_channel_group: {
        direct_members: [ids.member],
        direct_subgroups: [4],
      },
      can_remove_subscribers_group: 2,
      can_resolve_topics_group: 7,
      can_send_message_group: 5,
      can_subscribe_group: 4,
    }
    const { name, reply } = await create('owner', {
      ...groups,
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      folder_id: 1,
      default_push_notifications: true,
    })
    assert.equal(reply.result, 'success', reply.msg)
    const channel = await look(name)
    const asked = {
      ...groups,
      can_administer_channel_group: only('cordelia', 'member'),
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      folder_id: 1,
      default_push_notifications: true,
      stream_post_policy: 3,
    }
    const kept = Object.fromEntries(Object.keys(asked).map((key) => [key, channel[key]]))
    assert.deepEqual(kept, asked)
  })

  // biome-ignore format: a matrix reads best in columns
  const forms: [string, object, object][] = [
    ['keeps its history from newcomers if it is private', { invite_only: true }, { history_public_to_subscribers: false }],
    ['shares a private history if told to', { invite_only: true, history_public_to_subscribers: true }, { history_public_to_subscribers: true }],
    ['shares a public history', { history_public_to_subscribers: true }, { history_public_to_subscribers: true }],
    ['keeps messages for ever', { message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
    ['keeps messages as the realm does', { message_retention_days: 'realm_default' }, { message_retention_days: null }],
    ['keeps messages for some days', { message_retention_days: '20' }, { message_retention_days: 20 }],
    ['may have empty topics', { topics_policy: 'allow_empty_topic' }, { topics_policy: 'allow_empty_topic' }],
    ['may have the empty topic only', { topics_policy: 'empty_topic_only' }, { topics_policy: 'empty_topic_only' }],
    ['takes a lone subgroup for itself', { can_send_message_group: { direct_members: [], direct_subgroups: [5] } }, { can_send_message_group: 5 }],
    ['takes nobody', { can_send_message_group: { direct_members: [], direct_subgroups: [] } }, { can_send_message_group: only() }],
    ['shows where only administrators post', { can_send_message_group: 3 }, { is_announcement_only: true, stream_post_policy: 2 }],
  ]
  for (const [what, params, expected] of forms) {
    test(what, async () => {
      const { name, reply } = await create('owner', { ...params })
      assert.equal(reply.result, 'success', reply.msg)
      const channel = await look(name)
      const kept = Object.fromEntries(Object.keys(expected).map((key) => [key, channel[key]]))
      assert.deepEqual(kept, expected)
    })
  }

  test('can be one of the defaults, and everyone is told', async () => {
    const member = await server.as('member').watch('default_streams')
    const guest = await server.as('guest').watch('default_streams')
    const { name } = await create('admin', { is_default_stream: true })
    const { stream_id } = await look(name)
    const before = [1, 2, 3, 10, 11, 13, 14]
    const event = { type: 'default_streams', default_streams: [...before, stream_id] }
    assert.deepEqual(await member.drain(), [event])
    assert.deepEqual(await guest.drain(), [])
    const state = await server.as('member').watchWith({ fetch_event_types: ['default_streams'] })
    assert.deepEqual(state.state.realm_default_streams, [...before, stream_id])
  })

  test('ignores the settings for channels that exist', async () => {
    const reply = await server.as('outsider').post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Denmark', description: 'Something rotten' }],
      invite_only: true,
      is_default_stream: true,
      can_send_message_group: 999,
    })
    assert.equal(reply.result, 'success', reply.msg)
    const { description, invite_only } = await look('Denmark')
    assert.deepEqual(
      { description, invite_only },
      { description: 'A Scandinavian country', invite_only: false },
    )
  })

  test('has no parameter for what `can_send_message_group` says', async () => {
    const { name, reply } = await create('member', {
      stream_post_policy: 2,
      is_announcement_only: true,
    })
    assert.deepEqual(reply, {
      ...success,
      subscribed: { [ids.member]: [name] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
      ignored_parameters_unsupported: ['stream_post_policy', 'is_announcement_only'],
    })
  })
})

describe('no channel can be created', () => {
  const everyone = 7
  const internet = 8
  const cannot = (setting: string, group: string) =>
    failure(`'${setting}' setting cannot be set to '${group}' group.`)
  // biome-ignore format: a matrix reads best in columns
  const cases: [Actor, object, object][] = [
    ['owner',  { invite_only: true, is_web_public: true }, failure('A private channel cannot be web-public.')],
    ['owner',  { invite_only: true, is_default_stream: true }, failure('A default channel cannot be private.')],
    ['owner',  { history_public_to_subscribers: false }, failure('The history of a public channel is shared with its subscribers.')],
    ['owner',  { invite_only: true, can_create_topic_group: 5 }, failure("'can_create_topic_group' must be everyone where history is protected.")],
    ['owner',  { folder_id: 99 }, failure('Invalid channel folder ID')],
    ['member', { is_default_stream: true }, adminsOnly],
    ['member', { message_retention_days: 10 }, ownersOnly],
    ['admin', { message_retention_days: 10 }, ownersOnly],
    ['admin', { message_retention_days: 'unlimited' }, ownersOnly],
    ['moderator', { default_push_notifications: true }, adminsOnly],
    ['member', { can_delete_any_message_group: 6 }, denied],
    ['member', { can_delete_own_message_group: 6 }, denied],
    ['owner',  { can_send_message_group: internet }, cannot('can_send_message_group', 'role:internet')],
    ['owner',  { can_administer_channel_group: everyone }, cannot('can_administer_channel_group', 'role:everyone')],
    ['owner',  { can_add_subscribers_group: everyone }, cannot('can_add_subscribers_group', 'role:everyone')],
    ['owner',  { can_subscribe_group: everyone }, cannot('can_subscribe_group', 'role:everyone')],
    ['owner',  { can_send_message_group: 999 }, failure('Invalid user group')],
    ['owner',  { can_send_message_group: -5 }, failure('Invalid user group')],
    ['owner',  { can_send_message_group: { direct_members: [], direct_subgroups: [999] } }, failure('Invalid user group')],
    ['owner',  { can_send_message_group: { direct_members: [999], direct_subgroups: [] } }, failure('Invalid user ID: 999')],
  ]
  for (const [actor, params, expected] of cases) {
    test(`by ${actor} with ${JSON.stringify(params)}`, async () => {
      const { name, reply } = await create(actor, { ...params })
      assert.deepEqual(reply, expected)
      const found = await server.as('admin').get('/get_stream_id', { stream: name })
      assert.deepEqual(found, failure(`Invalid channel name '${name}'`))
    })
  }

  test('with a topics policy, by those who may not set it', async () => {
    await give('can_set_topics_policy_group', 'role:moderators')
    const { reply } = await create('member', { topics_policy: 'allow_empty_topic' })
    assert.deepEqual(reply, denied)
    const byModerator = await create('moderator', { topics_policy: 'allow_empty_topic' })
    assert.equal(byModerator.reply.result, 'success')
  })

  test('under a name that a channel has whom the creator may not know of', async () => {
    const subscriptions = [{ name: 'CORE team' }]
    const reply = await server.as('outsider').post('/users/me/subscriptions', { subscriptions })
    assert.deepEqual(reply, failure('Unable to access channel (CORE team).'))
  })
})

describe('Notification Bot', () => {
  /** What the bot writes to someone while `act` runs: text, channel or kind, topic. */
  async function written(actor: Actor, act: () => Promise<unknown>) {
    const queue = await server.as(actor).watch('message')
    await act()
    const events = (await queue.drain()) as unknown as {
      message: {
        content: string
        type: string
        subject: string
        stream_id?: number
        sender_id: number
      }
    }[]
    const bot = 4
    return events
      .map(({ message }) => message)
      .filter(({ sender_id }) => sender_id === bot)
      .map(({ content, type, subject, stream_id }) => [content, stream_id ?? type, subject])
  }
  const hamlet = `@_**King Hamlet|${ids.member}**`

  test('announces new public channels where the realm wants it, if asked', async () => {
    const setting = 'new_stream_announcements_stream_id'
    await store.write((tx) => setRealmSetting(tx, setting, channels.announce))
    assert.deepEqual(await written('outsider', () => create('member')), [])
    let name = ''
    const announced = await written('outsider', async () => {
      name = (await create('member', { announce: true })).name
      await create('member', { announce: true, invite_only: true })
    })
    const content = `${hamlet} created a new channel: #**${name}**.`
    assert.deepEqual(announced, [[content, channels.announce, 'new channels']])
  })

  test('announces nothing where the realm names no channel for it', async () => {
    await store.write((tx) => setRealmSetting(tx, 'new_stream_announcements_stream_id', -1))
    const act = () => create('member', { announce: true })
    assert.deepEqual(await written('member', act), [])
  })

  const subscribeToRome = async (actor: Actor, params: CallParams = {}) =>
    await server.as(actor).post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Rome' }, { name: 'Scotland' }],
      ...params,
    })

  test('tells people to which channels someone subscribed them', async () => {
    const principals = [ids.member, ids.cordelia, ids.prospero, ids.bot]
    const others: Record<string, unknown> = {}
    const toCordelia = await written('cordelia', async () => {
      others.toProspero = await written('prospero', async () => {
        others.toMember = await written('member', async () => {
          others.toBot = await written('bot', () => subscribeToRome('member', { principals }))
        })
      })
    })
    const both = `${hamlet} subscribed you to the channels #**Rome** and #**Scotland**.`
    const one = `${hamlet} subscribed you to the channel #**Rome**.`
    assert.deepEqual(toCordelia, [[both, 'private', '']])
    // Prospero knew Scotland; nobody is told what they did themselves; bots do not care.
    assert.deepEqual(others, { toProspero: [[one, 'private', '']], toMember: [], toBot: [] })
  })

  test('tells nobody of a channel that is new itself', async () => {
    const act = () => create('member', { principals: [ids.outsider] })
    assert.deepEqual(await written('outsider', act), [])
  })

  test('writes to nobody when more than 250 are subscribed at once', async () => {
    const people: number[] = []
    await store.write((tx) => {
      for (let i = 0; i < 250; i++) {
        const email = `many${i}@example.com`
        people.push(createUser(tx, { email, fullName: `Many ${i}`, role: 400 }).id)
      }
    })
    const sent = async (name: string, principals: number[]) => {
      const asked = { subscriptions: [{ name }], principals }
      const reply = await server.as('member').post('/users/me/subscriptions', asked)
      return reply.new_subscription_messages_sent
    }
    const { name } = await create('member')
    let told: unknown
    const toCordelia = await written('cordelia', async () => {
      told = await sent(name, [...people, ids.cordelia])
    })
    assert.deepEqual([told, toCordelia], [false, []])
    assert.equal(await sent('Venice', people), true)
  })

  test('keeps quiet when told to, and the reply says nothing of it', async () => {
    let reply: object = {}
    const act = async () => {
      const quiet = { principals: [ids.outsider], send_new_subscription_messages: false }
      reply = await subscribeToRome('member', quiet)
    }
    assert.deepEqual(await written('outsider', act), [])
    const subscribed = { [ids.outsider]: ['Rome', 'Scotland'] }
    assert.deepEqual(reply, { ...success, subscribed, already_subscribed: {} })
  })
})
