import {
  always,
  boolean,
  choice,
  either,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  nullable,
  record,
  string,
  timestamp,
} from '#shape.ts'
import { flagBits, reactionTypes } from '#store/schema.ts'
import { propagateModes } from './editing/events.ts'
import { editableFlags } from './flags/events.ts'

const html = noted(string, 'HTML.')
const markdown = noted(string, 'The Markdown source.')

/** An event's or reply's topic: under its display name where the client knows no empty topic. */
export const topicShape = noted(
  string,
  'The topic; the empty one under its display name, unless the client asked for empty names.',
)

const reactionTypeShape = noted(
  choice(...reactionTypes, 'service_extra_emoji'),
  '`zulip_extra_emoji` is what apps of the Zulip family get for `service_extra_emoji`.',
)

const emoji = {
  emoji_name: string,
  emoji_code: noted(string, 'Identifies the emoji among those of its `reaction_type`.'),
  reaction_type: reactionTypeShape,
}

const editHistoryEntry = named('EditHistoryEntry', {
  user_id: nullable(integer),
  timestamp,
  prev_content: maybe(markdown),
  prev_rendered_content: maybe(html),
  prev_topic: maybe(string),
  topic: maybe(string),
  prev_stream: maybe(integer),
  stream: maybe(integer),
})

const topicLinks = noted(
  list(named('TopicLink', { text: string, url: string })),
  "What the organization's linkifiers find in the topic.",
)

const person = named('Recipient', {
  id: integer,
  email: noted(string, 'The API email.'),
  full_name: string,
  is_mirror_dummy: always(false),
})

const submessage = {
  msg_type: choice('widget'),
  content: noted(string, 'JSON text.'),
  message_id: integer,
  sender_id: integer,
}

const common = {
  id: noted(integer, 'Larger than those of all earlier messages.'),
  type: choice('stream', 'private'),
  content: noted(string, 'HTML, or the Markdown source where the client asked for that.'),
  content_type: choice('text/html', 'text/x-markdown'),
  sender_id: integer,
  sender_email: noted(string, 'The API email.'),
  sender_full_name: string,
  sender_realm_str: string,
  avatar_url: noted(
    nullable(string),
    'Null where the client computes gravatars itself and can see the address.',
  ),
  client: noted(string, 'The name of the client that sent it.'),
  display_recipient: noted(
    either(string, list(person)),
    "The channel's name, or who takes part in the conversation.",
  ),
  recipient_id: noted(integer, 'The same for all messages of a channel or a conversation.'),
  stream_id: maybe(noted(integer, 'Of a channel message only.')),
  subject: noted(string, 'The topic; empty for direct messages.'),
  topic_links: topicLinks,
  timestamp,
  is_me_message: noted(boolean, 'Whether it starts with `/me`.'),
  last_edit_timestamp: maybe(noted(timestamp, 'Of the last edit of its content, if any.')),
  last_moved_timestamp: maybe(
    noted(timestamp, 'Of its last move to another topic or channel, if any.'),
  ),
  edit_history: maybe(noted(list(editHistoryEntry), 'Newest first, as far as it may be seen.')),
  reactions: list(named('Reaction', { ...emoji, user_id: integer })),
  submessages: noted(
    list(named('Submessage', { ...submessage, id: integer })),
    'Votes and the like, of messages that show a poll or a to-do list.',
  ),
}

export const flagShape = choice(
  'read',
  'historical',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  ...(Object.keys(flagBits) as (keyof typeof flagBits)[]),
)

const flagList = noted(list(flagShape), "The user's own flags of the message.")

/** @source contract, "Message (as returned by GET /messages)" */
export const fetchedMessage = named('Message', {
  ...common,
  flags: flagList,
  match_content: maybe(noted(html, 'After a search, with what was found highlighted.')),
  match_subject: maybe(noted(html, 'After a search, with what was found highlighted.')),
})

export const match = named('Match', { match_content: html, match_subject: html })

/** @source contract, "Message edit snapshot" */
export const snapshot = named('EditSnapshot', {
  topic: topicShape,
  content: markdown,
  rendered_content: html,
  timestamp,
  user_id: noted(nullable(integer), 'Who made the change.'),
  prev_topic: maybe(topicShape),
  stream: maybe(integer),
  prev_stream: maybe(integer),
  prev_content: maybe(markdown),
  prev_rendered_content: maybe(html),
  content_html_diff: maybe(noted(html, 'The difference to what it was before.')),
})

const typist = named('Typist', { user_id: integer, email: string })
const typingOp = choice('start', 'stop')

const unreadMember = { mentioned: maybe(always(true)) }
const unreadDetails = either(
  named('UnreadChannelMessage', {
    type: choice('stream'),
    ...unreadMember,
    stream_id: integer,
    topic: topicShape,
  }),
  named('UnreadDirectMessage', {
    type: choice('private'),
    ...unreadMember,
    user_ids: noted(list(integer), 'The others in the conversation.'),
  }),
)

const unreadIds = { unread_message_ids: list(integer) }

/** @source the API description's `unread_msgs` */
export const unreadMessagesShape = named('UnreadMessages', {
  count: integer,
  pms: list(
    named('UnreadDirectConversation', {
      other_user_id: integer,
      sender_id: noted(integer, 'Deprecated: the same.'),
      ...unreadIds,
    }),
  ),
  streams: list(named('UnreadTopic', { stream_id: integer, topic: topicShape, ...unreadIds })),
  huddles: list(
    named('UnreadGroupConversation', {
      user_ids_string: noted(string, 'The ids of all in it, joined by commas.'),
      ...unreadIds,
    }),
  ),
  mentions: noted(list(integer), 'Those in which the user is mentioned.'),
  old_unreads_missing: noted(boolean, 'Whether there are older ones, too many to list.'),
})

const flagChange = {
  flag: choice(...editableFlags),
  messages: list(integer),
}

/** As it comes in an event, where the flags stand beside it. */
export const messageShape = named('NewMessage', common)

export const messageEventShapes = [
  event('MessageEvent', 'message', {
    message: messageShape,
    flags: flagList,
    local_message_id: maybe(
      noted(string, 'The `local_id` of the sending client, in the queue that it named.'),
    ),
  }),
  event('UpdateMessageEvent', 'update_message', {
    user_id: noted(nullable(integer), 'Who did it; null where the server did.'),
    rendering_only: noted(boolean, 'Whether nothing but the HTML changed.'),
    message_id: integer,
    message_ids: noted(list(integer), 'Every message that was changed or moved.'),
    flags: flagList,
    edit_timestamp: timestamp,
    stream_id: maybe(noted(integer, 'Where the messages were.')),
    stream_name: maybe(string),
    orig_content: maybe(markdown),
    orig_rendered_content: maybe(html),
    content: maybe(markdown),
    rendered_content: maybe(html),
    is_me_message: maybe(boolean),
    propagate_mode: maybe(choice(...propagateModes)),
    orig_subject: maybe(topicShape),
    subject: maybe(topicShape),
    topic_links: maybe(topicLinks),
    new_stream_id: maybe(integer),
  }),
  event('DeleteMessageEvent', 'delete_message', {
    message_ids: maybe(noted(list(integer), 'For clients with `bulk_message_deletion`.')),
    message_id: maybe(noted(integer, 'For other clients: one event for each message.')),
    message_type: choice('stream', 'private'),
    stream_id: maybe(integer),
    topic: maybe(topicShape),
  }),
  event('UpdateMessageFlagsAddEvent', 'update_message_flags', {
    op: choice('add'),
    operation: noted(choice('add'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: noted(boolean, 'Whether it stands for every message, with none named.'),
  }),
  event('UpdateMessageFlagsRemoveEvent', 'update_message_flags', {
    op: choice('remove'),
    operation: noted(choice('remove'), 'Deprecated: an older name of `op`.'),
    ...flagChange,
    all: boolean,
    message_details: maybe(
      noted(record(unreadDetails), 'For `read` only: where each message is, by its id.'),
    ),
  }),
  event('ReactionEvent', 'reaction', {
    op: choice('add', 'remove'),
    message_id: integer,
    user_id: integer,
    ...emoji,
  }),
  event('SubmessageEvent', 'submessage', { ...submessage, submessage_id: integer }),
  event('DirectTypingEvent', 'typing', {
    op: typingOp,
    message_type: choice('direct'),
    sender: typist,
    recipients: list(typist),
  }),
  event('ChannelTypingEvent', 'typing', {
    op: typingOp,
    message_type: choice('stream'),
    sender: typist,
    stream_id: integer,
    topic: topicShape,
  }),
  event('TypingEditMessageEvent', 'typing_edit_message', {
    op: typingOp,
    sender_id: integer,
    message_id: integer,
    recipient: either(
      named('EditedInChannel', {
        type: choice('channel'),
        channel_id: integer,
        topic: topicShape,
      }),
      named('EditedDirectly', { type: choice('direct'), user_ids: list(integer) }),
    ),
  }),
]
