import type { RealmPermission, RealmSettingName } from '#client/api/wire.ts'
import type { Offered, Offers, Unit } from '#client/settings/offers.ts'

const days: Unit = { name: 'days', scale: 1 }
const minutes: Unit = { name: 'minutes', scale: 60 }

const inSection =
  (section: string, group: string) =>
  (label: string, more: Partial<Offered> = {}) => ({
    section,
    group,
    label,
    ...more,
  })
const profile = inSection('organization-profile', 'Organization')
const notices = inSection('organization-settings', 'Notices of the server')
const messages = inSection('organization-settings', 'Messages')
const language = inSection('organization-settings', 'Language and content')
const calls = inSection('organization-settings', 'Calls and pictures')
const mails = inSection('organization-settings', 'Mail')
const loggingIn = inSection('auth-methods', 'Passwords')
const others = inSection('organization-settings', 'Compatibility')
const joining = inSection('organization-permissions', 'Joining')
const channels = inSection('organization-permissions', 'Channels')
const groups = inSection('organization-permissions', 'Groups and bots')
const identity = inSection('organization-permissions', 'Names, addresses and pictures')
const guests = inSection('organization-permissions', 'Guests and people')
const direct = inSection('organization-permissions', 'Direct messages and mentions')
const editing = inSection('organization-permissions', 'Editing and deleting')
const moving = inSection('organization-permissions', 'Moving and topics')

const noLimit = { special: { value: null, label: 'No limit' }, unit: minutes } as const
const noChannel = { control: 'channel', special: { value: -1, label: 'None' } } as const
const weekdays = {
  0: 'Monday',
  1: 'Tuesday',
  2: 'Wednesday',
  3: 'Thursday',
  4: 'Friday',
  5: 'Saturday',
  6: 'Sunday',
}

/** Every setting of the organization: where it is offered and what it is called. */
export const realmSettingOffers: Offers<Exclude<RealmSettingName, 'placeholder_domain'>> = {
  org_type: profile('Kind of organization', {
    options: {
      0: 'Unspecified',
      10: 'Business',
      20: 'Open source',
      30: 'Education (non-profit)',
      35: 'Education (for-profit)',
      40: 'Research',
      50: 'Event',
      60: 'Non-profit',
      70: 'Government',
      80: 'Political group',
      90: 'Community',
      100: 'Personal',
      1000: 'Other',
    },
  }),
  want_advertise_in_communities_directory: {
    notOffered: 'There is no directory of communities that the server could be listed in.',
  },

  new_stream_announcements_stream_id: notices('New channels are announced in', noChannel),
  signup_announcements_stream_id: notices('New people are announced in', noChannel),
  zulip_update_announcements_stream_id: {
    notOffered: 'The server announces no updates of itself.',
  },
  moderation_request_channel_id: notices('Reports of messages go to', {
    ...noChannel,
    help: 'Only private channels are possible.',
  }),
  send_channel_events_messages: notices('Say in a channel what changes about it'),
  send_welcome_emails: mails('Welcome new people by mail'),
  welcome_message_custom_text: notices('Added to the welcome message', { control: 'long-text' }),

  message_retention_days: messages('Delete messages after', {
    unit: days,
    special: { value: -1, label: 'Never' },
    help: 'Channels can have a time of their own.',
  }),
  enable_read_receipts: messages('Show who read a message'),
  topics_policy: messages('Messages without a topic', {
    options: { allow_empty_topic: 'Are allowed', disable_empty_topic: 'Are not allowed' },
  }),
  empty_topic_display_name: messages('Name of the empty topic'),
  inline_image_preview: messages('Show pictures below messages'),
  inline_url_embed_preview: {
    notOffered: 'The server reads no web pages, so it has no previews of them.',
  },

  default_language: language('Language of new people', {
    help: 'A code such as en or pt-br.',
  }),
  default_code_block_language: language('Language of code blocks that name none', {
    help: 'Such as python; empty for plain text.',
  }),

  video_chat_provider: calls('Video and voice calls', {
    options: { 0: 'None', 1: 'Jitsi Meet' },
    help: 'People start them beside a direct conversation and where they write; others join by a link.',
  }),
  jitsi_server_url: calls("Address of the organization's own Jitsi server", {
    help: 'Such as https://meet.example.com; empty for the public server meet.jit.si.',
  }),
  giphy_rating: { notOffered: 'The web client has no search for such pictures.' },

  message_content_allowed_in_email_notifications: mails('Mails contain the text of messages'),
  message_content_allowed_in_push_notifications: others(
    'Notifications on phones and other devices contain names and the text of messages',
  ),
  digest_emails_enabled: mails('Send summaries to people who were away'),
  digest_weekday: mails('Day of the summaries', { options: weekdays }),
  require_e2ee_push_notifications: others('Notify only phones that can decrypt notifications'),

  invite_required: joining('New people need an invitation'),
  emails_restricted_to_domains: joining('Only addresses of certain domains can join'),
  disallow_disposable_email_addresses: joining('Refuse disposable addresses'),
  waiting_period_threshold: joining('Members become full members after', { unit: days }),

  password_auth_enabled: loggingIn('People can log in with a password', {
    help: 'Owners always can. It can be switched off while there is another way to log in.',
  }),
  two_factor_required: loggingIn('Everybody with a password needs a second factor', {
    help: 'Who has none sets it up after the next log-in.',
  }),

  enable_spectator_access: channels('Show web-public channels without an account'),

  name_changes_disabled: identity('People cannot change their names'),
  require_unique_names: identity('Every name is used once'),
  email_changes_disabled: identity('People cannot change their addresses'),
  avatar_changes_disabled: identity('People cannot change their pictures'),

  enable_guest_user_indicator: guests('Mark guests in names'),
  enable_guest_user_dm_warning: guests('Warn of guests before a direct message to them'),
  presence_disabled: guests('Show nobody when people are online'),

  allow_message_editing: editing('People can edit their messages'),
  message_content_edit_limit_seconds: editing('Messages can be edited for', noLimit),
  message_content_delete_limit_seconds: editing('Own messages can be deleted for', noLimit),
  message_edit_history_visibility_policy: editing('History of edits', {
    options: { all: 'Everything', moves: 'Moves only', none: 'Nothing' },
  }),
  move_messages_within_stream_limit_seconds: moving('Messages can change their topic for', noLimit),
  move_messages_between_streams_limit_seconds: moving(
    'Messages can change their channel for',
    noLimit,
  ),
}

/** Every permission of the organization. */
export const realmPermissionOffers: Offers<RealmPermission> = {
  can_invite_users_group: joining('Who can invite people by mail'),
  create_multiuse_invite_group: joining('Who can make invitation links'),

  can_create_public_channel_group: channels('Who can create public channels'),
  can_create_private_channel_group: channels('Who can create private channels'),
  can_create_web_public_channel_group: channels('Who can create web-public channels'),
  can_add_subscribers_group: channels('Who can subscribe others'),

  can_create_groups: groups('Who can create groups'),
  can_manage_all_groups: groups('Who can administer all groups'),
  can_create_bots_group: groups('Who can create bots of any type'),
  can_create_write_only_bots_group: groups('Who can create bots that only send'),
  can_add_custom_emoji_group: groups('Who can add emoji'),
  can_manage_billing_group: { notOffered: 'The server costs nothing, so there is no billing.' },
  can_summarize_topics_group: { notOffered: 'The server makes no summaries of topics.' },

  can_access_all_users_group: guests('Who can see everybody'),

  direct_message_permission_group: direct('Who can take part in direct messages', {
    help: 'Every conversation needs at least one of them.',
  }),
  direct_message_initiator_group: direct('Who can begin direct messages'),
  can_mention_many_users_group: direct('Who can mention everybody in a large channel'),

  can_delete_own_message_group: editing('Who can delete their own messages'),
  can_delete_any_message_group: editing('Who can delete any message'),
  can_set_delete_message_policy_group: editing('Who can decide who deletes in a channel'),

  can_move_messages_between_topics_group: moving('Who can move messages to other topics'),
  can_move_messages_between_channels_group: moving('Who can move messages to other channels'),
  can_resolve_topics_group: moving('Who can resolve topics'),
  can_set_topics_policy_group: moving("Who can change a channel's rule about empty topics"),
}
