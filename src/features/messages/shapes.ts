import * as shape from '#platform/shape.ts'
import { flagBits, reactionTypes } from '#platform/store/schema.ts'
import { propagateModes } from './editing/events.ts'
import { editableFlags } from './flags/events.ts'

const html = shape.noted(shape.string, 'HTML.')
const markdown = shape.noted(shape.string, 'The Markdown source.')

/** The topic in an event or reply. */
export const topicShape = shape.noted(
  shape.string,
  'The topic; the empty one under its display name, unless the client asked for empty names.',
)

const reactionTypeShape = shape.noted(
  shape.choice(...reactionTypes, 'service_extra_emoji'),
  '`zulip_extra_emoji` is what apps of the Zulip family get for `service_extra_emoji`.',
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
  "What the organization's linkifiers find in the topic.",
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
  id: shape.noted(shape.integer, 'Larger than those of all earlier messages.'),
  type: shape.choice('stream', 'private'),
  content: shape.noted(
    shape.string,
    'HTML, or the Markdown source where the client asked for that.',
  ),
  content_type: shape.choice('text/html', 'text/x-markdown'),
  sender_id: shape.integer,
  sender_email: shape.noted(shape.string, 'The API email.'),
  sender_full_name: shape.string,
  sender_realm_str: shape.string,
  avatar_url: shape.noted(
    shape.nullable(shape.string),
    'Null where the client computes gravatars itself and can see the address.',
  ),
  client: shape.noted(shape.string, 'The name of the client that sent it.'),
  display_recipient: shape.noted(
    shape.either(shape.string, shape.list(person)),
    "The channel's name, or who takes part in the conversation.",
  ),
  recipient_id: shape.noted(
    shape.integer,
    'The same for all messages of a channel or a conversation.',
  ),
  stream_id: shape.maybe(shape.noted(shape.integer, 'Of a channel message only.')),
  subject: shape.noted(shape.string, 'The topic; empty for direct messages.'),
  topic_links: topicLinks,
  timestamp: shape.timestamp,
  is_me_message: shape.noted(shape.boolean, 'Whether it starts with `/me`.'),
  last_edit_timestamp: shape.maybe(
    shape.noted(shape.timestamp, 'Of the last edit of its content, if any.'),
  ),
  last_moved_timestamp: shape.maybe(
    shape.noted(shape.timestamp, 'Of its last move to another topic or channel, if any.'),
  ),
  edit_history: shape.maybe(
    shape.noted(
      shape.list(editHistoryEntry),
      'Newest first, as far as it may be seen. A long one lacks its oldest entries, which `GET /messages/{message_id}/history` has.',
    ),
  ),
  reactions: shape.list(shape.named('Reaction', { ...emoji, user_id: shape.integer })),
  submessages: shape.noted(
    shape.list(shape.named('Submessage', { ...submessage, id: shape.integer })),
    'Votes and the like, of messages that show a poll or a to-do list.',
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
  match_content: shape.maybe(shape.noted(html, 'After a search, with what was found highlighted.')),
  match_subject: shape.maybe(shape.noted(html, 'After a search, with what was found highlighted.')),
})

export const match = shape.named('Match', { match_content: html, match_subject: html })

/** @source Zulip API, "Get a message's edit history" */
export const snapshot = shape.named('EditSnapshot', {
  topic: topicShape,
  content: markdown,
  rendered_content: html,
  timestamp: shape.timestamp,
  user_id: shape.noted(shape.nullable(shape.integer), 'Who made the change.'),
  prev_topic: shape.maybe(topicShape),
  stream: shape.maybe(shape.integer),
  prev_stream: shape.maybe(shape.integer),
  prev_content: shape.maybe(markdown),
  prev_rendered_content: shape.maybe(html),
  content_html_diff: shape.maybe(shape.noted(html, 'The difference to what it was before.')),
})

const typist = shape.named('Typist', { user_id: shape.integer, email: shape.string })
const typingOp = shape.choice('start', 'stop')

const unreadMember = { mentioned: shape.maybe(shape.always(true)) }
const unreadDetails = shape.either(
  shape.named('UnreadChannelMessage', {
    type: shape.choice('stream'),
    ...unreadMember,
    stream_id: shape.integer,
    topic: topicShape,
  }),
  shape.named('UnreadDirectMessage', {
    type: shape.choice('private'),
    ...unreadMember,
    user_ids: shape.noted(shape.list(shape.integer), 'The others in the conversation.'),
  }),
)

const unreadIds = { unread_message_ids: shape.list(shape.integer) }

/** @source Zulip API, "Register an event queue", `unread_msgs` */
export const unreadMessagesShape = shape.named('UnreadMessages', {
  count: shape.integer,
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
      user_ids_string: shape.noted(shape.string, 'The ids of all in it, joined by commas.'),
      ...unreadIds,
    }),
  ),
  mentions: shape.noted(shape.list(shape.integer), 'Those in which the user is mentioned.'),
  old_unreads_missing: shape.noted(
    shape.boolean,
    'Whether there are older ones, too many to list.',
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
    user_id: shape.noted(shape.nullable(shape.integer), 'Who did it; null where the server did.'),
    rendering_only: shape.noted(shape.boolean, 'Whether nothing but the HTML changed.'),
    message_id: shape.integer,
    message_ids: shape.noted(shape.list(shape.integer), 'Every message that was changed or moved.'),
    flags: flagList,
    edit_timestamp: shape.timestamp,
    stream_id: shape.maybe(shape.noted(shape.integer, 'Where the messages were.')),
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
      shape.noted(shape.integer, 'For other clients: one event for each message.'),
    ),
    message_type: shape.choice('stream', 'private'),
    stream_id: shape.maybe(shape.integer),
    topic: shape.maybe(topicShape),
  }),
  shape.event('UpdateMessageFlagsAddEvent', 'update_message_flags', {
    op: shape.choice('add'),
    operation: shape.noted(shape.choice('add'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: shape.noted(shape.boolean, 'Whether it stands for every message, with none named.'),
  }),
  shape.event('UpdateMessageFlagsRemoveEvent', 'update_message_flags', {
    op: shape.choice('remove'),
    operation: shape.noted(shape.choice('remove'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: shape.boolean,
    message_details: shape.maybe(
      shape.noted(
        shape.record(unreadDetails),
        'For `read` only: where each message is, by its id.',
      ),
    ),
  }),
  shape.event('ReactionEvent', 'reaction', {
    op: shape.choice('add', 'remove'),
    message_id: shape.integer,
    user_id: shape.integer,
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
