import { limits } from '#features/foundation/realm/limits.ts'
import { directRecipient } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import type {
  ConversationItem,
  Edit,
  FlagsItem,
  MessageItem,
  MessageLocation,
  ThreadItem,
} from '#features/organization/imports/stream.ts'
import { flagBits } from '#platform/store/schema.ts'
import { mendedName } from '#shared/names.ts'
import { personOf } from './people.actions.ts'
import type { EditRecord, MessageRecord, WrittenThread } from './records.ts'
import {
  findThing,
  noteThing,
  spoolMark,
  spoolMessage,
  spoolUnread,
  takeTopic,
} from './spool.queries.ts'
import { type Parts, partsOf, splitContent } from './texts.ts'
import { pastOf, type Work } from './work.actions.ts'

/** The longest text of a message with a kept ID, because it cannot become several messages. */
const longestKept = 100_000

export function spoolConversation(work: Work, { key, members }: ConversationItem): void {
  const { notes, tx } = work
  const ids = new Set(members.map((member) => personOf(work, member)))
  if (ids.size === 0) {
    notes.skipped('conversations', 'bad-value', key)
    return
  }
  const { id } = directRecipient(tx, [...ids])
  if (noteThing(tx, 'conversation', key, { id })) notes.imported('conversations')
  else notes.skipped('conversations', 'duplicate', key)
}

/** Finds a name for a topic that no other thread of its channel has. */
export function spoolThread(work: Work, { channel: channelKey, key, title }: ThreadItem): void {
  const { channels, notes, tx } = work
  const channel = channels.get(channelKey)
  if (!channel) {
    notes.skipped('threads', 'absent', key)
    return
  }
  if (findThing(tx, 'thread', key)) {
    notes.skipped('threads', 'duplicate', key)
    return
  }
  const clean = mendedName(title, limits.topicLength) || 'thread'
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : ` (${n})`
    const topic = mendedName(clean, limits.topicLength - suffix.length) + suffix
    if (!takeTopic(tx, channel.id, topicKey(topic))) continue
    const thread: WrittenThread = { channel: channel.id, recipient: channel.recipientId, topic }
    noteThing(tx, 'thread', key, thread)
    notes.imported('threads')
    return
  }
}

/** The destination of a message; undefined: unknown. */
function placeOf(
  work: Work,
  place: MessageLocation,
): Pick<MessageRecord, 'recipient' | 'channel' | 'topic'> | undefined {
  const { channels, tx } = work
  if ('conversation' in place) {
    const found = findThing<{ id: number }>(tx, 'conversation', place.conversation)
    return found && { recipient: found.id, topic: '' }
  }
  if ('thread' in place) return findThing<WrittenThread>(tx, 'thread', place.thread)
  const channel = channels.get(place.channel)
  if (!channel) return undefined
  const topic = mendedName(place.topic, limits.topicLength)
  if (topic !== place.topic) work.notes.changed('messages', 'cut', 'topic')
  return { recipient: channel.recipientId, channel: channel.id, topic }
}

/** Stores a message until all have come. */
export function spoolMessageItem(work: Work, item: MessageItem): void {
  const { notes } = work
  const { id, key } = item
  work.keepsIds ??= id !== undefined
  if (work.keepsIds !== (id !== undefined)) throw new Error('Some messages have IDs, others not.')
  const time = pastOf(work, item.time)
  if (time === undefined) {
    notes.skipped('messages', 'bad-date', key)
    return
  }
  const place = placeOf(work, item.place)
  if (!place) {
    notes.skipped('messages', 'absent', key)
    return
  }
  const pieces = piecesOf(work, item)
  const record: MessageRecord = {
    ...place,
    key,
    sender: personOf(work, item.sender),
    time,
    parts: pieces[0] ?? [],
    client: item.client,
    link: item.link,
    ...(item.edits && { edits: item.edits.map((edit) => editRecord(work, edit)) }),
    edited: pastOf(work, item.edited),
    ...(item.reactions && {
      reactions: item.reactions.map(({ emoji, person }) => ({
        emoji,
        person: personOf(work, person),
      })),
    }),
    ...(item.starredBy && { starredBy: item.starredBy.map((person) => personOf(work, person)) }),
    ...(item.formerNames && { formerNames: namesOf(work, item.formerNames) }),
    mentionsChannel: item.mentionsChannel,
  }
  const { tx } = work
  const spooled = {
    seq: ++work.last.message,
    key,
    id,
    time: item.time,
    record: JSON.stringify(record),
  }
  if (!spoolMessage(tx, spooled)) {
    notes.skipped('messages', 'duplicate', key)
    return
  }
  if (time < Math.floor(item.time)) notes.changed('messages', 'future-date', key)
  const { channel, client, recipient, sender, topic } = record
  for (const parts of pieces.slice(1)) {
    const rest: MessageRecord = { key: '', sender, recipient, channel, topic, time, parts, client }
    spoolMessage(tx, {
      seq: ++work.last.message,
      key: '',
      id: undefined,
      time: item.time,
      record: JSON.stringify(rest),
    })
  }
}

/** The text of a message, or of the messages that it has to become. */
function piecesOf({ keepsIds, notes }: Work, { content, key }: MessageItem): Parts[] {
  const parts = partsOf(content)
  if (keepsIds) {
    let left = longestKept
    const kept = parts.map((part) => {
      if (typeof part !== 'string') return part
      const text = part.slice(0, Math.max(0, left))
      left -= part.length
      return text.toWellFormed()
    })
    if (left >= 0) return [parts]
    notes.changed('messages', 'cut', key)
    return [kept]
  }
  const pieces = splitContent(parts)
  if (pieces.length > 1) notes.changed('messages', 'split-up', key)
  return pieces
}

function editRecord(work: Work, { by, channel, content, time, topic }: Edit): EditRecord {
  const [from, to] = [work.channels.get(channel?.from ?? ''), work.channels.get(channel?.to ?? '')]
  return {
    time: pastOf(work, time) ?? 0,
    by: by === undefined ? undefined : personOf(work, by),
    ...(content !== undefined && { parts: partsOf(content) }),
    ...(topic && {
      topic: {
        from: mendedName(topic.from, limits.topicLength),
        to: mendedName(topic.to, limits.topicLength),
      },
    }),
    ...(from && to && { channel: { from: from.id, to: to.id } }),
  }
}

function namesOf(work: Work, names: Readonly<Record<string, string>>): Record<string, number> {
  const known = Object.entries(names).flatMap(([name, key]) => {
    const id = work.people.get(key)
    return id === undefined ? [] : [[name, id] as const]
  })
  return Object.fromEntries(known)
}

export function spoolFlags(work: Work, item: FlagsItem): void {
  const { notes, people, tx } = work
  const person = people.get(item.person)
  if (person === undefined) {
    notes.skipped('flags', 'absent', item.person)
    return
  }
  if (item.isUnread) spoolUnread(tx, item.message, person)
  const flags =
    (item.isStarred ? flagBits.starred : 0) |
    (item.isCollapsed ? flagBits.collapsed : 0) |
    (item.isMentioned ? flagBits.mentioned : 0) |
    (item.hasTopicWildcard ? flagBits.topic_wildcard_mentioned : 0) |
    (item.hasAlertWord ? flagBits.has_alert_word : 0)
  if (flags !== 0) spoolMark(tx, item.message, { kind: 'flags', person, flags })
}
