/*
 * What names mean wherever they occur, as parameters or as members, for places that do not say it
 * themselves. Settings and permissions say what they mean in their own rules.
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

const glossary: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...messages, ...events, ...channels, ...people }),
)

/** What a name means wherever it occurs, if it does. */
export function filterOf(name: string): string | undefined {
  return glossary.get(name) ?? glossary.get(name.replace(/^realm_/, ''))
}
