/*
 * Descriptions of parameters and members by name, for those without a description of their own.
 * Settings and permissions are described with their rules.
 */

const messages = {
  message_id: 'The id of a message.',
  allow_empty_topic_name:
    'Whether the empty topic is returned as an empty string, rather than as `realm_empty_topic_display_name`.',
  apply_markdown: 'Whether content is returned as HTML, rather than as Markdown source.',
  client_gravatar:
    'Changes nothing: the server draws a picture of everyone who has none, so `avatar_url` is never null.',
  content: 'Markdown, of at most `max_message_length` code points.',
  topic: 'At most `max_topic_length` code points.',
  topic_name: 'At most `max_topic_length` code points.',
  narrow: 'The filters that messages must match; empty: the combined feed.',
  include_anchor: 'Whether to include the anchor itself.',
  num_before: 'The number of messages with smaller IDs than the anchor.',
  num_after: 'The number of messages with larger IDs than the anchor.',
  message_ids:
    'The IDs of the messages to return, instead of an anchor. Messages that the caller may not read are left out.',
  msg_ids: 'The IDs of the messages to check.',
  send_notification_to_old_thread:
    'Whether Notification Bot posts in the old topic where the messages went.',
  send_notification_to_new_thread:
    'Whether Notification Bot posts in the new topic where the messages came from, or that the topic was resolved.',
  local_id: "The sending client's own ID for the message.",
  flag: '`read`, `starred`, `collapsed` or `hide_link_previews`.',
  widget_content: "For bots: a widget to show below the message's text.",
}

const events = {
  queue_id: 'The ID of the event queue, from `POST /register`.',
  dont_block: 'Whether to answer at once even if there are no new events.',
  event_types: 'The types of events that the queue receives; null: all.',
  fetch_event_types: 'The parts of the initial state to return; null: the same as `event_types`.',
  slim_presence: 'Whether presence is returned in the modern format, keyed by user ID.',
  presence_history_limit_days: 'The number of days of presence data to return.',
  all_public_streams: 'Whether the queue receives the messages of all public channels.',
  include_subscribers:
    'Whether to list the subscribers of channels; `partial`: only some of them for large channels.',
  client_capabilities: 'The features that the client supports, each `true`.',
  idle_queue_timeout:
    'How long the queue is kept without polls, in seconds; `mobile`: twelve hours.',
  queue_lifespan_secs: 'An older form of `idle_queue_timeout`, in seconds; 0: the default.',
}

const channels = {
  stream_id: 'The ID of a channel.',
  stream_ids: 'The IDs of channels.',
  announce: 'Whether Notification Bot announces the new channel.',
  subscribers: 'The IDs of the subscribers.',
  authorization_errors_fatal:
    'Whether the whole call fails if the caller may not subscribe to one of the channels.',
  send_new_subscription_messages:
    'Whether Notification Bot tells the users whom the caller subscribes.',
  invite_only: 'Whether the channel is private.',
  is_private: 'Whether the channel is private.',
  is_web_public: 'Whether people without an account can read it.',
  is_default_stream: 'Whether new users are subscribed to it.',
  history_public_to_subscribers:
    'Whether subscribers can read messages sent before they subscribed.',
  message_retention_days:
    "The number of days after which messages are deleted; null: the organization's setting applies.",
  topics_policy: 'Whether messages can, must or must not use the empty topic.',
  folder_id: "The channel's folder; null: none.",
  extended_members:
    'Whether to add what the announced feature level lacks, as the client capability of this name does.',
  default_push_notifications: 'Whether new subscribers get push notifications by default.',
  is_archived: 'Whether the channel is archived.',
  include_public: 'Includes all public channels.',
  include_web_public: 'Includes all web-public channels.',
  include_subscribed: 'Includes the channels the caller is subscribed to.',
  include_owner_subscribed: "Includes the channels that the calling bot's owner is subscribed to.",
  include_default: 'Includes default channels, and adds `is_default` to each channel.',
  include_can_access_content: 'Includes all channels whose messages the caller can read.',
  include_all: 'Includes all channels whose existence the caller may know of.',
  include_all_active: 'Deprecated: the same as `include_all`, for administrators only.',
  exclude_archived: 'Leaves out archived channels.',
}

const people = {
  user_id: 'The ID of a user.',
  user_ids: 'The IDs of users.',
  include_custom_profile_fields: 'Whether to include `profile_data`.',
  role: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  invite_as: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  new_email: "A new email address; only for callers who may change other users' addresses.",
  emoji_code: 'Identifies the emoji where several share a name.',
  status_text: 'At most 60 code points; empty: no status text.',
  history_limit_days: 'The number of days of presence data to return.',
  new_user_input: 'Whether the user has interacted with the client since its last report.',
  ping_only: 'Whether to leave out the presence of other users.',
  user_group_id: 'The ID of a user group.',
  direct_member_only: 'Whether to count only direct members, not those of subgroups.',
  direct_subgroup_only: 'Whether to return only direct subgroups.',
  include_deactivated_groups: 'Whether to include deactivated groups.',
}

const glossary: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...messages, ...events, ...channels, ...people }),
)

/** The general description of a parameter or member by its name, if there is one. */
export function descriptionOf(name: string): string | undefined {
  return glossary.get(name) ?? glossary.get(name.replace(/^realm_/, ''))
}
