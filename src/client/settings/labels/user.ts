import type { UserSettingName } from '#client/api/wire.ts'
import type { NotOffered, Offered, Offers, Unit } from '#client/settings/offers.ts'
import { type Text, text } from '#translations/translate.ts'

const minutes: Unit = { name: text('minutes'), scale: 60 }

const preference =
  (group: Text) =>
  (label: Text, more: Partial<Offered> = {}) => ({
    section: 'preferences',
    group,
    label,
    ...more,
  })
const look = preference(text('Look'))
const times = preference(text('Words and times'))
const reading = preference(text('Reading'))
const writing = preference(text('Writing'))
const sides = preference(text('Side bars'))

const notice =
  (group: Text) =>
  (label: Text, more: Partial<Offered> = {}) => ({
    section: 'notifications',
    group,
    label,
    ...more,
  })
/** A cell of the table of notifications, which draws its own rows and columns. */
const cell = (label: Text) => notice(text('When to notify'))(label, { isDrawnApart: true })
const desktop = notice(text('On this computer'))
const mail = notice(text('Mail'))
const followed = (group: Text, label: Text, more: Partial<Offered> = {}) => ({
  section: 'topics',
  group,
  label,
  ...more,
})
const privacy = (label: Text, more: Partial<Offered> = {}) => ({
  section: 'account-and-privacy',
  group: text('Privacy'),
  label,
  ...more,
})

const noSummaries: NotOffered = { notOffered: 'The server makes no summaries of topics.' }
const topicPolicies = {
  1: text('When I take part in them'),
  2: text('When I send a message to them'),
  3: text('When I start them'),
  4: text('Never'),
}

/** Every setting of a user: where it is offered and what it is called. */
export const userSettingOffers: Offers<UserSettingName> = {
  color_scheme: look(text('Theme'), {
    options: { 1: text('As the system'), 2: text('Dark'), 3: text('Light') },
    control: 'radio',
  }),
  web_font_size_px: look(text('Size of text'), { unit: { name: text('pixels'), scale: 1 } }),
  web_line_height_percent: look(text('Height of lines'), {
    unit: { name: text('%'), scale: 1 },
    help: text('Less shows more on the screen; more is easier to read.'),
  }),
  fluid_layout_width: look(text('Use the whole width of the window')),
  high_contrast_mode: look(text('More contrast')),
  web_animate_image_previews: look(text('Moving pictures'), {
    options: {
      always: text('Move'),
      on_hover: text('Move under the pointer'),
      never: text('Stand still'),
    },
  }),
  emojiset: {
    notOffered: 'The web client shows the emoji of the system; phones have their own choice.',
  },

  default_language: {
    notOffered: 'The web client speaks English only, until there is another catalogue of texts.',
  },
  twenty_four_hour_time: times(text('Show times as 14:05 instead of 2:05 PM')),
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
  web_escape_navigates_to_home_view: reading(text('Escape goes to the home view')),
  web_mark_read_on_scroll_policy: reading(text('Mark messages as read by scrolling'), {
    options: { 1: text('Always'), 2: text('In conversations'), 3: text('Never') },
    help: text('In conversations: not in feeds of channels and not in the combined feed.'),
  }),
  web_channel_default_view: reading(text('A click on a channel shows'), {
    options: {
      1: text('Its newest topic'),
      2: text('Its feed'),
      3: text('Its list of topics'),
      4: text('Its newest unread topic'),
    },
  }),
  resolved_topic_notice_auto_read_policy: reading(text('Mark notices of resolved topics as read'), {
    options: {
      always: text('Always'),
      except_followed: text('Except in topics that I follow'),
      never: text('Never'),
    },
  }),
  display_emoji_reaction_users: reading(
    text('Show the names of those who reacted, where they are few'),
  ),

  enter_sends: writing(text('Enter sends the message'), {
    help: text('Shift+Enter begins a new line then. Otherwise Ctrl+Enter sends.'),
  }),
  web_navigate_to_sent_message: writing(text('Go to the conversation of what I send')),
  translate_emoticons: writing(text('Turn emoticons like :) into emoji')),
  enable_drafts_synchronization: writing(text('Keep drafts on the server, for my other devices')),

  user_list_style: sides(text('List of people'), {
    options: {
      1: text('Names'),
      2: text('Names and statuses'),
      3: text('Names, statuses and pictures'),
    },
  }),
  web_left_sidebar_show_channel_folders: sides(text('Group channels by folder')),
  demote_inactive_streams: sides(text('Put quiet channels into a group of their own'), {
    options: { 1: text('If there are many channels'), 2: text('Always'), 3: text('Never') },
  }),
  web_stream_unreads_count_display_policy: sides(text('Count unread messages of'), {
    options: {
      1: text('All channels'),
      2: text('Channels that are not muted'),
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
  enable_stream_push_notifications: cell(text('Channels: phone')),
  enable_stream_email_notifications: cell(text('Channels: mail')),
  wildcard_mentions_notify: cell(text('Channels: @all')),
  enable_desktop_notifications: cell(text('Direct messages and mentions: desktop')),
  enable_sounds: cell(text('Direct messages and mentions: sound')),
  enable_offline_push_notifications: cell(text('Direct messages and mentions: phone')),
  enable_offline_email_notifications: cell(text('Direct messages and mentions: mail')),
  enable_followed_topic_desktop_notifications: cell(text('Followed topics: desktop')),
  enable_followed_topic_audible_notifications: cell(text('Followed topics: sound')),
  enable_followed_topic_push_notifications: cell(text('Followed topics: phone')),
  enable_followed_topic_email_notifications: cell(text('Followed topics: mail')),
  enable_followed_topic_wildcard_mentions_notify: cell(text('Followed topics: @all')),
  enable_online_push_notifications: notice(text('Phones'))(
    text('Notify my phone also while I am online'),
  ),

  notification_sound: desktop(text('Sound'), {
    options: { zulip: text('Two tones'), ding: text('One tone'), none: text('No sound') },
    isDrawnApart: true,
  }),
  pm_content_in_desktop_notifications: desktop(text('Show the text of direct messages')),
  desktop_icon_count_display: desktop(text('Count on the icon'), {
    options: {
      1: text('All unread messages'),
      2: text('Direct messages, mentions and followed topics'),
      3: text('Direct messages and mentions'),
      4: text('Nothing'),
    },
  }),
  email_notifications_batching_period_seconds: mail(text('Collect messages for one mail for'), {
    unit: minutes,
  }),
  message_content_in_email_notifications: mail(text('Mails contain the text of messages')),
  realm_name_in_email_notifications_policy: mail(text('Subjects name the organization'), {
    options: { 1: text('If I belong to several'), 2: text('Always'), 3: text('Never') },
  }),
  enable_login_emails: mail(text('Tell me of log-ins from a new device')),
  enable_digest_emails: mail(text('Sum up what I missed while I was away')),
  enable_marketing_emails: { notOffered: 'The server sends no news about itself.' },

  automatically_follow_topics_policy: followed(
    text('Follow and unmute by themselves'),
    text('Follow topics'),
    {
      options: topicPolicies,
    },
  ),
  automatically_follow_topics_where_mentioned: followed(
    text('Follow and unmute by themselves'),
    text('Follow topics in which I am mentioned'),
  ),
  automatically_unmute_topics_in_muted_streams_policy: followed(
    text('Follow and unmute by themselves'),
    text('Unmute topics of muted channels'),
    { options: topicPolicies },
  ),

  email_address_visibility: privacy(text('Who can see my address'), {
    options: {
      1: text('Everybody, guests too'),
      2: text('Members'),
      5: text('Moderators'),
      3: text('Administrators'),
      4: text('Nobody'),
    },
  }),
  presence_enabled: privacy(text('Show others when I am online')),
  send_read_receipts: privacy(text('Let others see that I read their messages')),
  send_private_typing_notifications: privacy(text('Show others that I type a direct message')),
  send_stream_typing_notifications: privacy(text('Show others that I type to a channel')),
  receives_typing_notifications: privacy(text('Show me that others type')),
  allow_private_data_export: privacy(text('Let administrators export my direct messages'), {
    help: text('Exports that contain private data have those of people who allow it.'),
  }),
}
