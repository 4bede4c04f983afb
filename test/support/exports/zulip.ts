import { greenTick } from '#program/fixture/green-tick.ts'
import type { Files } from './archives.ts'
import {
  flagsOf,
  message,
  start,
  toChannel,
  toFour,
  toPerson,
  toThree,
  upload,
  zulipIds,
  zulipMessages,
} from './zulip-messages.ts'

/*
 * An export of Zulip with every construct: 6 people, 4 channels, direct messages among 1 to 4, each
 * flag, reactions, edits, uploads, and 2,001 messages in three files.
 */

const { owner, member, guest, gone, bot, twin } = zulipIds
const channels = [101, 102, 103, 104]
const systemGroups = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
]
const groupId = (name: string) => 201 + systemGroups.indexOf(name)

const user = (id: number, more: object) => ({
  id,
  realm: 2,
  email: `user${id}@old.example.org`,
  delivery_email: `person${id}@example.com`,
  full_name: `Person ${id}`,
  role: 400,
  is_active: true,
  is_bot: false,
  bot_type: null,
  bot_owner: null,
  timezone: 'Europe/Berlin',
  date_joined: start - 1000 + 0.5,
  avatar_source: 'G',
  long_term_idle: false,
  last_active_message_id: null,
  default_sending_stream: null,
  default_events_register_stream: null,
  web_font_size_px: 16,
  email_address_visibility: 3,
  ...more,
})

const channel = (id: number, more: object) => ({
  id,
  realm: 2,
  name: `channel ${id}`,
  description: `See #**channel ${id}**`,
  creator: owner,
  folder: null,
  date_created: start - 900,
  deactivated: false,
  invite_only: false,
  history_public_to_subscribers: true,
  is_web_public: false,
  message_retention_days: null,
  topics_policy: 1,
  can_send_message_group: groupId('role:everyone'),
  can_administer_channel_group: zulipIds.anonymous,
  ...more,
})

let rows = 0
const subscription = (person: number, recipient: number, more: object = {}) => ({
  id: ++rows,
  user_profile: person,
  recipient,
  active: true,
  is_muted: false,
  color: '#112233',
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
  ...more,
})

/** The files of an export, of so many messages. */
export function zulipExport(count = zulipMessages, version = '11.4'): Files {
  rows = 0
  const realm = {
    id: 2,
    name: 'Old Chat',
    string_id: '',
    description: 'Where we talked',
    date_created: start - 2000,
    deactivated: false,
    moderation_request_channel: null,
    new_stream_announcements_stream: 101,
    signup_announcements_stream: null,
    zulip_update_announcements_stream: null,
    allow_message_editing: false,
    message_edit_history_visibility_policy: 2,
    topics_policy: 3,
    waiting_period_threshold: 3,
    video_chat_provider: 99,
    can_create_groups: zulipIds.crew,
    can_add_custom_emoji_group: groupId('role:internet'),
  }
  const tables = {
    import_source: 'zulip',
    zerver_realm: [realm],
    zerver_realmuserdefault: [
      {
        id: 1,
        realm: 2,
        enter_sends: true,
        web_font_size_px: 16,
        resolved_topic_notice_auto_read_policy: 3,
        email_address_visibility: 3,
      },
    ],
    zerver_userprofile_crossrealm: [
      { id: 6, email: 'notification-bot@zulip.com', recipient_id: toPerson(6) },
    ],
    zerver_userprofile: [
      user(owner, { role: 100, web_font_size_px: 20, enter_sends: false, avatar_source: 'U' }),
      user(member, { full_name: 'New Name', long_term_idle: true, last_active_message_id: 2990 }),
      user(guest, { role: 600 }),
      user(gone, { is_active: false }),
      user(bot, { is_bot: true, bot_type: 3, bot_owner: owner, default_sending_stream: 101 }),
      user(twin, { delivery_email: 'PERSON11@example.com' }),
    ],
    zerver_userprofile_mirrordummy: [],
    zerver_usergroup: [
      ...systemGroups.map((_, i) => ({ id: 201 + i, realm: 2 })),
      { id: 220, realm: 2 },
      { id: 221, realm: 2 },
    ],
    zerver_namedusergroup: [
      ...systemGroups.map((name) => ({
        usergroup_ptr: groupId(name),
        name,
        description: name,
        is_system_group: true,
      })),
      {
        usergroup_ptr: 220,
        name: 'crew',
        description: 'The crew',
        is_system_group: false,
        creator: owner,
        can_mention_group: groupId('role:members'),
      },
    ],
    zerver_usergroupmembership: [
      { id: 1, user_group: groupId('role:owners'), user_profile: owner },
      { id: 2, user_group: 220, user_profile: member },
      { id: 3, user_group: 221, user_profile: owner },
    ],
    zerver_groupgroupmembership: [{ id: 1, supergroup: 221, subgroup: 220 }],
    zerver_channelfolder: [
      { id: 8, name: 'Later', description: '', order: 1, creator: owner },
      { id: 7, name: 'First', description: 'The first', order: 0, creator: owner },
    ],
    zerver_stream: [
      channel(101, { folder: 7 }),
      channel(102, {
        invite_only: true,
        history_public_to_subscribers: false,
        topics_policy: 3,
        message_retention_days: -1,
      }),
      channel(103, { deactivated: true, message_retention_days: 30 }),
      channel(104, { name: 'größe 日本', can_send_message_group: 220 }),
    ],
    zerver_defaultstream: [{ id: 1, stream: 101 }],
    zerver_recipient: [
      ...channels.map((id) => ({ id: toChannel(id), type: 2, type_id: id })),
      ...[owner, member, guest, gone, bot, twin].map((id) => ({
        id: toPerson(id),
        type: 1,
        type_id: id,
      })),
      { id: toThree, type: 3, type_id: 1 },
      { id: toFour, type: 3, type_id: 2 },
    ],
    zerver_subscription: [
      ...[owner, member, guest, gone].map((id) => subscription(id, toChannel(101))),
      subscription(owner, toChannel(102), {
        is_muted: true,
        pin_to_top: true,
        push_notifications: true,
      }),
      subscription(member, toChannel(102)),
      subscription(gone, toChannel(104), { active: false }),
      ...[owner, member, guest].map((id) => subscription(id, toThree)),
      ...[owner, member, guest, gone].map((id) => subscription(id, toFour)),
    ],
    zerver_realmauditlog: [
      {
        id: 1,
        event_type: 301,
        event_time: start + 600.5,
        modified_user: guest,
        modified_stream: 101,
        event_last_message_id: 1009,
      },
      {
        id: 2,
        event_type: 301,
        event_time: start - 10,
        modified_user: gone,
        modified_stream: 104,
        event_last_message_id: 77_777,
      },
      {
        id: 3,
        event_type: 303,
        event_time: start + 1199.5,
        modified_user: gone,
        modified_stream: 104,
        event_last_message_id: 88_888,
      },
      { id: 4, event_type: 215, event_time: start, modified_user: owner, modified_stream: null },
    ],
    zerver_client: [{ id: 3, name: 'website' }],
    zerver_realmemoji: [
      { id: 31, name: 'tick', author: owner, file_name: '31.png', deactivated: false },
      { id: 32, name: 'lost', author: owner, file_name: '32.png', deactivated: true },
    ],
    zerver_customprofilefield: [
      { id: 42, name: 'Buddies', hint: '', order: 1, field_type: 6, field_data: '' },
      {
        id: 41,
        name: 'Motto',
        hint: 'One line',
        order: 0,
        field_type: 1,
        field_data: '{}',
        display_in_profile_summary: true,
      },
    ],
    zerver_customprofilefieldvalue: [
      { id: 1, user_profile: owner, field: 41, value: '**Onwards**' },
      { id: 2, user_profile: owner, field: 42, value: '[12, 13]' },
    ],
    zerver_reaction: [
      {
        id: 1,
        user_profile: member,
        message: 1001,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      },
      {
        id: 2,
        user_profile: member,
        message: 1001,
        emoji_name: 'tick',
        emoji_code: '31',
        reaction_type: 'realm_emoji',
      },
      {
        id: 3,
        user_profile: member,
        message: 1001,
        emoji_name: 'zulip',
        emoji_code: 'zulip',
        reaction_type: 'zulip_extra_emoji',
      },
      {
        id: 4,
        user_profile: member,
        message: 1001,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      },
      {
        id: 5,
        user_profile: member,
        message: 4,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      },
    ],
    zerver_submessage: [
      {
        id: 1,
        message: 1001,
        sender: owner,
        msg_type: 'widget',
        content: '{"widget_type":"poll"}',
      },
      ...[
        '{"widget_type":"todo","extra_data":{"task_list_title":"","tasks":[{"task":"Pack","desc":""}]}}',
        '{"type":"new_task","key":4,"task":"Lift","desc":"","completed":false}',
        '{"type":"strike","key":"0,canned"}',
        `{"type":"strike","key":"4,${owner}"}`,
      ].map((content, i) => ({
        id: 2 + i,
        message: 1002,
        sender: owner,
        msg_type: 'widget',
        content,
      })),
    ],
    zerver_realmfilter: [
      { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}', order: 1 },
      { id: 2, pattern: '(', url_template: 'x', order: 2 },
    ],
    zerver_realmplayground: [
      {
        id: 1,
        name: 'Play',
        pygments_language: 'Rust',
        url_template: 'https://play.example.com/{code}',
      },
    ],
    zerver_realmdomain: [{ id: 1, domain: 'Example.COM', allow_subdomains: true }],
    zerver_usertopic: [
      {
        id: 1,
        user_profile: owner,
        stream: 101,
        recipient: toChannel(101),
        topic_name: 'Plans',
        last_updated: start,
        visibility_policy: 3,
      },
      {
        id: 2,
        user_profile: owner,
        stream: 101,
        recipient: toChannel(101),
        topic_name: 'x',
        last_updated: start,
        visibility_policy: 0,
      },
    ],
    zerver_muteduser: [{ id: 1, user_profile: owner, muted_user: guest, date_muted: start }],
    zerver_alertword: [{ id: 1, user_profile: owner, realm: 2, word: 'Deadline' }],
    zerver_userpresence: [
      {
        id: 1,
        user_profile: owner,
        last_active_time: start + 9,
        last_connected_time: null,
        last_update_id: 900,
      },
    ],
    zerver_userstatus: [
      {
        id: 1,
        user_profile: owner,
        client: 3,
        timestamp: start,
        status_text: 'away',
        emoji_name: 'tick',
        emoji_code: '31',
        reaction_type: 'realm_emoji',
      },
    ],
    zerver_savedsnippet: [
      {
        id: 1,
        user_profile: owner,
        realm: 2,
        title: 'Thanks',
        content: 'Thank you',
        date_created: start,
      },
    ],
    zerver_navigationview: [{ id: 1, user: owner, fragment: 'inbox', is_pinned: true, name: null }],
    zerver_scheduledmessage: [
      {
        id: 1,
        sender: owner,
        recipient: toChannel(101),
        subject: 'later',
        content: 'Soon',
        scheduled_timestamp: start + 9e8,
        delivered: false,
        delivery_type: 1,
      },
      {
        id: 2,
        sender: owner,
        recipient: toPerson(owner),
        subject: '',
        content: '',
        scheduled_timestamp: start + 9e8,
        delivered: false,
        delivery_type: 2,
        reminder_target_message_id: 1001,
        reminder_note: 'look',
      },
      {
        id: 3,
        sender: owner,
        recipient: toChannel(101),
        subject: 'sent',
        content: 'Sent',
        scheduled_timestamp: start,
        delivered: true,
        delivery_type: 1,
      },
    ],
    zerver_service: [
      {
        id: 1,
        user_profile: bot,
        name: 'x',
        base_url: 'https://hooks.example.com/',
        interface: 2,
        token: 'secret',
      },
    ],
    zerver_botstoragedata: [{ id: 1, bot_profile: bot, key: 'count', value: '7' }],
    zerver_useractivity: [],
    zerver_novelty: [],
  }
  const files: Record<string, string | Uint8Array> = {
    'migration_status.json': JSON.stringify({ migrations_by_app: {}, zulip_version: version }),
    'realm.json': JSON.stringify(tables),
    'attachment.json': JSON.stringify({
      zerver_attachment: [
        {
          id: 61,
          owner,
          file_name: 'plan.txt',
          path_id: upload,
          size: 8,
          create_time: start,
          content_type: 'text/plain',
          messages: [1003],
        },
        {
          id: 62,
          owner,
          file_name: 'lost.txt',
          path_id: '2/ab/x/lost.txt',
          size: 8,
          create_time: start,
          messages: [],
        },
      ],
    }),
    'uploads/records.json': JSON.stringify([
      { path: upload, s3_path: upload, user_profile_id: owner },
    ]),
    [`uploads/${upload}`]: 'The plan',
    'avatars/records.json': JSON.stringify([
      { path: '2/aa.png', s3_path: '2/aa.png', user_profile_id: owner },
      { path: '2/aa.original', s3_path: '2/aa.original', user_profile_id: owner },
    ]),
    'avatars/2/aa.original': greenTick(),
    'emoji/records.json': JSON.stringify([
      {
        path: '2/emoji/images/31.png',
        s3_path: '2/emoji/images/31.png',
        file_name: '31.png',
        name: 'tick',
      },
    ]),
    'emoji/2/emoji/images/31.png': greenTick(),
    'realm_icons/records.json': '[]',
    'realm_icons/2/icon.original': greenTick(),
  }
  for (let first = 1, file = 1; first <= count; first += 1000, file++) {
    const numbers = Array.from({ length: Math.min(1000, count - first + 1) }, (_, i) => first + i)
    files[`messages-${String(file).padStart(6, '0')}.json`] = JSON.stringify({
      zerver_message: numbers.map(message),
      zerver_usermessage: numbers.flatMap((n) => flagsOf(n, count)),
    })
  }
  return files
}
