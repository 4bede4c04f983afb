import type { RealmPermission, RealmSettingName } from '#client/api/wire.ts'
import type { Offers, SettingOffer, Unit } from '#client/settings/offers.ts'
import { type Text, text } from '#translations/translate.ts'

const days: Unit = { name: text('days'), scale: 1 }
const minutes: Unit = { name: text('minutes'), scale: 60 }

const inSection =
  (section: string, group: Text) =>
  (label: Text, more: Partial<SettingOffer> = {}) => ({
    section,
    group,
    label,
    ...more,
  })
const profile = inSection('organization-profile', text('Organization'))
const notices = inSection('organization-settings', text('Automated messages'))
const messages = inSection('organization-settings', text('Messages'))
const language = inSection('organization-settings', text('Language and content'))
const calls = inSection('organization-settings', text('Calls and images'))
const mails = inSection('organization-settings', text('Email'))
const loggingIn = inSection('auth-methods', text('Passwords'))
const others = inSection('organization-settings', text('Compatibility'))
const joining = inSection('organization-permissions', text('Joining'))
const channels = inSection('organization-permissions', text('Channels'))
const groups = inSection('organization-permissions', text('Groups and bots'))
const identity = inSection('organization-permissions', text('Names, email addresses and pictures'))
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

/** Every setting of the organization, with its section and label. */
export const realmSettingOffers: Offers<Exclude<RealmSettingName, 'placeholder_domain'>> = {
  org_type: profile(text('Organization type'), {
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

  new_stream_announcements_stream_id: notices(text('New channel announcements'), noChannel),
  signup_announcements_stream_id: notices(text('New user announcements'), noChannel),
  zulip_update_announcements_stream_id: {
    notOffered: 'The server announces no updates of itself.',
  },
  moderation_request_channel_id: notices(text('Message report channel'), {
    ...noChannel,
    help: text('It has to be a private channel.'),
  }),
  send_channel_events_messages: notices(text('Announce channel changes in the channel')),
  send_welcome_emails: mails(text('Send a welcome email to new users')),
  welcome_message_custom_text: notices(text('Text added to the welcome message'), {
    control: 'long-text',
  }),

  message_retention_days: messages(text('Delete messages after'), {
    unit: days,
    special: { value: -1, label: text('Never') },
    help: text('Channels can override this.'),
  }),
  enable_read_receipts: messages(text('Enable read receipts')),
  topics_policy: messages(text('Messages without a topic'), {
    options: {
      allow_empty_topic: text('Allowed'),
      disable_empty_topic: text('Not allowed'),
    },
  }),
  empty_topic_display_name: messages(text('Name for messages without a topic')),
  inline_image_preview: messages(text('Show image previews')),
  inline_url_embed_preview: messages(text('Show link previews'), {
    help: text('The server fetches the linked pages, so their owners can see that someone did.'),
  }),

  default_language: language(text('Default language for new users'), { control: 'language' }),
  default_code_block_language: language(text('Default language for code blocks'), {
    help: text('Such as python; empty for plain text.'),
  }),

  video_chat_provider: calls(text('Video and voice calls'), {
    options: { 0: text('None'), 1: text('Jitsi Meet') },
    // The others have names that are the same in all languages.
    available: (realm) =>
      new Map(
        Object.values(realm.realm_available_video_chat_providers).map(({ id, name }) => [id, name]),
      ),
    help: text(
      'People start calls from a conversation or the compose box; others join with a link.',
    ),
  }),
  jitsi_server_url: calls(text('Jitsi server URL'), {
    help: text('Such as https://meet.example.com; empty for the public server meet.jit.si.'),
  }),
  giphy_rating: calls(text('GIFs up to this rating'), {
    options: {
      0: text('No GIFs'),
      1: text('Y: for young children'),
      2: text('G: for everyone'),
      3: text('PG: parental guidance advised'),
      4: text('PG-13: unsuitable for children under 13'),
      5: text('R: for adults'),
    },
    help: text(
      'For the search for GIFs in the compose box, where the server has a provider of GIFs.',
    ),
  }),

  message_content_allowed_in_email_notifications: mails(
    text('Include message content in email notifications'),
  ),
  message_content_allowed_in_push_notifications: others(
    text('Include names and message content in push notifications'),
  ),
  digest_emails_enabled: mails(text('Send weekly digest emails to inactive users')),
  digest_weekday: mails(text('Day of the digest'), { options: weekdays }),
  require_e2ee_push_notifications: others(
    text('Require end-to-end encryption for push notifications'),
  ),

  invite_required: joining(text('Require an invitation to join')),
  emails_restricted_to_domains: joining(text('Restrict email domains of new users')),
  disallow_disposable_email_addresses: joining(text('Block disposable email addresses')),
  waiting_period_threshold: joining(text('Waiting period before new members become full members'), {
    unit: days,
  }),

  password_auth_enabled: loggingIn(text('Allow password authentication'), {
    help: text(
      'Owners can always log in with a password. You can turn this off if there is another authentication method.',
    ),
  }),
  two_factor_required: loggingIn(text('Require two-factor authentication for password logins'), {
    help: text('People who have not set it up are asked to do so at their next login.'),
  }),

  enable_spectator_access: channels(text('Allow reading web-public channels without an account')),

  name_changes_disabled: identity(text('Prevent users from changing their name')),
  require_unique_names: identity(text('Require unique names')),
  email_changes_disabled: identity(text('Prevent users from changing their email address')),
  avatar_changes_disabled: identity(text('Prevent users from changing their profile picture')),

  enable_guest_user_indicator: guests(text('Show “(guest)” after names of guests')),
  enable_guest_user_dm_warning: guests(text('Warn before sending direct messages to guests')),
  presence_disabled: guests(text("Hide everyone's availability")),

  allow_message_editing: editing(text('Allow message editing')),
  message_content_edit_limit_seconds: editing(text('Time limit for editing messages'), noLimit),
  message_content_delete_limit_seconds: editing(
    text('Time limit for deleting own messages'),
    noLimit,
  ),
  message_edit_history_visibility_policy: editing(text('Message edit history'), {
    options: { all: text('Everything'), moves: text('Moves only'), none: text('Nothing') },
  }),
  move_messages_within_stream_limit_seconds: moving(
    text('Time limit for changing topics'),
    noLimit,
  ),
  move_messages_between_streams_limit_seconds: moving(
    text('Time limit for moving messages between channels'),
    noLimit,
  ),
}

/** Every permission of the organization. */
export const realmPermissionOffers: Offers<RealmPermission> = {
  can_invite_users_group: joining(text('Who can send email invitations')),
  create_multiuse_invite_group: joining(text('Who can create invitation links')),

  can_create_public_channel_group: channels(text('Who can create public channels')),
  can_create_private_channel_group: channels(text('Who can create private channels')),
  can_create_web_public_channel_group: channels(text('Who can create web-public channels')),
  can_add_subscribers_group: channels(text('Who can subscribe others')),

  can_create_groups: groups(text('Who can create groups')),
  can_manage_all_groups: groups(text('Who can manage all groups')),
  can_connect_assistants_group: groups(text('Who can connect assistants')),
  can_create_bots_group: groups(text('Who can create bots of any type')),
  can_create_write_only_bots_group: groups(text('Who can create bots that only send')),
  can_add_custom_emoji_group: groups(text('Who can add emoji')),
  can_manage_billing_group: { notOffered: 'The server costs nothing, so there is no billing.' },
  can_summarize_topics_group: { notOffered: 'The server makes no summaries of topics.' },

  can_access_all_users_group: guests(text('Who can see all users')),

  direct_message_permission_group: direct(text('Who can take part in direct messages'), {
    help: text('Every conversation needs at least one person with this permission.'),
  }),
  direct_message_initiator_group: direct(text('Who can start direct messages')),
  can_mention_many_users_group: direct(text('Who can mention everyone in a large channel')),

  can_delete_own_message_group: editing(text('Who can delete their own messages')),
  can_delete_any_message_group: editing(text('Who can delete any message')),
  can_set_delete_message_policy_group: editing(
    text('Who can change who deletes messages in a channel'),
  ),

  can_move_messages_between_topics_group: moving(text('Who can move messages to other topics')),
  can_move_messages_between_channels_group: moving(text('Who can move messages to other channels')),
  can_resolve_topics_group: moving(text('Who can resolve topics')),
  can_set_topics_policy_group: moving(
    text('Who can change whether a channel allows messages without a topic'),
  ),
}
