/*
 * What names mean wherever they occur, as parameters or as members, for places that do not say it
 * themselves. Names of the organization's settings are here without `realm_`.
 */

const messages = {
  message_id: 'The id of a message.',
  allow_empty_topic_name:
    "Whether the empty topic is sent as such; otherwise under the organization's name for it.",
  apply_markdown: 'Whether content comes as HTML; otherwise as the Markdown source.',
  client_gravatar:
    'Whether `avatar_url` may be null for those whose gravatar the client can compute itself.',
  content: 'Markdown, of at most `max_message_length` code points.',
  topic: 'At most `max_topic_length` code points.',
  topic_name: 'At most `max_topic_length` code points.',
  narrow: 'Filters, all of which a message has to pass; none: the combined feed.',
  include_anchor: 'Whether the anchor itself is wanted.',
  num_before: 'How many messages with smaller ids than the anchor.',
  num_after: 'How many messages with larger ids than the anchor.',
  message_ids: 'Instead of an anchor: those of them that the caller may read.',
  msg_ids: 'The ids of the messages to check.',
  send_notification_to_old_thread: 'Whether Notification Bot says where the messages went.',
  send_notification_to_new_thread:
    'Whether Notification Bot says where the messages came from, or that the topic was resolved.',
  local_id: 'The name that the sending client gave to the message.',
  flag: '`read`, `starred` or `collapsed`.',
  widget_content: 'For bots: what the message shows below its text.',
}

const events = {
  queue_id: 'The event queue, from `POST /register`.',
  dont_block: 'Whether to answer at once when there is nothing new.',
  event_types: 'The types of events that the queue gets; null: all.',
  fetch_event_types: 'The parts of the state that are wanted; null: as `event_types` says.',
  slim_presence: 'Whether presences come by user id, in the short form.',
  presence_history_limit_days: 'How many days back presences are wanted.',
  all_public_streams: 'Whether the queue gets the messages of all public channels.',
  include_subscribers:
    'Whether to say who is subscribed; `partial`: where there are many, those who matter most.',
  client_capabilities: 'What the client can deal with, each `true`.',
  idle_queue_timeout: 'Seconds that the queue is kept between polls, or `mobile` for twelve hours.',
  queue_lifespan_secs: 'The same in an older form; 0 for the usual time.',
}

const channels = {
  stream_id: 'The id of a channel.',
  stream_ids: 'The ids of channels.',
  announce: 'Whether Notification Bot tells of the new channel.',
  subscribers: 'The ids of those who are subscribed.',
  authorization_errors_fatal:
    'Whether channels that the caller may not subscribe to make the whole call fail.',
  send_new_subscription_messages: 'Whether those whom the caller subscribes are told.',
  invite_only: 'Whether the channel is private.',
  is_private: 'Whether the channel is private.',
  is_web_public: 'Whether people without an account can read it.',
  is_default_stream: 'Whether new users are subscribed to it.',
  history_public_to_subscribers: 'Whether subscribers can read what was sent before they came.',
  message_retention_days:
    "Days after which messages are deleted; without a value of its own, the organization's.",
  topics_policy: 'Whether messages can, have to, or must not have the empty topic.',
  folder_id: 'The folder that the channel is in; null for none.',
  default_push_notifications: 'Whether new subscribers are notified on their phones.',
  is_archived: 'Whether it is archived.',
  include_public: 'All public channels.',
  include_web_public: 'All web-public channels.',
  include_subscribed: "The caller's subscriptions.",
  include_owner_subscribed: "The subscriptions of the calling bot's owner.",
  include_default: 'Those that new users are subscribed to; each says `is_default`.',
  include_can_access_content: 'Those whose messages the caller can read.',
  include_all: 'All that the caller may know of.',
  include_all_active: 'Deprecated: the same, for administrators.',
  exclude_archived: 'Leaves out archived channels.',
}

const people = {
  user_id: 'The id of a user.',
  user_ids: 'The ids of users.',
  include_custom_profile_fields: 'Whether `profile_data` is wanted.',
  role: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  invite_as: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  new_email: 'Another address, to whoever may change addresses.',
  emoji_code: 'Tells emoji of one name apart.',
  status_text: 'At most 60 code points; empty for none.',
  history_limit_days: 'How many days back presences are wanted.',
  new_user_input: 'Whether the user did something since the last report.',
  ping_only: 'Whether the caller wants to know of nobody else.',
  user_group_id: 'The id of a user group.',
  direct_member_only: 'Leaves out those who are members of a group in it.',
  direct_subgroup_only: 'Leaves out groups that are in a group in it.',
  include_deactivated_groups: 'Whether deactivated groups are wanted.',
}

/** Who holds each permission setting. */
const permissions = {
  can_access_all_users_group: 'Who can know of every user; guests who cannot know a few.',
  can_add_custom_emoji_group: 'Who can add custom emoji.',
  can_add_members_group: 'Who can add members to the group.',
  can_add_subscribers_group: 'Who can subscribe others.',
  can_administer_channel_group: 'Who can administer the channel, besides administrators.',
  can_create_bots_group: 'Who can create bots of any type.',
  can_create_groups: 'Who can create user groups.',
  can_create_private_channel_group: 'Who can create private channels.',
  can_create_public_channel_group: 'Who can create public channels.',
  can_create_topic_group: 'Who can start topics.',
  can_create_web_public_channel_group: 'Who can create web-public channels.',
  can_create_write_only_bots_group: 'Who can create bots that only write.',
  can_delete_any_message_group: 'Who can delete any message.',
  can_delete_own_message_group: 'Who can delete their own messages.',
  can_invite_users_group: 'Who can invite people.',
  can_join_group: 'Who can join the group.',
  can_leave_group: 'Who can leave the group.',
  can_manage_all_groups: 'Who can administer every user group.',
  can_manage_group: 'Who can administer the group.',
  can_mention_group: 'Who can mention the group.',
  can_mention_many_users_group: 'Who can mention everybody where there are many.',
  can_move_messages_between_channels_group: 'Who can move messages to other channels.',
  can_move_messages_between_topics_group: 'Who can move messages to other topics.',
  can_move_messages_out_of_channel_group: 'Who can move messages out of the channel.',
  can_move_messages_within_channel_group: 'Who can move messages within the channel.',
  can_remove_members_group: 'Who can remove members from the group.',
  can_remove_subscribers_group: 'Who can unsubscribe others.',
  can_resolve_topics_group: 'Who can resolve topics.',
  can_send_message_group: 'Who can send messages to the channel.',
  can_set_delete_message_policy_group: "Who can decide who deletes a channel's messages.",
  can_set_topics_policy_group: "Who can decide about a channel's empty topic.",
  can_subscribe_group: 'Who can subscribe, even to a private channel.',
  create_multiuse_invite_group: 'Who can make links by which any number of people can join.',
  direct_message_initiator_group: 'Who can start direct conversations.',
  direct_message_permission_group: 'At least one of these is in each direct conversation.',
}

const settings = {
  automatically_follow_topics_policy:
    'When topics are followed: 1 on taking part, 2 on sending, 3 on starting them, 4 never.',
  automatically_unmute_topics_in_muted_streams_policy:
    'When topics are unmuted: 1 on taking part, 2 on sending, 3 on starting them, 4 never.',
  color_scheme: '1 as the system says, 2 dark, 3 light.',
  default_language: 'A code such as `en` or `pt-br`.',
  demote_inactive_streams: '1 automatically, 2 always, 3 never.',
  desktop_icon_count_display:
    'What the badge counts: 1 all, 2 direct, mentions and followed, 3 direct and mentions, 4 none.',
  digest_weekday: '0 is Monday.',
  email_address_visibility:
    'Who sees the real address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  email_notifications_batching_period_seconds: 'How long messages are collected for one mail.',
  empty_topic_display_name: 'What clients that do not know the empty topic see as its name.',
  giphy_rating: 'One of `giphy_rating_options`.',
  message_content_delete_limit_seconds: 'Null: without a limit.',
  message_content_edit_limit_seconds: 'Null: without a limit.',
  message_edit_history_visibility_policy:
    'What is shown of earlier forms of messages: `all`, `moves` without contents, or `none`.',
  move_messages_between_streams_limit_seconds: 'Null: without a limit.',
  move_messages_within_stream_limit_seconds: 'Null: without a limit.',
  moderation_request_channel_id: 'Where reports of messages go; -1 for nowhere.',
  new_stream_announcements_stream_id: 'Where new channels are announced; -1 for nowhere.',
  signup_announcements_stream_id: 'Where new users are announced; -1 for nowhere.',
  zulip_update_announcements_stream_id: 'Where news of the software go; -1 for nowhere.',
  realm_name_in_email_notifications_policy:
    '1 where somebody belongs to several organizations, 2 always, 3 never.',
  user_list_style: '1 compact, 2 with status, 3 with status and avatar.',
  video_chat_provider: 'One of `realm_available_video_chat_providers`.',
  waiting_period_threshold: 'Days after joining until a member is a full member.',
  web_channel_default_view:
    '1 the top topic, 2 the whole feed, 3 the list of topics, 4 the top unread topic.',
  web_mark_read_on_scroll_policy: '1 always, 2 in single conversations, 3 never.',
  web_stream_unreads_count_display_policy:
    'Which channels show a count: 1 all, 2 unmuted ones, 3 none.',
  welcome_message_custom_text: 'Markdown that ends the welcome message; empty for nothing.',
}

const glossary: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...messages, ...events, ...channels, ...people, ...permissions, ...settings }),
)

/** What a name means wherever it occurs, if it does. */
export function meaningOf(name: string): string | undefined {
  return glossary.get(name) ?? glossary.get(name.replace(/^realm_/, ''))
}
