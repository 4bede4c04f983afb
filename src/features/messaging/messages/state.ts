import { listConversations } from '#features/foundation/core/queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import { newestReceivedId } from '#features/messaging/narrow/window.queries.ts'
import type { StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import * as shape from '#platform/shape.ts'
import { countUnread } from './flags/counting.queries.ts'
import { listStarred } from './flags/queries.ts'
import { unreadMessagesShape } from './shapes.ts'

export const starredState = {
  types: ['starred_messages'],
  members: { starred_messages: shape.list(shape.integer) },
  read: ({ store, user }) => ({ starred_messages: listStarred(store, user) }),
} satisfies StatePart

export const newestMessageState = {
  types: ['message'],
  members: {
    max_message_id: shape.noted(
      shape.integer,
      'Deprecated: the ID of the newest message that the user received.',
    ),
  },
  read: ({ store, user }) => ({ max_message_id: newestReceivedId(store, user) }),
} satisfies StatePart

/** The caller's direct conversations, newest first. */
export const conversationsState = {
  types: ['recent_private_conversations'],
  members: {
    recent_private_conversations: shape.list(
      shape.named('Conversation', {
        max_message_id: shape.integer,
        user_ids: shape.noted(shape.list(shape.integer), 'The IDs of the other participants.'),
      }),
    ),
  },
  read: ({ store, user }) => ({
    recent_private_conversations: listConversations(store, user.id).map(
      ({ maxMessageId, userIds }) => ({
        max_message_id: maxMessageId,
        user_ids: userIds.filter((id) => id !== user.id),
      }),
    ),
  }),
} satisfies StatePart

/** The caller's unread messages. @source Zulip API, "Register an event queue", `unread_msgs` */
export const unreadState = {
  types: ['update_message_flags'],
  members: { unread_msgs: unreadMessagesShape },
  read: (caller, { capabilities }) => ({
    unread_msgs: unreadJson(caller, capabilities.has('empty_topic_name')),
  }),
} satisfies StatePart

function unreadJson({ store, user }: Caller, allowEmptyTopicName: boolean) {
  const { conversations, olderMissing, counts, mentions } = countUnread(store, user.id)
  let count = 0
  const pms: object[] = []
  const streams: object[] = []
  const huddles: object[] = []
  for (const conversation of conversations) {
    const { channelId, recipientId, topic, messageIds } = conversation
    if (counts(conversation)) count += messageIds.length
    const ids = { unread_message_ids: messageIds }
    if (channelId !== null) {
      const shown = shownTopic(store, topic, allowEmptyTopicName)
      streams.push({ stream_id: channelId, topic: shown, ...ids })
      continue
    }
    const people = directMemberIds(store, recipientId)
    if (people.length > 2) {
      huddles.push({ user_ids_string: people.join(','), ...ids })
    } else {
      const other = people.find((id) => id !== user.id) ?? user.id
      pms.push({ other_user_id: other, sender_id: other, ...ids })
    }
  }
  return {
    count,
    pms,
    streams,
    huddles,
    mentions: mentions(conversations),
    old_unreads_missing: olderMissing,
  }
}
