import assert from 'node:assert/strict'
import type { CallParams } from '#test/support/server.ts'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** Channels, subscriptions, folders and topics. */
export const channelLevels: readonly Level[] = [
  [
    254,
    'channels say who made them',
    async (server) => {
      const id = await t.channel(server)
      assert.equal((await t.shown(server, id)).creator_id, server.ids.member)
    },
  ],
  [
    315,
    'channels say whether they are archived, and clients that know hear of it so',
    async (server) => {
      const id = await t.channel(server)
      const knows = { client_capabilities: { archived_channels: true } }
      const member = server.as('member')
      const [queue, old] = await Promise.all([
        member.watchWith({ event_types: ['stream'], ...knows }),
        member.watch('stream'),
      ])
      await t.ok(server.as('owner').del(`/streams/${id}`))
      const event = (await queue.drain()).find(({ property }) => property === 'is_archived')
      assert.deepEqual([event?.op, event?.value], ['update', true])
      assert.ok((await old.drain()).some(({ op }) => op === 'delete'))
      const listed = async (params: CallParams) =>
        ((await t.state(server, ['stream'], params, 'owner')).streams as t.Json[]).some(
          (each) => each.stream_id === id,
        )
      assert.deepEqual([await listed(knows), await listed({})], [true, false])
      const all = async (exclude_archived: boolean) =>
        (
          await t.ok<{ streams: t.Json[] }>(
            server.as('owner').get('/streams', { exclude_archived }),
          )
        ).streams.some((each) => each.stream_id === id)
      assert.deepEqual([await all(false), await all(true)], [true, false])
    },
  ],
  t.channelPermission(320, 'can_remove_subscribers_group'),
  [
    323,
    'channels say whether they are active',
    async (server) => {
      const id = await t.channel(server)
      assert.equal((await t.shown(server, id)).is_recently_active, true)
    },
  ],
  t.channelPermission(325, 'can_administer_channel_group'),
  t.channelPermission(333, 'can_send_message_group'),
  [
    333,
    '`stream_post_policy` is shown, and no parameter anymore',
    async (server) => {
      const nobody = await t.systemGroup(server, 'role:administrators')
      const id = await t.channel(server, { can_send_message_group: nobody })
      assert.equal((await t.shown(server, id)).stream_post_policy, 2)
      const reply = await t.ok(
        server.as('owner').patch(`/streams/${id}`, { stream_post_policy: 1, description: 'x' }),
      )
      assert.deepEqual(reply.ignored_parameters_unsupported, ['stream_post_policy'])
    },
  ],
  [
    335,
    "a channel's mail address can be another sender's",
    async (server) => {
      const member = server.as('member')
      const path = `/streams/${server.channels.public}/email_address`
      await t.ok(member.get(path))
      const bot = await t.ok<{ user_id: number }>(
        member.post('/bots', { full_name: 'Mailer', short_name: 'mailer' }),
      )
      await t.ok(member.get(path, { sender_id: bot.user_id }))
      const others = member.get(path, { sender_id: server.ids.zoe })
      assert.equal(await t.codeOf(others), 'BAD_REQUEST')
    },
  ],
  t.channelPermission(342, 'can_add_subscribers_group'),
  [
    343,
    'deleted channels are named by `stream_ids`',
    async (server) => {
      const id = await t.channel(server)
      const queue = await server.as('member').watch('stream')
      await t.ok(server.as('owner').del(`/streams/${id}`))
      const event = (await queue.drain()).find(({ op }) => op === 'delete')
      assert.deepEqual([event?.stream_ids, event?.streams], [[id], [{ stream_id: id }]])
    },
  ],
  [
    349,
    'who administers a channel may remove others, without reading it',
    async (server) => {
      const { othello, zoe } = server.ids
      const id = await t.channel(server, {
        can_administer_channel_group: { direct_members: [othello], direct_subgroups: [] },
        subscribers: [server.ids.member, zoe],
      })
      const { name } = await t.shown(server, id)
      const params = { subscriptions: [name], principals: [zoe] }
      const reply = await t.ok(server.as('othello').del('/users/me/subscriptions', params))
      assert.deepEqual(reply.removed, [name])
      await t.ok(server.as('othello').patch(`/streams/${id}`, { description: 'Ours' }))
    },
  ],
  [
    356,
    'channels can be listed by what one may read',
    async (server) => {
      const { othello } = server.ids
      const id = await t.channel(server, {
        invite_only: true,
        can_subscribe_group: { direct_members: [othello], direct_subgroups: [] },
      })
      const listed = async (actor: 'othello' | 'zoe', params: CallParams) =>
        (
          await t.ok<{ streams: t.Json[] }>(
            server.as(actor).get('/streams', { include_public: false, ...params }),
          )
        ).streams.some((each) => each.stream_id === id)
      const content = { include_can_access_content: true }
      assert.deepEqual(
        [await listed('othello', content), await listed('zoe', content)],
        [true, false],
      )
      const all = { include_all: true }
      assert.deepEqual([await listed('othello', all), await listed('zoe', all)], [true, false])
    },
  ],
  t.channelPermission(357, 'can_subscribe_group'),
  [
    362,
    'archived channels have subscribers that come and go',
    async (server) => {
      const id = await t.channel(server)
      const { name } = await t.shown(server, id)
      await t.ok(server.as('owner').del(`/streams/${id}`))
      const owner = server.as('owner')
      const principals = [server.ids.othello]
      const archived = (await t.shown(server, id)).name
      assert.equal(archived, name)
      const added = await t.ok<{ subscribed: t.Json }>(
        owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals }),
      )
      assert.deepEqual(Object.values(added.subscribed), [[name]])
      await t.ok(owner.del('/users/me/subscriptions', { subscriptions: [name], principals }))
      await t.ok(server.as('owner').patch(`/streams/${id}`, { is_private: true }))
    },
  ],
  [
    377,
    'who is deactivated leaves channels in the sight of their subscribers',
    async (server) => {
      const leaver = await server.enroll(t.fresh('Leaver'))
      const id = await t.channel(server, { subscribers: [server.ids.member, leaver.id] })
      const queue = await server.as('member').watch('subscription')
      await t.ok(server.as('owner').del(`/users/${leaver.id}`))
      const event = (await queue.drain()).find((each) => each.op === 'peer_remove')
      assert.deepEqual([event?.stream_ids, event?.user_ids], [[id], [leaver.id]])
    },
  ],
  [
    378,
    'register has archived channels for clients that know of them',
    async (server) => {
      const id = await t.channel(server)
      await t.ok(server.as('owner').del(`/streams/${id}`))
      const params = { client_capabilities: { archived_channels: true } }
      const { subscriptions } = await t.state(server, ['subscription'], params)
      const mine = (subscriptions as t.Json[]).find((each) => each.stream_id === id)
      assert.equal(mine?.is_archived, true)
    },
  ],
  [
    388,
    'channels can be unarchived',
    async (server) => {
      const id = await t.channel(server)
      await t.ok(server.as('owner').del(`/streams/${id}`))
      await t.ok(server.as('owner').patch(`/streams/${id}`, { is_archived: false }))
      assert.equal((await t.shown(server, id)).is_archived, false)
    },
  ],
  [
    389,
    'channels are in folders',
    async (server) => {
      const owner = server.as('owner')
      const queue = await server.as('member').watch('channel_folder', 'stream')
      const { channel_folder_id: folder } = await t.ok(
        owner.post('/channel_folders/create', { name: t.fresh('folder'), description: '' }),
      )
      const id = await t.channel(server, { folder_id: folder }, 'owner')
      assert.equal((await t.shown(server, id)).folder_id, folder)
      await t.ok(owner.patch(`/streams/${id}`, { folder_id: null }))
      await t.ok(owner.patch(`/channel_folders/${folder}`, { is_archived: true }))
      const ops = (await queue.drain()).map(({ type, op }) => `${type} ${op}`)
      assert.ok(ops.includes('channel_folder add') && ops.includes('channel_folder update'))
      const listed = async (include_archived: boolean) =>
        (
          await t.ok<{ channel_folders: t.Json[] }>(
            owner.get('/channel_folders', { include_archived }),
          )
        ).channel_folders.some((each) => each.id === folder)
      assert.deepEqual([await listed(true), await listed(false)], [true, false])
    },
  ],
  [
    390,
    'people keep views for their navigation',
    async (server) => {
      const member = server.as('member')
      const queue = await member.watch('navigation_view')
      const fragment = 'narrow/has/reaction'
      await t.ok(member.post('/navigation_views', { fragment, is_pinned: true, name: 'Reactions' }))
      const path = `/navigation_views/${encodeURIComponent(fragment)}`
      await t.ok(member.patch(path, { is_pinned: false }))
      const { navigation_views } = await t.ok<{ navigation_views: t.Json[] }>(
        member.get('/navigation_views'),
      )
      const view = { fragment, is_pinned: false, name: 'Reactions' }
      assert.deepEqual(
        navigation_views.find((each) => each.fragment === fragment),
        view,
      )
      await t.ok(member.del(path))
      assert.equal(await t.codeOf(member.del(path)), 'NOT_FOUND')
      const ops = (await queue.drain()).map(({ op }) => op)
      assert.deepEqual(ops, ['add', 'update', 'remove'])
    },
  ],
  [
    392,
    'each channel has its own policy about the empty topic',
    async (server) => {
      const id = await t.channel(server, { topics_policy: 'disable_empty_topic' })
      assert.equal((await t.shown(server, id)).topics_policy, 'disable_empty_topic')
      const params = { type: 'channel', to: id, topic: '', content: 'Hello.' }
      assert.equal(await t.codeOf(server.as('member').post('/messages', params)), 'BAD_REQUEST')
    },
  ],
  [
    394,
    'channels say how many subscribers they have',
    async (server) => {
      const id = await t.channel(server, { subscribers: [server.ids.member, server.ids.zoe] })
      assert.equal((await t.shown(server, id)).subscriber_count, 2)
    },
  ],
  t.channelPermission(396, 'can_move_messages_within_channel_group'),
  t.channelPermission(396, 'can_move_messages_out_of_channel_group'),
  [
    397,
    'who is subscribed by another is told so, unless that is not wanted',
    async (server) => {
      const id = await t.channel(server)
      const { name } = await t.shown(server, id)
      const add = (who: number, told: boolean) =>
        t.ok(
          server.as('member').post('/users/me/subscriptions', {
            subscriptions: [{ name }],
            principals: [who],
            send_new_subscription_messages: told,
          }),
        )
      const queue = await server.as('zoe').watch('message')
      const quiet = await add(server.ids.othello, false)
      assert.equal('new_subscription_messages_sent' in quiet, false)
      const loud = await add(server.ids.zoe, true)
      assert.equal(loud.new_subscription_messages_sent, true)
      assert.equal((await queue.drain()).length, 1)
      const all = await t.state(server, ['realm', 'subscription'])
      assert.equal(typeof all.max_bulk_new_subscription_messages, 'number')
    },
  ],
  t.channelPermission(402, 'can_resolve_topics_group'),
  [
    404,
    'a channel can have the empty topic alone',
    async (server) => {
      const id = await t.channel(server, { topics_policy: 'empty_topic_only' })
      const member = server.as('member')
      const post = (topic: string) =>
        member.post('/messages', { type: 'channel', to: id, topic, content: 'Hello.' })
      assert.equal(await t.codeOf(post('plans')), 'BAD_REQUEST')
      await t.ok(post(''))
    },
  ],
  t.channelPermission(407, 'can_delete_any_message_group'),
  t.channelPermission(407, 'can_delete_own_message_group'),
  [
    412,
    'clients can ask for part of the subscribers',
    async (server) => {
      const partial = { include_subscribers: 'partial' }
      const { subscriptions } = await t.state(server, ['subscription'], partial)
      for (const each of subscriptions as t.Json[]) {
        assert.ok(Array.isArray(each.subscribers ?? each.partial_subscribers))
      }
      const plain = await t.state(server, ['subscription'], { include_subscribers: 'false' })
      const [first] = plain.subscriptions as t.Json[]
      assert.equal('subscribers' in (first ?? {}), false)
      const params = { include_subscribers: 'some' }
      const refused = server.as('member').get('/users/me/subscriptions', params)
      assert.equal(await t.codeOf(refused), 'BAD_REQUEST')
    },
  ],
  [
    414,
    'folders have an order',
    async (server) => {
      const owner = server.as('owner')
      for (const description of ['a', 'b']) {
        const params = { name: t.fresh('folder'), description }
        await t.ok(owner.post('/channel_folders/create', params))
      }
      const ids = async () =>
        (
          await t.ok<{ channel_folders: { id: number; order: number }[] }>(
            owner.get('/channel_folders', { include_archived: true }),
          )
        ).channel_folders.map(({ id }) => id)
      const order = (await ids()).reverse()
      await t.ok(owner.patch('/channel_folders', { order }))
      assert.deepEqual(await ids(), order)
      const some = owner.patch('/channel_folders', { order: order.slice(1) })
      assert.equal(await t.codeOf(some), 'BAD_REQUEST')
    },
  ],
  [
    417,
    'POST /channels/create makes a channel, and never subscribes to an existing one',
    async (server) => {
      const member = server.as('member')
      const params = { name: t.fresh('made'), subscribers: [] }
      const { id } = await t.ok<{ id: number }>(member.post('/channels/create', params))
      assert.equal((await t.shown(server, id)).name, params.name)
      const again = member.post('/channels/create', params)
      assert.equal(await t.codeOf(again), 'CHANNEL_ALREADY_EXISTS')
    },
  ],
  [
    418,
    'a new order of folders is an event',
    async (server) => {
      const owner = server.as('owner')
      const { channel_folders } = await t.ok<{ channel_folders: { id: number }[] }>(
        owner.get('/channel_folders', { include_archived: true }),
      )
      const order = channel_folders.map(({ id }) => id).reverse()
      const queue = await server.as('member').watch('channel_folder')
      await t.ok(owner.patch('/channel_folders', { order }))
      assert.deepEqual(await queue.drain(), [{ type: 'channel_folder', op: 'reorder', order }])
    },
  ],
]
