import assert from 'node:assert/strict'
import { findUser } from '#features/foundation/users/queries.ts'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** People, bots, invitations, their settings and phones. */
export const peopleLevels: readonly Level[] = [
  t.userSetting(253, 'receives_typing_notifications', false),
  t.groupPermission(258, 'can_mention_group'),
  [
    261,
    'invitations can include the default channels',
    async (server) => {
      const params = { include_realm_default_subscriptions: true }
      const reply = await t.ok(server.as('owner').post('/invites/multiuse', params))
      assert.equal('ignored_parameters_unsupported' in reply, false)
    },
  ],
  [
    262,
    'GET /users/{user_id}/status',
    async (server) => {
      const { othello } = server.ids
      await t.ok(server.as('othello').post('/users/me/status', { status_text: 'Jealous' }))
      assert.deepEqual(await t.statusOf(server, othello), { status_text: 'Jealous' })
      assert.deepEqual(await t.statusOf(server, server.ids.zoe), {})
    },
  ],
  [
    263,
    'presence is fetched since an update',
    async (server) => {
      const poll = (last_update_id: number) =>
        t.ok<{ presences: t.Json; presence_last_update_id: number }>(
          server.as('member').post('/users/me/presence', { status: 'active', last_update_id }),
        )
      await t.ok(server.as('othello').post('/users/me/presence', { status: 'active' }))
      const all = await poll(-1)
      assert.ok(String(server.ids.othello) in all.presences)
      const news = await poll(all.presence_last_update_id)
      assert.equal(String(server.ids.othello) in news.presences, false)
      const { presence_last_update_id } = await t.state(server, ['presence'])
      assert.equal(typeof presence_last_update_id, 'number')
    },
  ],
  [
    267,
    'who invites says whether to be told of those who join',
    async (server) => {
      await t.ok(server.as('owner').post('/invites/multiuse'))
      const { invites } = await t.ok<{ invites: t.Json[] }>(server.as('owner').get('/invites'))
      assert.equal(typeof invites[0]?.notify_referrer_on_join, 'boolean')
    },
  ],
  t.userSetting(268, 'web_navigate_to_sent_message', false),
  t.userSetting(269, 'web_channel_default_view', 2),
  t.userSetting(275, 'web_animate_image_previews', 'always'),
  t.groupPermission(283, 'can_manage_group'),
  [
    285,
    "owners whom the operator lets can change people's addresses",
    async (server) => {
      const params = { new_email: 'new@zulip.com' }
      const reply = server.as('owner').patch(`/users/${server.ids.zoe}`, params)
      assert.equal(await t.codeOf(reply), 'BAD_REQUEST')
    },
  ],
  [
    288,
    'presence goes back as far as asked',
    async (server) => {
      await t.ok(server.as('cordelia').post('/users/me/presence', { status: 'active' }))
      server.clock.advance(20 * 24 * 3600 * 1000)
      const poll = async (params: object) =>
        String(server.ids.cordelia) in
        (
          await t.ok<{ presences: t.Json }>(
            server
              .as('member')
              .post('/users/me/presence', { status: 'active', last_update_id: -1, ...params }),
          )
        ).presences
      assert.deepEqual([await poll({}), await poll({ history_limit_days: 30 })], [false, true])
      const later = await t.state(server, ['presence'], {
        presence_history_limit_days: 30,
        slim_presence: true,
      })
      assert.ok(String(server.ids.cordelia) in (later.presences as t.Json))
    },
  ],
  t.userSetting(293, 'allow_private_data_export', true, 'without a default'),
  [
    295,
    'administrators see who agrees to exports of what is private',
    async (server) => {
      const reply = await t.ok<{ export_consents: t.Json[] }>(
        server.as('owner').get('/export/realm/consents'),
      )
      assert.ok(reply.export_consents.some((each) => each.user_id === server.ids.zoe))
      const refused = await server.as('member').get('/export/realm/consents')
      assert.equal(refused.result, 'error')
    },
  ],
  [
    297,
    'people save texts',
    async (server) => {
      const member = server.as('member')
      const queue = await member.watch('saved_snippets')
      const { saved_snippet_id: id } = await t.ok(
        member.post('/saved_snippets', { title: 'Hi', content: 'Hello' }),
      )
      const { saved_snippets } = await t.ok<{ saved_snippets: t.Json[] }>(
        member.get('/saved_snippets'),
      )
      assert.ok(saved_snippets.some((each) => each.id === id))
      assert.deepEqual((await t.state(server, ['saved_snippets'])).saved_snippets, saved_snippets)
      await t.ok(member.del(`/saved_snippets/${id}`))
      assert.deepEqual(
        (await queue.drain()).map(({ op }) => op),
        ['add', 'remove'],
      )
    },
  ],
  t.groupPermission(301, 'can_join_group'),
  [
    302,
    'people are found by the address that is always theirs in the API',
    async (server) => {
      const { zoe } = server.ids
      const found = await t.ok<{ user: t.Json }>(
        server.as('member').get(`/users/user${zoe}@zulipdev.com`),
      )
      assert.equal(found.user.user_id, zoe)
    },
  ],
  t.groupPermission(305, 'can_add_members_group'),
  t.groupPermission(308, 'can_leave_group'),
  [
    312,
    'administrators hear who agrees to exports',
    async (server) => {
      const [admin, member] = await Promise.all([
        server.as('admin').watch('realm_export_consent'),
        server.as('member').watch('realm_export_consent'),
      ])
      await t.ok(server.as('othello').patch('/settings', { allow_private_data_export: true }))
      assert.deepEqual(await admin.drain(), [
        { type: 'realm_export_consent', user_id: server.ids.othello, consented: true },
      ])
      assert.deepEqual(await member.drain(), [])
    },
  ],
  [
    313,
    'people are changed by their address too',
    async (server) => {
      const person = await server.enroll(t.fresh('Renamed'))
      const name = t.fresh('Other name')
      await t.ok(server.as('admin').patch(`/users/${person.email}`, { full_name: name }))
      assert.equal(findUser(server.server.context.store, person.id)?.fullName, name)
    },
  ],
  t.groupPermission(324, 'can_remove_members_group'),
  t.userSetting(329, 'web_suggest_update_timezone', false),
  t.userSetting(350, 'hide_ai_features', true),
  [
    359,
    'a bot that gets another owner stays in its channels',
    async (server) => {
      const member = server.as('member')
      const bot = await t.ok<{ user_id: number }>(
        member.post('/bots', {
          full_name: t.fresh('Bot'),
          short_name: t.fresh('b').replace(' ', ''),
        }),
      )
      const id = await t.channel(server, {
        invite_only: true,
        subscribers: [member.id, bot.user_id],
      })
      const owner = { bot_owner_id: server.ids.othello }
      await t.ok(server.as('owner').patch(`/bots/${bot.user_id}`, owner))
      const path = `/users/${bot.user_id}/subscriptions/${id}`
      assert.equal((await t.ok(member.get(path))).is_subscribed, true)
    },
  ],
  [
    364,
    '`dense_mode` is gone',
    async (server) => {
      const all = await t.state(server, ['user_settings'])
      assert.equal('dense_mode' in (all.user_settings as t.Json), false)
    },
  ],
  [
    368,
    'saved texts can be changed',
    async (server) => {
      const member = server.as('member')
      const { saved_snippet_id: id } = await t.ok(
        member.post('/saved_snippets', { title: 'Hi', content: 'Hello' }),
      )
      await t.ok(member.patch(`/saved_snippets/${id}`, { title: 'Ho' }))
      const { saved_snippets } = await t.ok<{ saved_snippets: t.Json[] }>(
        member.get('/saved_snippets'),
      )
      const snippet = saved_snippets.find((each) => each.id === id)
      assert.deepEqual([snippet?.title, snippet?.content], ['Ho', 'Hello'])
    },
  ],
  [
    380,
    '`is_moderator` is true of administrators and owners too',
    async (server) => {
      for (const [actor, expected] of [
        ['owner', true],
        ['admin', true],
        ['moderator', true],
        ['member', false],
      ] as const) {
        assert.equal((await t.state(server, ['realm_user'], {}, actor)).is_moderator, expected)
      }
    },
  ],
  t.userSetting(383, 'web_channel_default_view', 3),
  [
    384,
    'GET /users takes the ids that are wanted',
    async (server) => {
      const user_ids = [server.ids.zoe, server.ids.owner]
      const { members } = await t.ok<{ members: { user_id: number }[] }>(
        server.as('member').get('/users', { user_ids }),
      )
      assert.deepEqual(new Set(members.map(({ user_id }) => user_id)), new Set(user_ids))
    },
  ],
  t.userSetting(385, 'resolved_topic_notice_auto_read_policy', 'always'),
  [
    387,
    'GET /users is for everybody where the organization is open to the public',
    async (server) => {
      assert.equal(await t.codeOf(server.anonymous.get('/users')), 'UNAUTHORIZED')
      await t.during(
        () => t.setRealm(server, { enable_spectator_access: true }),
        async () => {
          const { members } = await t.ok<{ members: t.Json[] }>(server.anonymous.get('/users'))
          assert.ok(members.length > 0)
        },
        () => t.setRealm(server, { enable_spectator_access: false }),
      )
    },
  ],
  t.userSetting(398, 'web_left_sidebar_unreads_count_summary', false),
  t.userSetting(401, 'web_channel_default_view', 4),
  [
    406,
    'phones are registered for encrypted notifications, where there is a service for that',
    async (server) => {
      const reply = server.as('member').post('/mobile_push/register', {
        token_kind: 'fcm',
        push_account_id: 2408,
        push_public_key: 'AAAA',
        bouncer_public_key: 'AAAA',
        encrypted_push_registration: 'AAAA',
      })
      assert.equal(await t.codeOf(reply), 'PUSH_SERVICE_NOT_CONFIGURED')
      assert.deepEqual((await t.state(server, ['push_device'])).push_devices, {})
    },
  ],
  [
    407,
    'administrators can set the status of others',
    async (server) => {
      const path = `/users/${server.ids.cordelia}/status`
      await t.ok(server.as('admin').post(path, { status_text: 'Away' }))
      assert.deepEqual(await t.statusOf(server, server.ids.cordelia), { status_text: 'Away' })
      const refused = await server.as('member').post(path, { status_text: 'Here' })
      assert.equal(refused.result, 'error')
    },
  ],
  [
    408,
    '`twenty_four_hour_time` can be null, as the language has it',
    async (server) => {
      const all = await t.state(server, ['user_settings'])
      const value = (all.user_settings as t.Json).twenty_four_hour_time
      assert.ok(value === null || typeof value === 'boolean')
    },
  ],
  t.userSetting(411, 'web_left_sidebar_show_channel_folders', false),
  [
    217,
    'a test notification is for phones that are registered',
    async (server) => {
      const reply = server.as('member').post('/mobile_push/test_notification', { token: 'abcd' })
      assert.equal(await t.codeOf(reply), 'INVALID_PUSH_DEVICE_TOKEN')
    },
  ],
  [
    416,
    'invitations have a welcome message, which administrators can try out',
    async (server) => {
      const admin = server.as('admin')
      const params = { welcome_message_custom_text: 'Hello, *you*.' }
      const { message_id } = await t.ok<{ message_id: number }>(
        admin.post('/realm/test_welcome_bot_custom_message', params),
      )
      assert.match(String((await t.message(admin, message_id)).content), /Hello, <em>you<\/em>/)
      const reply = await t.ok(admin.post('/invites/multiuse', params))
      assert.equal('ignored_parameters_unsupported' in reply, false)
    },
  ],
  [
    419,
    'presence events are short for clients that know that form',
    async (server) => {
      const queue = await server.as('member').watchWith({
        event_types: ['presence'],
        client_capabilities: { simplified_presence_events: true },
      })
      await t.ok(server.as('zoe').post('/users/me/presence', { status: 'active' }))
      const now = Math.floor(server.clock.now() / 1000)
      const presences = {
        [server.ids.zoe]: { active_timestamp: now, idle_timestamp: now },
      }
      assert.deepEqual(await queue.drain(), [{ type: 'presence', presences }])
    },
  ],
  [
    420,
    'a test of encrypted notifications needs a registered phone',
    async (server) => {
      const reply = server.as('member').post('/mobile_push/e2ee/test_notification')
      assert.equal(await t.codeOf(reply), 'NO_ACTIVE_PUSH_DEVICE')
    },
  ],
]
