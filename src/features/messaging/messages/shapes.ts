import * as shape from '#platform/shape.ts'
import { flagBits, reactionTypes } from '#platform/store/schema.ts'
import { editableFlags, propagateModes } from './choices.ts'

const html = shape.noted(shape.string, 'HTML.')
const markdown = shape.noted(shape.string, 'The Markdown source.')

/** The topic in an event or reply. */
export const topicShape = shape.noted(
  shape.string,
  'The topic; the empty topic under its display name, unless the client supports empty topics.',
)

const reactionTypeShape = shape.noted(
  shape.choice(...reactionTypes, 'service_extra_emoji'),
  'Zulip apps get `zulip_extra_emoji` in place of `service_extra_emoji`.',
)

const emoji = {
  emoji_name: shape.string,
  emoji_code: shape.noted(shape.string, 'Identifies the emoji among those of its `reaction_type`.'),
  reaction_type: reactionTypeShape,
}

/** @source Zulip API, "Get messages" */
export const editHistoryEntry = shape.named('EditHistoryEntry', {
  user_id: shape.nullable(shape.integer),
  timestamp: shape.timestamp,
  prev_content: shape.maybe(markdown),
  prev_rendered_content: shape.maybe(html),
  prev_topic: shape.maybe(shape.string),
  topic: shape.maybe(shape.string),
  prev_stream: shape.maybe(shape.integer),
  stream: shape.maybe(shape.integer),
})

const topicLinks = shape.noted(
  shape.list(shape.named('TopicLink', { text: shape.string, url: shape.string })),
  'The links in the topic: matches of linkifiers, and URLs.',
)

const person = shape.named('Recipient', {
  id: shape.integer,
  email: shape.noted(shape.string, 'The API email.'),
  full_name: shape.string,
  is_mirror_dummy: shape.always(false),
})

const submessage = {
  msg_type: shape.choice('widget'),
  content: shape.noted(shape.string, 'JSON text.'),
  message_id: shape.integer,
  sender_id: shape.integer,
}

const common = {
  id: shape.noted(shape.integer, 'Increases with each message.'),
  type: shape.choice('stream', 'private'),
  content: shape.noted(shape.string, 'HTML, or with `apply_markdown=false` the Markdown source.'),
  content_type: shape.choice('text/html', 'text/x-markdown'),
  sender_id: shape.integer,
  sender_email: shape.noted(shape.string, 'The API email.'),
  sender_full_name: shape.string,
  sender_realm_str: shape.string,
  avatar_url: shape.noted(shape.string, 'Relative to the server. Never null.'),
  client: shape.noted(shape.string, 'The name of the client that sent the message.'),
  display_recipient: shape.noted(
    shape.either(shape.string, shape.list(person)),
    "The channel's name, or the participants of the direct conversation.",
  ),
  recipient_id: shape.noted(shape.integer, 'Identifies the channel or direct conversation.'),
  stream_id: shape.maybe(shape.noted(shape.integer, 'Only for channel messages.')),
  subject: shape.noted(shape.string, 'The topic; empty for direct messages.'),
  topic_links: topicLinks,
  timestamp: shape.timestamp,
  is_me_message: shape.noted(
    shape.boolean,
    'Whether it is a status message, which starts with `/me`.',
  ),
  last_edit_timestamp: shape.maybe(
    shape.noted(shape.timestamp, 'When the content was last edited; absent if never.'),
  ),
  last_moved_timestamp: shape.maybe(
    shape.noted(
      shape.timestamp,
      'When the message was last moved to another topic or channel; absent if never.',
    ),
  ),
  edit_history: shape.maybe(
    shape.noted(
      shape.list(editHistoryEntry),
      'Newest first, as far as the organization shows it. A long history lacks its oldest entries; see `GET /messages/{message_id}/history`.',
    ),
  ),
  reactions: shape.list(shape.named('Reaction', { ...emoji, user_id: shape.integer })),
  submessages: shape.noted(
    shape.list(shape.named('Submessage', { ...submessage, id: shape.integer })),
    'The steps of a poll or a to-do list, such as votes.',
  ),
}

export const flagShape = shape.choice(
  'read',
  'historical',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  ...(Object.keys(flagBits) as (keyof typeof flagBits)[]),
)

const flagList = shape.noted(shape.list(flagShape), "The user's own flags of the message.")

/** @source Zulip API, "Get messages" */
export const fetchedMessage = shape.named('Message', {
  ...common,
  flags: flagList,
  match_content: shape.maybe(
    shape.noted(html, 'Only after a search: HTML with the matches highlighted.'),
  ),
  match_subject: shape.maybe(
    shape.noted(html, 'Only after a search: HTML with the matches highlighted.'),
  ),
})

/** Parley's own. */
export const pinShape = shape.named('PinnedMessage', {
  message_id: shape.integer,
  user_id: shape.noted(shape.integer, 'Who pinned it.'),
  timestamp: shape.noted(shape.integer, 'When it was pinned, in seconds since the epoch.'),
})

export const match = shape.named('Match', { match_content: html, match_subject: html })

/** @source Zulip API, "Get a message's edit history" */
export const snapshot = shape.named('EditSnapshot', {
  topic: topicShape,
  content: markdown,
  rendered_content: html,
  timestamp: shape.timestamp,
  user_id: shape.noted(shape.nullable(shape.integer), 'The ID of the user who made the change.'),
  prev_topic: shape.maybe(topicShape),
  stream: shape.maybe(shape.integer),
  prev_stream: shape.maybe(shape.integer),
  prev_content: shape.maybe(markdown),
  prev_rendered_content: shape.maybe(html),
  content_html_diff: shape.maybe(
    shape.noted(html, 'The difference to the previous version, as HTML.'),
  ),
})

const typist = shape.named('Typist', { user_id: shape.integer, email: shape.string })
const typingOp = shape.choice('start', 'stop')

const unreadMember = { mentioned: shape.maybe(shape.always(true)) }
export const unreadDetails = shape.either(
  shape.named('UnreadChannelMessage', {
    type: shape.choice('stream'),
    ...unreadMember,
    stream_id: shape.integer,
    topic: topicShape,
  }),
  shape.named('UnreadDirectMessage', {
    type: shape.choice('private'),
    ...unreadMember,
    user_ids: shape.noted(shape.list(shape.integer), 'The IDs of the other participants.'),
  }),
)

const unreadIds = { unread_message_ids: shape.list(shape.integer) }

/** @source Zulip API, "Register an event queue", `unread_msgs` */
export const unreadMessagesShape = shape.named('UnreadMessages', {
  count: shape.noted(
    shape.integer,
    'How many of them count: not those in muted topics, nor those in muted channels unless the topic is unmuted or followed.',
  ),
  pms: shape.list(
    shape.named('UnreadDirectConversation', {
      other_user_id: shape.integer,
      sender_id: shape.noted(shape.integer, 'Deprecated: the same.'),
      ...unreadIds,
    }),
  ),
  streams: shape.list(
    shape.named('UnreadTopic', { stream_id: shape.integer, topic: topicShape, ...unreadIds }),
  ),
  huddles: shape.list(
    shape.named('UnreadGroupConversation', {
      user_ids_string: shape.noted(shape.string, 'The IDs of all participants, joined by commas.'),
      ...unreadIds,
    }),
  ),
  mentions: shape.noted(
    shape.list(shape.integer),
    'The IDs of unread messages that mention the user personally or in a group, or by a wildcard where nothing is muted.',
  ),
  old_unreads_missing: shape.noted(
    shape.boolean,
    'Whether older unread messages were left out because of the limit.',
  ),
})

const flagChange = {
  flag: shape.choice(...editableFlags),
  messages: shape.list(shape.integer),
}

/** A message in an event; its flags are a member of the event. */
export const messageShape = shape.named('NewMessage', common)

export const messageEventShapes = [
  shape.event('MessageEvent', 'message', {
    message: messageShape,
    flags: flagList,
    local_message_id: shape.maybe(
      shape.noted(
        shape.string,
        'The `local_id` of the sending client, in the queue that it named.',
      ),
    ),
  }),
  shape.event('UpdateMessageEvent', 'update_message', {
    user_id: shape.noted(
      shape.nullable(shape.integer),
      'The ID of the user who made the change; null for the server.',
    ),
    rendering_only: shape.noted(shape.boolean, 'Whether only the rendered HTML changed.'),
    message_id: shape.integer,
    message_ids: shape.noted(
      shape.list(shape.integer),
      'The IDs of all changed or moved messages.',
    ),
    flags: flagList,
    edit_timestamp: shape.timestamp,
    stream_id: shape.maybe(shape.noted(shape.integer, 'The channel before the change.')),
    stream_name: shape.maybe(shape.string),
    orig_content: shape.maybe(markdown),
    orig_rendered_content: shape.maybe(html),
    content: shape.maybe(markdown),
    rendered_content: shape.maybe(html),
    is_me_message: shape.maybe(shape.boolean),
    propagate_mode: shape.maybe(shape.choice(...propagateModes)),
    orig_subject: shape.maybe(topicShape),
    subject: shape.maybe(topicShape),
    topic_links: shape.maybe(topicLinks),
    new_stream_id: shape.maybe(shape.integer),
  }),
  shape.event('DeleteMessageEvent', 'delete_message', {
    message_ids: shape.maybe(
      shape.noted(shape.list(shape.integer), 'For clients with `bulk_message_deletion`.'),
    ),
    message_id: shape.maybe(
      shape.noted(shape.integer, 'For other clients, which get one event per message.'),
    ),
    message_type: shape.choice('stream', 'private'),
    stream_id: shape.maybe(shape.integer),
    topic: shape.maybe(topicShape),
  }),
  shape.event('UpdateMessageFlagsAddEvent', 'update_message_flags', {
    op: shape.choice('add'),
    operation: shape.noted(shape.choice('add'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: shape.noted(
      shape.boolean,
      'Whether the event is about all messages; `messages` is then empty.',
    ),
  }),
  shape.event('UpdateMessageFlagsRemoveEvent', 'update_message_flags', {
    op: shape.choice('remove'),
    operation: shape.noted(shape.choice('remove'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: shape.boolean,
    message_details: shape.maybe(
      shape.noted(
        shape.record(unreadDetails),
        'For `read` only: the conversation of each message, by message ID.',
      ),
    ),
  }),
  shape.event('PinAddEvent', 'pinned_message', {
    op: shape.choice('add'),
    pinned_message: pinShape,
  }),
  shape.event('PinRemoveEvent', 'pinned_message', {
    op: shape.choice('remove'),
    message_id: shape.integer,
  }),
  shape.event('ReactionEvent', 'reaction', {
    op: shape.choice('add', 'remove'),
    message_id: shape.integer,
    user_id: shape.integer,
    user: shape.noted(
      shape.named('Reactor', {
        user_id: shape.integer,
        email: shape.noted(shape.string, 'The API email.'),
        full_name: shape.string,
      }),
      'Deprecated: `user_id` says who reacted.',
    ),
    ...emoji,
  }),
  shape.event('SubmessageEvent', 'submessage', { ...submessage, submessage_id: shape.integer }),
  shape.event('DirectTypingEvent', 'typing', {
    op: typingOp,
    message_type: shape.choice('direct'),
    sender: typist,
    recipients: shape.list(typist),
  }),
  shape.event('ChannelTypingEvent', 'typing', {
    op: typingOp,
    message_type: shape.choice('stream'),
    sender: typist,
    stream_id: shape.integer,
    topic: topicShape,
  }),
  shape.event('TypingEditMessageEvent', 'typing_edit_message', {
    op: typingOp,
    sender_id: shape.integer,
    message_id: shape.integer,
    recipient: shape.either(
      shape.named('EditedInChannel', {
        type: shape.choice('channel'),
        channel_id: shape.integer,
        topic: topicShape,
      }),
      shape.named('EditedDirectly', {
        type: shape.choice('direct'),
        user_ids: shape.list(shape.integer),
      }),
    ),
  }),
]
