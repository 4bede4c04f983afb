import type { RealmPermission, RealmSettingName } from '#client/api/wire.ts'
import type { Offered, Offers, Unit } from '#client/settings/offers.ts'
import { type Text, text } from '#translations/translate.ts'

const days: Unit = { name: text('days'), scale: 1 }
const minutes: Unit = { name: text('minutes'), scale: 60 }

const inSection =
  (section: string, group: Text) =>
  (label: Text, more: Partial<Offered> = {}) => ({
    section,
    group,
    label,
    ...more,
  })
const profile = inSection('organization-profile', text('Organization'))
const notices = inSection('organization-settings', text('Notices of the server'))
const messages = inSection('organization-settings', text('Messages'))
const language = inSection('organization-settings', text('Language and content'))
const calls = inSection('organization-settings', text('Calls and pictures'))
const mails = inSection('organization-settings', text('Mail'))
const loggingIn = inSection('auth-methods', text('Passwords'))
const others = inSection('organization-settings', text('Compatibility'))
const joining = inSection('organization-permissions', text('Joining'))
const channels = inSection('organization-permissions', text('Channels'))
const groups = inSection('organization-permissions', text('Groups and bots'))
const identity = inSection('organization-permissions', text('Names, addresses and pictures'))
const guests = inSection('organization-permissions', text('Guests and people'))
const direct = inSection('organization-permissions', text('Direct messages and mentions'))
const editing = inSection('organization-permissions', text('Editing and deleting'))
const moving = inSection('organization-permissions', text('Moving and topics'))

const noLimit = { special: { value: null, label: text('No limit') }, unit: minutes } as const
const noChannel = { control: 'channel', special: { value: -1, label: text('None') } } as const
const weekdays = {
  0: text('Monday'),
  1: text('Tuesday'),
  2: text('Wednesday'),
  3: text('Thursday'),
  4: text('Friday'),
  5: text('Saturday'),
  6: text('Sunday'),
}

/** Every setting of the organization: where it is offered and what it is called. */
export const realmSettingOffers: Offers<Exclude<RealmSettingName, 'placeholder_domain'>> = {
  org_type: profile(text('Kind of organization'), {
    options: {
      0: text('Unspecified'),
      10: text('Business'),
      20: text('Open source'),
      30: text('Education (non-profit)'),
      35: text('Education (for-profit)'),
      40: text('Research'),
      50: text('Event'),
      60: text('Non-profit'),
      70: text('Government'),
      80: text('Political group'),
      90: text('Community'),
      100: text('Personal'),
      1000: text('Other'),
    },
  }),
  want_advertise_in_communities_directory: {
    notOffered: 'There is no directory of communities that the server could be listed in.',
  },

  new_stream_announcements_stream_id: notices(text('New channels are announced in'), noChannel),
  signup_announcements_stream_id: notices(text('New people are announced in'), noChannel),
  zulip_update_announcements_stream_id: {
    notOffered: 'The server announces no updates of itself.',
  },
  moderation_request_channel_id: notices(text('Reports of messages go to'), {
    ...noChannel,
    help: text('Only private channels are possible.'),
  }),
  send_channel_events_messages: notices(text('Say in a channel what changes about it')),
  send_welcome_emails: mails(text('Welcome new people by mail')),
  welcome_message_custom_text: notices(text('Added to the welcome message'), {
    control: 'long-text',
  }),

  message_retention_days: messages(text('Delete messages after'), {
    unit: days,
    special: { value: -1, label: text('Never') },
    help: text('Channels can have a time of their own.'),
  }),
  enable_read_receipts: messages(text('Show who read a message')),
  topics_policy: messages(text('Messages without a topic'), {
    options: {
      allow_empty_topic: text('Are allowed'),
      disable_empty_topic: text('Are not allowed'),
    },
  }),
  empty_topic_display_name: messages(text('Name of the empty topic')),
  inline_image_preview: messages(text('Show pictures below messages')),
  inline_url_embed_preview: messages(text('Show previews of linked web pages'), {
    help: text(
      'The server reads the pages that messages link to, so their owners learn that somebody did.',
    ),
  }),

  default_language: language(text('Language of new people'), {
    help: text('A code such as en or pt-br.'),
  }),
  default_code_block_language: language(text('Language of code blocks that name none'), {
    help: text('Such as python; empty for plain text.'),
  }),

  video_chat_provider: calls(text('Video and voice calls'), {
    options: { 0: text('None'), 1: text('Jitsi Meet') },
    help: text(
      'People start them beside a direct conversation and where they write; others join by a link.',
    ),
  }),
  jitsi_server_url: calls(text("Address of the organization's own Jitsi server"), {
    help: text('Such as https://meet.example.com; empty for the public server meet.jit.si.'),
  }),
  giphy_rating: { notOffered: 'The web client has no search for such pictures.' },

  message_content_allowed_in_email_notifications: mails(text('Mails contain the text of messages')),
  message_content_allowed_in_push_notifications: others(
    text('Notifications on phones and other devices contain names and the text of messages'),
  ),
  digest_emails_enabled: mails(text('Send summaries to people who were away')),
  digest_weekday: mails(text('Day of the summaries'), { options: weekdays }),
  require_e2ee_push_notifications: others(
    text('Notify only phones that can decrypt notifications'),
  ),

  invite_required: joining(text('New people need an invitation')),
  emails_restricted_to_domains: joining(text('Only addresses of certain domains can join')),
  disallow_disposable_email_addresses: joining(text('Refuse disposable addresses')),
  waiting_period_threshold: joining(text('Members become full members after'), { unit: days }),

  password_auth_enabled: loggingIn(text('People can log in with a password'), {
    help: text('Owners always can. It can be switched off while there is another way to log in.'),
  }),
  two_factor_required: loggingIn(text('Everybody with a password needs a second factor'), {
    help: text('Who has none sets it up after the next log-in.'),
  }),

  enable_spectator_access: channels(text('Show web-public channels without an account')),

  name_changes_disabled: identity(text('People cannot change their names')),
  require_unique_names: identity(text('Every name is used once')),
  email_changes_disabled: identity(text('People cannot change their addresses')),
  avatar_changes_disabled: identity(text('People cannot change their pictures')),

  enable_guest_user_indicator: guests(text('Mark guests in names')),
  enable_guest_user_dm_warning: guests(text('Warn of guests before a direct message to them')),
  presence_disabled: guests(text('Show nobody when people are online')),

  allow_message_editing: editing(text('People can edit their messages')),
  message_content_edit_limit_seconds: editing(text('Messages can be edited for'), noLimit),
  message_content_delete_limit_seconds: editing(text('Own messages can be deleted for'), noLimit),
  message_edit_history_visibility_policy: editing(text('History of edits'), {
    options: { all: text('Everything'), moves: text('Moves only'), none: text('Nothing') },
  }),
  move_messages_within_stream_limit_seconds: moving(
    text('Messages can change their topic for'),
    noLimit,
  ),
  move_messages_between_streams_limit_seconds: moving(
    text('Messages can change their channel for'),
    noLimit,
  ),
}

/** Every permission of the organization. */
export const realmPermissionOffers: Offers<RealmPermission> = {
  can_invite_users_group: joining(text('Who can invite people by mail')),
  create_multiuse_invite_group: joining(text('Who can make invitation links')),

  can_create_public_channel_group: channels(text('Who can create public channels')),
  can_create_private_channel_group: channels(text('Who can create private channels')),
  can_create_web_public_channel_group: channels(text('Who can create web-public channels')),
  can_add_subscribers_group: channels(text('Who can subscribe others')),

  can_create_groups: groups(text('Who can create groups')),
  can_manage_all_groups: groups(text('Who can administer all groups')),
  can_create_bots_group: groups(text('Who can create bots of any type')),
  can_create_write_only_bots_group: groups(text('Who can create bots that only send')),
  can_add_custom_emoji_group: groups(text('Who can add emoji')),
  can_manage_billing_group: { notOffered: 'The server costs nothing, so there is no billing.' },
  can_summarize_topics_group: { notOffered: 'The server makes no summaries of topics.' },

  can_access_all_users_group: guests(text('Who can see everybody')),

  direct_message_permission_group: direct(text('Who can take part in direct messages'), {
    help: text('Every conversation needs at least one of them.'),
  }),
  direct_message_initiator_group: direct(text('Who can begin direct messages')),
  can_mention_many_users_group: direct(text('Who can mention everybody in a large channel')),

  can_delete_own_message_group: editing(text('Who can delete their own messages')),
  can_delete_any_message_group: editing(text('Who can delete any message')),
  can_set_delete_message_policy_group: editing(text('Who can decide who deletes in a channel')),

  can_move_messages_between_topics_group: moving(text('Who can move messages to other topics')),
  can_move_messages_between_channels_group: moving(text('Who can move messages to other channels')),
  can_resolve_topics_group: moving(text('Who can resolve topics')),
  can_set_topics_policy_group: moving(text("Who can change a channel's rule about empty topics")),
}
