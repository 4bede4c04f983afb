import type { UserSettingName } from '#client/api/wire.ts'
import type { NotOffered, Offers, SettingOffer, Unit } from '#client/settings/offers.ts'
import { type Text, text } from '#translations/translate.ts'

const minutes: Unit = { name: text('minutes'), scale: 60 }

const preference =
  (group: Text) =>
  (label: Text, more: Partial<SettingOffer> = {}) => ({
    section: 'preferences',
    group,
    label,
    ...more,
  })
const look = preference(text('Look'))
const times = preference(text('Language and time'))
const reading = preference(text('Reading'))
const writing = preference(text('Writing'))
const sides = preference(text('Sidebars'))

const notice =
  (group: Text) =>
  (label: Text, more: Partial<SettingOffer> = {}) => ({
    section: 'notifications',
    group,
    label,
    ...more,
  })
/** A cell of the table of notifications, which draws its own rows and columns. */
const cell = (label: Text) => notice(text('Notification triggers'))(label, { isDrawnApart: true })
const desktop = notice(text('Desktop'))
const mail = notice(text('Email'))
const followed = (group: Text, label: Text, more: Partial<SettingOffer> = {}) => ({
  section: 'topics',
  group,
  label,
  ...more,
})
const privacy = (label: Text, more: Partial<SettingOffer> = {}) => ({
  section: 'account-and-privacy',
  group: text('Privacy'),
  label,
  ...more,
})

const noSummaries: NotOffered = { notOffered: 'The server makes no summaries of topics.' }
const topicPolicies = {
  1: text('When I participate'),
  2: text('When I send a message'),
  3: text('When I start the topic'),
  4: text('Never'),
}

/** Every setting of a user, with its section and label. */
export const userSettingOffers: Offers<UserSettingName> = {
  color_scheme: look(text('Theme'), {
    options: { 1: text('System theme'), 2: text('Dark'), 3: text('Light') },
    control: 'radio',
  }),
  web_font_size_px: look(text('Font size'), {
    unit: { name: text('{count} px'), scale: 1 },
    control: 'slider',
    isDrawnApart: true,
  }),
  web_line_height_percent: look(text('Line height'), {
    unit: { name: text('{count}%'), scale: 1 },
    control: 'slider',
    isDrawnApart: true,
  }),
  fluid_layout_width: look(text('Use full width on wide screens')),
  high_contrast_mode: look(text('High contrast')),
  web_animate_image_previews: look(text('Animated images'), {
    options: {
      always: text('Move'),
      on_hover: text('On hover'),
      never: text('Never'),
    },
  }),
  emojiset: {
    notOffered: 'The web client shows the emoji of the system; phones have their own choice.',
  },

  default_language: times(text('Language'), { control: 'language' }),
  twenty_four_hour_time: times(text('Use 24-hour time (14:05 instead of 2:05 PM)')),
  web_suggest_update_timezone: {
    notOffered: 'The web client shows all times in the time zone of the browser.',
  },

  web_home_view: reading(text('Home view'), {
    options: {
      inbox: text('Inbox'),
      recent_topics: text('Recent conversations'),
      all_messages: text('Combined feed'),
    },
  }),
  web_escape_navigates_to_home_view: reading(text('Esc key goes to the home view')),
  web_mark_read_on_scroll_policy: reading(text('Mark messages as read on scroll'), {
    options: { 1: text('Always'), 2: text('In conversations'), 3: text('Never') },
    help: text(
      'Conversations are topics and direct messages, not channel feeds or the combined feed.',
    ),
  }),
  web_channel_default_view: reading(text('Clicking a channel opens'), {
    options: {
      1: text('Its most recent topic'),
      2: text('Its feed'),
      3: text('Its list of topics'),
      4: text('Its most recent unread topic'),
    },
  }),
  resolved_topic_notice_auto_read_policy: reading(
    text('Mark notices of resolved topics as read automatically'),
    {
      options: {
        always: text('Always'),
        except_followed: text('Except in followed topics'),
        never: text('Never'),
      },
    },
  ),
  display_emoji_reaction_users: reading(text('Show names of reacting users when there are few')),

  enter_sends: writing(text('Press Enter to send'), {
    help: text('Then Shift+Enter adds a new line. Otherwise, Ctrl+Enter sends.'),
  }),
  web_navigate_to_sent_message: writing(text('Go to the conversation I send a message to')),
  translate_emoticons: writing(text('Convert emoticons like :) to emoji')),
  enable_drafts_synchronization: writing(text('Sync drafts across my devices')),

  user_list_style: sides(text('User list'), {
    options: {
      1: text('Names'),
      2: text('Names and status'),
      3: text('Names, status and avatars'),
    },
  }),
  web_left_sidebar_show_channel_folders: sides(text('Group channels by folder')),
  demote_inactive_streams: sides(text('Hide inactive channels in a separate group'), {
    options: { 1: text('Automatic'), 2: text('Always'), 3: text('Never') },
  }),
  web_stream_unreads_count_display_policy: sides(text('Show unread counts for'), {
    options: {
      1: text('All channels'),
      2: text('Unmuted channels'),
      3: text('No channel'),
    },
  }),
  starred_message_counts: sides(text('Count starred messages')),
  web_left_sidebar_unreads_count_summary: {
    notOffered: 'The side bar of the web client has no sums of counts over several sections.',
  },
  left_side_userlist: {
    notOffered:
      'The web client has the list of people at the right, and at its own page on phones.',
  },
  hide_ai_features: noSummaries,

  enable_stream_desktop_notifications: cell(text('Channels: desktop')),
  enable_stream_audible_notifications: cell(text('Channels: sound')),
  enable_stream_push_notifications: cell(text('Channels: mobile')),
  enable_stream_email_notifications: cell(text('Channels: email')),
  wildcard_mentions_notify: cell(text('Channels: @all')),
  enable_desktop_notifications: cell(text('Direct messages and mentions: desktop')),
  enable_sounds: cell(text('Direct messages and mentions: sound')),
  enable_offline_push_notifications: cell(text('Direct messages and mentions: mobile')),
  enable_offline_email_notifications: cell(text('Direct messages and mentions: email')),
  enable_followed_topic_desktop_notifications: cell(text('Followed topics: desktop')),
  enable_followed_topic_audible_notifications: cell(text('Followed topics: sound')),
  enable_followed_topic_push_notifications: cell(text('Followed topics: mobile')),
  enable_followed_topic_email_notifications: cell(text('Followed topics: email')),
  enable_followed_topic_wildcard_mentions_notify: cell(text('Followed topics: @all')),
  enable_online_push_notifications: notice(text('Mobile'))(
    text("Send mobile notifications even if I'm online"),
  ),

  notification_sound: desktop(text('Sound'), {
    options: { zulip: text('Two tones'), ding: text('One tone'), none: text('No sound') },
    isDrawnApart: true,
  }),
  pm_content_in_desktop_notifications: desktop(
    text('Include content of direct messages in desktop notifications'),
  ),
  desktop_icon_count_display: desktop(text('Unread count badge'), {
    options: {
      1: text('All unread messages'),
      2: text('Direct messages, mentions and followed topics'),
      3: text('Direct messages and mentions'),
      4: text('Nothing'),
    },
  }),
  email_notifications_batching_period_seconds: mail(
    text('Delay before sending message notification emails'),
    {
      unit: minutes,
    },
  ),
  message_content_in_email_notifications: mail(
    text('Include message content in email notifications'),
  ),
  realm_name_in_email_notifications_policy: mail(text('Include organization name in subject'), {
    options: { 1: text('Automatic'), 2: text('Always'), 3: text('Never') },
  }),
  enable_login_emails: mail(text('Send an email when I log in on a new device')),
  enable_digest_emails: mail(text("Send digest emails when I'm away")),
  enable_marketing_emails: { notOffered: 'The server sends no news about itself.' },

  automatically_follow_topics_policy: followed(
    text('Automatically follow and unmute topics'),
    text('Follow topics'),
    {
      options: topicPolicies,
    },
  ),
  automatically_follow_topics_where_mentioned: followed(
    text('Automatically follow and unmute topics'),
    text("Automatically follow topics where I'm mentioned"),
  ),
  automatically_unmute_topics_in_muted_streams_policy: followed(
    text('Automatically follow and unmute topics'),
    text('Unmute topics of muted channels'),
    { options: topicPolicies },
  ),

  email_address_visibility: privacy(text('Who can see my email address'), {
    options: {
      1: text('Everyone, including guests'),
      2: text('Members'),
      5: text('Moderators'),
      3: text('Administrators'),
      4: text('Nobody'),
    },
  }),
  presence_enabled: privacy(text('Display my availability to other users')),
  send_read_receipts: privacy(text('Allow other users to see when I read messages')),
  send_private_typing_notifications: privacy(text("Show when I'm typing direct messages")),
  send_stream_typing_notifications: privacy(text("Show when I'm typing channel messages")),
  receives_typing_notifications: privacy(text('Show when other users are typing')),
  allow_private_data_export: privacy(text('Let administrators export my direct messages'), {
    help: text('Exports with private data include the data of people who allow it.'),
  }),
}
