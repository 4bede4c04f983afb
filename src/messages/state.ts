import type { StatePart } from '#events/state.ts'
import type { Caller } from '#http/caller.ts'
import { unread } from '#read-state/queries.ts'
import { directMemberIds } from '#recipients/queries.ts'
import { shownTopic } from '#topics/names.ts'
import { listMentions, listStarred } from './flags/queries.ts'
import { listConversations, newestMessageId } from './queries.ts'

export const starredState: StatePart = {
  types: ['starred_messages'],
  read: ({ store, user }) => ({ starred_messages: listStarred(store, user.id) }),
}

export const newestMessageState: StatePart = {
  types: ['message'],
  read: ({ store }) => ({ max_message_id: newestMessageId(store) }),
}

/** The direct conversations of the last messages, without the caller, newest first. */
export const conversationsState: StatePart = {
  types: ['recent_private_conversations'],
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
  read: (caller, { capabilities }) => ({
    unread_msgs: unreadJson(caller, capabilities.has('empty_topic_name')),
  }),
}

interface Ids {
  unread_message_ids: number[]
}

function unreadJson({ store, user }: Caller, allowEmptyTopicName: boolean) {
  const { messages, olderMissing } = unread(store, user.id)
  const streams = new Map<string, Ids & { stream_id: number; topic: string }>()
  const pms = new Map<number, Ids & { other_user_id: number; sender_id: number }>()
  const huddles = new Map<string, Ids & { user_ids_string: string }>()
  const known = new Map<number, number[]>()
  const peopleOf = (recipientId: number) => {
    const ids = known.get(recipientId) ?? directMemberIds(store, recipientId)
    known.set(recipientId, ids)
    return ids
  }
  const add = <K, V extends Ids>(groups: Map<K, V>, key: K, id: number, create: () => V) => {
    const group = groups.get(key) ?? create()
    group.unread_message_ids.push(id)
    groups.set(key, group)
  }
  for (const { id, channelId, recipientId, topic, topicKey } of messages) {
    const ids = { unread_message_ids: [] }
    if (channelId !== null) {
      add(streams, `${channelId}:${topicKey}`, id, () => ({
        stream_id: channelId,
        topic: shownTopic(store, topic, allowEmptyTopicName),
        ...ids,
      }))
      continue
    }
    const all = peopleOf(recipientId)
    if (all.length > 2) {
      const user_ids_string = all.join(',')
      add(huddles, user_ids_string, id, () => ({ user_ids_string, ...ids }))
    } else {
      const other = all.find((personId) => personId !== user.id) ?? user.id
      add(pms, other, id, () => ({ other_user_id: other, sender_id: other, ...ids }))
    }
  }
  return {
    count: messages.length,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions: listMentions(
      store,
      user.id,
      messages.map(({ id }) => id),
    ),
    old_unreads_missing: olderMissing,
  }
}
