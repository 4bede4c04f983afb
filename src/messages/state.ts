import type { StatePart } from '#events/state.ts'
import type { Caller } from '#http/caller.ts'
import { newestReceivedId } from '#narrow/window.ts'
import { unread } from '#read-state/queries.ts'
import { directMemberIds } from '#recipients/queries.ts'
import { integer, list, named, noted } from '#shape.ts'
import { shownTopic } from '#topics/names.ts'
import { listMentions, listStarred } from './flags/queries.ts'
import { listConversations } from './queries.ts'
import { unreadMessagesShape } from './shapes.ts'

export const starredState: StatePart = {
  types: ['starred_messages'],
  shape: { starred_messages: list(integer) },
  read: ({ store, user }) => ({ starred_messages: listStarred(store, user.id) }),
}

export const newestMessageState: StatePart = {
  types: ['message'],
  shape: {
    max_message_id: noted(integer, 'Deprecated: the newest message that the user received.'),
  },
  read: ({ store, user }) => ({ max_message_id: newestReceivedId(store, user) }),
}

/** The direct conversations of the last messages, without the caller, newest first. */
export const conversationsState: StatePart = {
  types: ['recent_private_conversations'],
  shape: {
    recent_private_conversations: list(
      named('Conversation', {
        max_message_id: integer,
        user_ids: noted(list(integer), 'The others in it.'),
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
}

/** What the caller has not read. @source the API description's `unread_msgs`; clients.md §1.1 */
export const unreadState: StatePart = {
  types: ['update_message_flags'],
  shape: { unread_msgs: unreadMessagesShape },
  read: (caller, { capabilities }) => ({
    unread_msgs: unreadJson(caller, capabilities.has('empty_topic_name')),
  }),
}

function unreadJson({ store, user }: Caller, allowEmptyTopicName: boolean) {
  const { conversations, count, olderMissing } = unread(store, user.id)
  const pms: object[] = []
  const streams: object[] = []
  const huddles: object[] = []
  for (const { channelId, recipientId, topic, messageIds } of conversations) {
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
  const all = conversations.flatMap(({ messageIds }) => messageIds)
  return {
    count,
    pms,
    streams,
    huddles,
    mentions: listMentions(store, user.id, all),
    old_unreads_missing: olderMissing,
  }
}
