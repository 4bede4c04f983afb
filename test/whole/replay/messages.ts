import type { Json, MentionKind, Reduce, State, Unread, UnreadMessages } from './state.ts'
import { withAll, without } from './state.ts'

/** Where an unread message is, as `message_details` and a message itself say it. */
type Place =
  | { readonly stream_id: number; readonly topic: string }
  | { readonly others: readonly number[] }

function mentionKind(flags: readonly string[]): MentionKind | undefined {
  if (flags.includes('mentioned')) return 'personal'
  const wide = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned']
  return wide.some((flag) => flags.includes(flag)) ? 'wildcard' : undefined
}

function kindsOf({ unread_msgs }: State): Record<number, MentionKind> {
  unread_msgs.kinds ??= Object.fromEntries(unread_msgs.mentions.map((id) => [id, 'personal']))
  return unread_msgs.kinds
}

function setKind(state: State, id: number, kind: MentionKind | undefined): void {
  const kinds = kindsOf(state)
  if (kind) kinds[id] = kind
  else delete kinds[id]
}

/** What counts: not what is muted, but for personal mentions among the mentions. */
export function deriveCounts(state: State): void {
  const unread = state.unread_msgs
  const isMuted = ({ stream_id, topic }: UnreadMessages['streams'][number]) => {
    const policy = (state.user_topics as Json[]).find(
      (one) =>
        one.stream_id === stream_id && String(one.topic_name).toLowerCase() === topic.toLowerCase(),
    )?.visibility_policy
    const channel = state.subscriptions.find((one) => one.stream_id === stream_id)
    return policy === undefined ? channel?.is_muted === true : policy === 1
  }
  const quiet = unread.streams.filter(isMuted).flatMap((one) => one.unread_message_ids)
  const all = buckets(unread).flatMap((one) => one.unread_message_ids)
  unread.count = all.length - quiet.length
  unread.mentions = Object.entries(kindsOf(state))
    .map(([id, kind]) => ({ id: Number(id), kind }))
    .filter(({ id, kind }) => kind === 'personal' || !quiet.includes(id))
    .map(({ id }) => id)
}

function buckets({ pms, streams, huddles }: UnreadMessages): Unread[] {
  return [...pms, ...streams, ...huddles]
}

function isUnread(state: State, id: number): boolean {
  return buckets(state.unread_msgs).some((bucket) => bucket.unread_message_ids.includes(id))
}

function removeUnread(state: State, ids: readonly number[]): void {
  const unread = state.unread_msgs
  for (const bucket of buckets(unread)) {
    bucket.unread_message_ids = without(bucket.unread_message_ids, ids)
  }
  const isLeft = ({ unread_message_ids }: Unread) => unread_message_ids.length > 0
  unread.pms = unread.pms.filter(isLeft)
  unread.streams = unread.streams.filter(isLeft)
  unread.huddles = unread.huddles.filter(isLeft)
  for (const id of ids) setKind(state, id, undefined)
}

function addUnread(state: State, id: number, place: Place, kind: MentionKind | undefined): void {
  const bucket = bucketOf(state, place)
  bucket.unread_message_ids = withAll(bucket.unread_message_ids, [id])
  if (kind) setKind(state, id, kind)
}

function bucketOf({ unread_msgs: unread, user_id }: State, place: Place): Unread {
  const empty = { unread_message_ids: [] }
  if ('stream_id' in place) {
    const { stream_id, topic } = place
    const isSame = (name: string) => name.toLowerCase() === topic.toLowerCase()
    const known = unread.streams.find((one) => one.stream_id === stream_id && isSame(one.topic))
    if (known) return known
    const made = { stream_id, topic, ...empty }
    unread.streams.push(made)
    return made
  }
  const others = without(place.others, [user_id])
  if (others.length > 1) {
    const user_ids_string = withAll(others, [user_id]).join(',')
    const known = unread.huddles.find((one) => one.user_ids_string === user_ids_string)
    if (known) return known
    const made = { user_ids_string, ...empty }
    unread.huddles.push(made)
    return made
  }
  const other = others[0] ?? user_id
  const known = unread.pms.find((one) => one.other_user_id === other)
  if (known) return known
  const made = { other_user_id: other, sender_id: other, ...empty }
  unread.pms.push(made)
  return made
}

interface Message extends Json {
  id: number
  type: 'stream' | 'private'
  subject: string
  stream_id?: number
  display_recipient: string | { id: number }[]
}

function placeOf({ stream_id, subject, display_recipient }: Message): Place {
  if (stream_id !== undefined) return { stream_id, topic: subject }
  return { others: (display_recipient as { id: number }[]).map(({ id }) => id) }
}

interface Conversation {
  readonly max_message_id: number
  readonly user_ids: number[]
}

function keepConversation(state: State, id: number, others: readonly number[]): void {
  const user_ids = without(others, [state.user_id]).sort((a, b) => a - b)
  const all = state.recent_private_conversations as Conversation[] | undefined
  const rest = all?.filter((one) => one.user_ids.join() !== user_ids.join())
  if (rest) state.recent_private_conversations = [...rest, { max_message_id: id, user_ids }]
}

/** Reducers of what happens to messages: the registered state has the unread and starred ones. */
export const messageReducers: Record<string, Reduce> = {
  message(state, event) {
    const message = event.message as Message
    const flags = event.flags as string[]
    const place = placeOf(message)
    const newest = state.max_message_id as number | undefined
    if (newest !== undefined) state.max_message_id = Math.max(newest, message.id)
    if (!flags.includes('read')) addUnread(state, message.id, place, mentionKind(flags))
    if ('others' in place) keepConversation(state, message.id, place.others)
  },
  'update_message_flags/add'(state, event) {
    const ids = event.messages as number[]
    if (event.flag === 'read') {
      const all = buckets(state.unread_msgs).flatMap((bucket) => bucket.unread_message_ids)
      removeUnread(state, event.all ? all : ids)
    }
    if (event.flag === 'starred') state.starred_messages = withAll(state.starred_messages, ids)
  },
  'update_message_flags/remove'(state, event) {
    const ids = event.messages as number[]
    if (event.flag === 'starred') state.starred_messages = without(state.starred_messages, ids)
    if (event.flag !== 'read') return
    for (const [id, details] of Object.entries(event.message_details as Record<string, Json>)) {
      const place: Place =
        details.type === 'stream'
          ? { stream_id: details.stream_id as number, topic: details.topic as string }
          : { others: details.user_ids as number[] }
      addUnread(state, Number(id), place, details.mentioned === true ? 'personal' : undefined)
    }
  },
  update_message(state, event) {
    const { message_id, flags, orig_content } = event
    if (orig_content !== undefined && isUnread(state, message_id as number)) {
      setKind(state, message_id as number, mentionKind(flags as string[]))
    }
    const { subject, orig_subject, stream_id, new_stream_id } = event
    if (subject === undefined && new_stream_id === undefined) return
    if (new_stream_id !== undefined) state.max_message_id = undefined
    const place = {
      stream_id: (new_stream_id ?? stream_id) as number,
      topic: (subject ?? orig_subject) as string,
    }
    for (const id of event.message_ids as number[]) {
      if (!isUnread(state, id)) continue
      const kind = kindsOf(state)[id]
      removeUnread(state, [id])
      addUnread(state, id, place, kind)
    }
  },
  delete_message(state, event) {
    const ids = (event.message_ids as number[] | undefined) ?? [event.message_id as number]
    removeUnread(state, ids)
    state.starred_messages = without(state.starred_messages, ids)
    // Which messages are the newest now, nobody is told.
    state.max_message_id = undefined
    if (event.message_type === 'private') state.recent_private_conversations = undefined
  },
  // Clients fetch the pins of a conversation when they show it.
  'pinned_message/add': () => {},
  'pinned_message/remove': () => {},
  'reaction/add': () => {},
  'reaction/remove': () => {},
  submessage: () => {},
  'typing/start': () => {},
  'typing/stop': () => {},
  'typing_edit_message/start': () => {},
  'typing_edit_message/stop': () => {},
}
