import type { UserSettingName } from '#client/api/wire.ts'
import type { NotOffered, Offered, Offers, Unit } from '#client/settings/offers.ts'

const minutes: Unit = { name: 'minutes', scale: 60 }

const preference =
  (group: string) =>
  (label: string, more: Partial<Offered> = {}) => ({
    section: 'preferences',
    group,
    label,
    ...more,
  })
const look = preference('Look')
const times = preference('Words and times')
const reading = preference('Reading')
const writing = preference('Writing')
const sides = preference('Side bars')

const notice =
  (group: string) =>
  (label: string, more: Partial<Offered> = {}) => ({
    section: 'notifications',
    group,
    label,
    ...more,
  })
/** A cell of the table of notifications, which draws its own rows and columns. */
const cell = (label: string) => notice('When to notify')(label, { isDrawnApart: true })
const desktop = notice('On this computer')
const mail = notice('Mail')
const followed = (group: string, label: string, more: Partial<Offered> = {}) => ({
  section: 'topics',
  group,
  label,
  ...more,
})
const privacy = (label: string, more: Partial<Offered> = {}) => ({
  section: 'account-and-privacy',
  group: 'Privacy',
  label,
  ...more,
})

const noSummaries: NotOffered = { notOffered: 'The server makes no summaries of topics.' }
const topicPolicies = {
  1: 'When I take part in them',
  2: 'When I send a message to them',
  3: 'When I start them',
  4: 'Never',
}

/** Every setting of a user: where it is offered and what it is called. */
export const userSettingOffers: Offers<UserSettingName> = {
  color_scheme: look('Theme', {
    options: { 1: 'As the system', 2: 'Dark', 3: 'Light' },
    control: 'radio',
  }),
  web_font_size_px: look('Size of text', { unit: { name: 'pixels', scale: 1 } }),
  web_line_height_percent: look('Height of lines', {
    unit: { name: '%', scale: 1 },
    help: 'Less shows more on the screen; more is easier to read.',
  }),
  fluid_layout_width: look('Use the whole width of the window'),
  high_contrast_mode: look('More contrast'),
  web_animate_image_previews: look('Moving pictures', {
    options: { always: 'Move', on_hover: 'Move under the pointer', never: 'Stand still' },
  }),
  emojiset: {
    notOffered: 'The web client shows the emoji of the system; phones have their own choice.',
  },

  default_language: {
    notOffered: 'The web client speaks English only, until there is another catalogue of texts.',
  },
  twenty_four_hour_time: times('Show times as 14:05 instead of 2:05 PM'),
  web_suggest_update_timezone: {
    notOffered: 'The web client shows all times in the time zone of the browser.',
  },

  web_home_view: reading('Home view', {
    options: {
      inbox: 'Inbox',
      recent_topics: 'Recent conversations',
      all_messages: 'Combined feed',
    },
  }),
  web_escape_navigates_to_home_view: reading('Escape goes to the home view'),
  web_mark_read_on_scroll_policy: reading('Mark messages as read by scrolling', {
    options: { 1: 'Always', 2: 'In conversations', 3: 'Never' },
    help: 'In conversations: not in feeds of channels and not in the combined feed.',
  }),
  web_channel_default_view: reading('A click on a channel shows', {
    options: {
      1: 'Its newest topic',
      2: 'Its feed',
      3: 'Its list of topics',
      4: 'Its newest unread topic',
    },
  }),
  resolved_topic_notice_auto_read_policy: reading('Mark notices of resolved topics as read', {
    options: {
      always: 'Always',
      except_followed: 'Except in topics that I follow',
      never: 'Never',
    },
  }),
  display_emoji_reaction_users: reading('Show the names of those who reacted, where they are few'),

  enter_sends: writing('Enter sends the message', {
    help: 'Shift+Enter begins a new line then. Otherwise Ctrl+Enter sends.',
  }),
  web_navigate_to_sent_message: writing('Go to the conversation of what I send'),
  translate_emoticons: writing('Turn emoticons like :) into emoji'),
  enable_drafts_synchronization: writing('Keep drafts on the server, for my other devices'),

  user_list_style: sides('List of people', {
    options: { 1: 'Names', 2: 'Names and statuses', 3: 'Names, statuses and pictures' },
  }),
  web_left_sidebar_show_channel_folders: sides('Group channels by folder'),
  demote_inactive_streams: sides('Put quiet channels into a group of their own', {
    options: { 1: 'If there are many channels', 2: 'Always', 3: 'Never' },
  }),
  web_stream_unreads_count_display_policy: sides('Count unread messages of', {
    options: { 1: 'All channels', 2: 'Channels that are not muted', 3: 'No channel' },
  }),
  starred_message_counts: sides('Count starred messages'),
  web_left_sidebar_unreads_count_summary: {
    notOffered: 'The side bar of the web client has no sums of counts over several sections.',
  },
  left_side_userlist: {
    notOffered:
      'The web client has the list of people at the right, and at its own page on phones.',
  },
  hide_ai_features: noSummaries,

  enable_stream_desktop_notifications: cell('Channels: desktop'),
  enable_stream_audible_notifications: cell('Channels: sound'),
  enable_stream_push_notifications: cell('Channels: phone'),
  enable_stream_email_notifications: cell('Channels: mail'),
  wildcard_mentions_notify: cell('Channels: @all'),
  enable_desktop_notifications: cell('Direct messages and mentions: desktop'),
  enable_sounds: cell('Direct messages and mentions: sound'),
  enable_offline_push_notifications: cell('Direct messages and mentions: phone'),
  enable_offline_email_notifications: cell('Direct messages and mentions: mail'),
  enable_followed_topic_desktop_notifications: cell('Followed topics: desktop'),
  enable_followed_topic_audible_notifications: cell('Followed topics: sound'),
  enable_followed_topic_push_notifications: cell('Followed topics: phone'),
  enable_followed_topic_email_notifications: cell('Followed topics: mail'),
  enable_followed_topic_wildcard_mentions_notify: cell('Followed topics: @all'),
  enable_online_push_notifications: notice('Phones')('Notify my phone also while I am online'),

  notification_sound: desktop('Sound', {
    options: { zulip: 'Two tones', ding: 'One tone', none: 'No sound' },
    isDrawnApart: true,
  }),
  pm_content_in_desktop_notifications: desktop('Show the text of direct messages'),
  desktop_icon_count_display: desktop('Count on the icon', {
    options: {
      1: 'All unread messages',
      2: 'Direct messages, mentions and followed topics',
      3: 'Direct messages and mentions',
      4: 'Nothing',
    },
  }),
  email_notifications_batching_period_seconds: mail('Collect messages for one mail for', {
    unit: minutes,
  }),
  message_content_in_email_notifications: mail('Mails contain the text of messages'),
  realm_name_in_email_notifications_policy: mail('Subjects name the organization', {
    options: { 1: 'If I belong to several', 2: 'Always', 3: 'Never' },
  }),
  enable_login_emails: mail('Tell me of log-ins from a new device'),
  enable_digest_emails: mail('Sum up what I missed while I was away'),
  enable_marketing_emails: { notOffered: 'The server sends no news about itself.' },

  automatically_follow_topics_policy: followed('Follow and unmute by themselves', 'Follow topics', {
    options: topicPolicies,
  }),
  automatically_follow_topics_where_mentioned: followed(
    'Follow and unmute by themselves',
    'Follow topics in which I am mentioned',
  ),
  automatically_unmute_topics_in_muted_streams_policy: followed(
    'Follow and unmute by themselves',
    'Unmute topics of muted channels',
    { options: topicPolicies },
  ),

  email_address_visibility: privacy('Who can see my address', {
    options: {
      1: 'Everybody, guests too',
      2: 'Members',
      5: 'Moderators',
      3: 'Administrators',
      4: 'Nobody',
    },
  }),
  presence_enabled: privacy('Show others when I am online'),
  send_read_receipts: privacy('Let others see that I read their messages'),
  send_private_typing_notifications: privacy('Show others that I type a direct message'),
  send_stream_typing_notifications: privacy('Show others that I type to a channel'),
  receives_typing_notifications: privacy('Show me that others type'),
  allow_private_data_export: privacy('Let administrators export my direct messages', {
    help: 'Exports that contain private data have those of people who allow it.',
  }),
}
