import assert from 'node:assert/strict'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** The organization, its settings and what the server says of itself. */
export const realmLevels: readonly Level[] = [
  [
    251,
    '`realm_upload_quota_mib` is there, in MiB',
    async (server) => assert.equal((await t.state(server, ['realm'])).realm_upload_quota_mib, null),
  ],
  [
    252,
    'all parameters of PATCH /realm/profile_fields/{id} are optional',
    async (server) => {
      const owner = server.as('owner')
      const { id } = await t.ok<{ id: number }>(
        owner.post('/realm/profile_fields', { field_type: 1, name: t.fresh('field') }),
      )
      await t.ok(owner.patch(`/realm/profile_fields/${id}`, { hint: 'A hint' }))
      await t.ok(owner.patch(`/realm/profile_fields/${id}`))
    },
  ],
  [
    257,
    '`realm_url` stands beside `realm_uri`',
    async (server) => {
      const settings = await server.anonymous.get('/server_settings')
      assert.equal(settings.realm_url, server.url)
      const realm = await t.state(server, ['realm'])
      assert.deepEqual([realm.realm_url, realm.realm_uri], [server.url, server.url])
    },
  ],
  [
    259,
    'onboarding steps, and no hotspots',
    async (server) => {
      const all = await t.state(server, ['onboarding_steps', 'hotspots'])
      assert.ok(Array.isArray(all.onboarding_steps))
      assert.equal(all.hotspots, undefined)
    },
  ],
  t.realmPermission(264, 'can_create_public_channel_group'),
  t.realmPermission(266, 'can_create_private_channel_group'),
  t.realmPermission(270, 'direct_message_permission_group'),
  t.realmPermission(270, 'direct_message_initiator_group'),
  [
    273,
    '`server_thumbnail_formats` names the forms of previews',
    async (server) => {
      const formats = (await t.state(server, ['realm'])).server_thumbnail_formats as t.Json[]
      const [first] = formats
      assert.deepEqual(Object.keys(first ?? {}).sort(), [
        'animated',
        'format',
        'max_height',
        'max_width',
        'name',
      ])
    },
  ],
  t.realmPermission(280, 'can_create_web_public_channel_group', 'role:administrators'),
  t.realmPermission(281, 'can_delete_any_message_group'),
  [
    282,
    'POST /users/me/tutorial_status is gone',
    async (server) => {
      const reply = server.as('member').post('/users/me/tutorial_status', { status: 'finished' })
      assert.equal(await t.codeOf(reply), 'NOT_FOUND')
    },
  ],
  t.realmPermission(291, 'can_delete_own_message_group'),
  [
    296,
    '`editable_by_user` says whether people may change their own value of a profile field',
    async (server) => {
      const owner = server.as('owner')
      const params = { field_type: 1, name: t.fresh('field'), editable_by_user: false }
      const { id } = await t.ok<{ id: number }>(owner.post('/realm/profile_fields', params))
      const data = [{ id, value: 'mine' }]
      const refused = await server.as('member').patch('/users/me/profile_data', { data })
      assert.equal(refused.result, 'error')
      await t.ok(owner.patch(`/users/${server.ids.member}`, { profile_data: data }))
      const { custom_fields } = await t.ok<{ custom_fields: t.Json[] }>(
        owner.get('/realm/profile_fields'),
      )
      assert.equal(custom_fields.find((field) => field.id === id)?.editable_by_user, false)
    },
  ],
  t.realmPermission(299, 'can_create_groups'),
  t.realmPermission(299, 'can_manage_all_groups'),
  [
    304,
    'exports have a type',
    async (server) => {
      const owner = server.as('owner')
      const params = { export_type: 2 }
      const { id } = await t.ok<{ id: number }>(owner.post('/export/realm', params))
      await server.settled()
      const { exports } = await t.ok<{ exports: t.Json[] }>(owner.get('/export/realm'))
      const made = exports.find((each) => each.id === id)
      assert.deepEqual([made?.pending, made?.export_type], [false, 2])
      assert.match(String(made?.export_url), /^http/)
    },
  ],
  [
    306,
    '`max_file_upload_size_mib` is a fact of the server, and events have no `extra_data`',
    async (server) => {
      assert.equal((await t.state(server, ['realm'])).max_file_upload_size_mib, 25)
      const queue = await server.as('member').watch('realm')
      await t.during(
        () => t.setRealm(server, { name_changes_disabled: true }),
        async () =>
          assert.deepEqual(Object.keys((await queue.drain())[0] ?? {}).sort(), [
            'data',
            'op',
            'property',
            'type',
          ]),
        () => t.setRealm(server, { name_changes_disabled: false }),
      )
    },
  ],
  t.realmPermission(307, 'can_add_custom_emoji_group'),
  [
    309,
    'anonymous groups hold permissions, and a group alone in one is that group',
    async (server) => {
      const moderators = await t.systemGroup(server, 'role:moderators')
      const alone = { direct_members: [], direct_subgroups: [moderators] }
      await t.during(
        () => t.setRealm(server, { can_add_custom_emoji_group: { new: alone } }),
        async () =>
          assert.equal(
            (await t.state(server, ['realm'])).realm_can_add_custom_emoji_group,
            moderators,
          ),
        async () =>
          await t.setRealm(server, {
            can_add_custom_emoji_group: { new: await t.systemGroup(server, 'role:members') },
          }),
      )
    },
  ],
  t.realmPermission(310, 'can_move_messages_between_channels_group'),
  t.realmPermission(314, 'create_multiuse_invite_group'),
  t.realmPermission(314, 'can_access_all_users_group', 'role:members'),
  t.realmPermission(316, 'can_move_messages_between_topics_group'),
  [
    318,
    'integrations name their options as `config_options`',
    async (server) => {
      const all = await t.state(server, ['realm_incoming_webhook_bots'])
      const bots = all.realm_incoming_webhook_bots as t.Json[]
      assert.ok(bots.length > 0)
      assert.ok(bots.every((bot) => Array.isArray(bot.config_options) && !('config' in bot)))
    },
  ],
  t.realmPermission(321, 'can_invite_users_group'),
  [
    326,
    '`server_supported_permission_settings` says of each which groups can hold it',
    async (server) => {
      const supported = (await t.state(server, ['realm']))
        .server_supported_permission_settings as Record<string, Record<string, t.Json>>
      const rule = supported.realm?.can_create_groups ?? {}
      assert.deepEqual(Object.keys(rule).sort(), [
        'allow_everyone_group',
        'allow_internet_group',
        'allow_nobody_group',
        'allowed_system_groups',
        'default_for_system_groups',
        'default_group_name',
        'require_system_group',
      ])
      assert.deepEqual(Object.keys(supported).sort(), ['group', 'realm', 'stream'])
    },
  ],
  [
    330,
    'default channels are ids',
    async (server) => {
      const owner = server.as('owner')
      const queue = await owner.watch('default_streams')
      const id = await t.channel(server, { is_default_stream: true }, 'owner')
      const { realm_default_streams } = await t.state(server, ['default_streams'])
      assert.ok((realm_default_streams as number[]).includes(id))
      assert.deepEqual(await queue.drain(), [
        { type: 'default_streams', default_streams: realm_default_streams },
      ])
      await t.ok(owner.patch(`/streams/${id}`, { is_default_stream: false }))
    },
  ],
  [
    331,
    '`moderation_request_channel_id` names a channel, or -1',
    async (server) => {
      const value = (await t.state(server, ['realm'])).realm_moderation_request_channel_id
      assert.equal(value, -1)
      await t.during(
        () => t.setRealm(server, { moderation_request_channel_id: server.channels.private }),
        async () => {
          const now = (await t.state(server, ['realm'])).realm_moderation_request_channel_id
          assert.equal(now, server.channels.private)
        },
        () => t.setRealm(server, { moderation_request_channel_id: -1 }),
      )
    },
  ],
  [
    332,
    'a deactivated organization can be deleted after a delay within limits',
    async (server) => {
      const realm = await t.state(server, ['realm'])
      assert.deepEqual(
        [
          realm.server_min_deactivated_realm_deletion_days,
          realm.server_max_deactivated_realm_deletion_days,
        ],
        [null, null],
      )
      const params = { deletion_delay_days: 14 }
      const refused = server.as('admin').post('/realm/deactivate', params)
      assert.equal(await t.codeOf(refused), 'UNAUTHORIZED_PRINCIPAL')
    },
  ],
  [
    338,
    '`password_max_length`',
    async (server) =>
      assert.equal(typeof (await t.state(server, ['realm'])).password_max_length, 'number'),
  ],
  t.realmPermission(341, 'can_add_subscribers_group'),
  t.realmPermission(344, 'can_create_bots_group'),
  t.realmPermission(344, 'can_create_write_only_bots_group'),
  t.realmSetting(348, 'enable_guest_user_dm_warning', false),
  t.realmPermission(350, 'can_summarize_topics_group'),
  [
    350,
    '`server_can_summarize_topics`',
    async (server) =>
      assert.equal((await t.state(server, ['realm'])).server_can_summarize_topics, false),
  ],
  t.realmPermission(352, 'can_mention_many_users_group'),
  [
    353,
    'the video call providers that there are, by number',
    async (server) => {
      const all = (await t.state(server, ['realm'])).realm_available_video_chat_providers as Record<
        string,
        { id: number }
      >
      assert.ok(Object.values(all).some(({ id }) => id === 1))
    },
  ],
  t.realmSetting(358, 'message_edit_history_visibility_policy', 'moves'),
  t.realmPermission(363, 'can_manage_billing_group'),
  [
    363,
    '`realm_billing`, and nobody `is_billing_admin`',
    async (server) => {
      const { realm_billing, is_billing_admin } = await t.state(server, [
        'realm_billing',
        'realm_user',
      ])
      assert.deepEqual(
        [realm_billing, is_billing_admin],
        [{ has_pending_sponsorship_request: false }, undefined],
      )
      assert.equal('is_billing_admin' in (await server.as('member').get('/users/me')), false)
    },
  ],
  t.realmPermission(367, 'can_resolve_topics_group'),
  [
    369,
    '`navigation_tour_video_url`',
    async (server) =>
      assert.equal((await t.state(server, ['onboarding_steps'])).navigation_tour_video_url, null),
  ],
  t.realmPermission(392, 'can_set_topics_policy_group'),
  t.realmSetting(392, 'topics_policy', 'disable_empty_topic'),
  [
    403,
    'integrations name the options of their addresses',
    async (server) => {
      const all = await t.state(server, ['realm_incoming_webhook_bots'])
      const bots = all.realm_incoming_webhook_bots as { url_options: t.Json[] }[]
      assert.ok(bots.every((bot) => Array.isArray(bot.url_options)))
    },
  ],
  t.realmPermission(407, 'can_set_delete_message_policy_group'),
  t.realmSetting(409, 'require_e2ee_push_notifications', true),
  [
    410,
    "limits of channel folders' names and descriptions",
    async (server) => {
      const realm = await t.state(server, ['realm'])
      const { max_channel_folder_name_length, max_channel_folder_description_length } = realm
      assert.deepEqual(
        [max_channel_folder_name_length, max_channel_folder_description_length],
        [60, 1024],
      )
    },
  ],
  t.realmSetting(416, 'welcome_message_custom_text', 'Welcome, **you**.'),
]
