import * as v from 'valibot'
import { flagsMask, noTopic, recipientTypes } from '#features/organization/exports/zulip/format.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  ConversationItem,
  Edit,
  FlagsItem,
  MessageItem,
  MessageLocation,
  SpanItem,
} from '#features/organization/imports/stream.ts'
import { conversationKey, type Directory } from './directory.ts'
import { withOwnLinks } from './own-links.ts'
import { edit, flags, message } from './rows.ts'
import { pairOf, SeenSpans } from './spans.ts'
import { tableRows } from './tables.ts'

const kept =
  flagsMask.starred |
  flagsMask.collapsed |
  flagsMask.mentioned |
  flagsMask.topicWildcard |
  flagsMask.groupMentioned |
  flagsMask.alertWord

/** The files of messages, in the order of their numbers. */
const messageFiles = (paths: readonly string[]) =>
  paths.filter((path) => /^messages-\d+\.json$/.test(path)).sort(byNumber)

const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b)
const numberOf = (path: string) => Number(/\d+/.exec(path)?.[0] ?? 0)

/** Messages, their flags, and conversations when they first occur. */
export async function* messages(
  reading: Reading,
  directory: Directory,
  groups: ReadonlyMap<number, readonly number[]>,
  {
    audited,
    active,
  }: { readonly audited: ReadonlySet<string>; readonly active: ReadonlySet<string> },
): AsyncGenerator<MessageItem | FlagsItem | ConversationItem | SpanItem> {
  const { archive, notes } = reading
  const seen = new SeenSpans()
  /** The channel with protected history of each message in one file. */
  const protectedIn = new Map<number, number>()
  const known = new Set<string>()
  for (const file of messageFiles(archive.paths)) {
    const rows = tableRows(reading, file, {
      zerver_message: ['messages', message],
      zerver_usermessage: ['flags', flags],
    })
    protectedIn.clear()
    for await (const { table, row } of rows) {
      if (table === 'zerver_usermessage') {
        const channel = protectedIn.get(row.message)
        const pair = channel === undefined ? '' : pairOf(row.user_profile, channel)
        const isHistorical = (row.flags_mask & flagsMask.historical) !== 0
        if (channel !== undefined && !isHistorical && !audited.has(pair))
          seen.add(pair, row.message)
        const item = flagsItem(row)
        if (item) yield item
        continue
      }
      const people = membersOf(row, directory, groups)
      const place = people ? { conversation: conversationKey(people) } : placeOf(row, directory)
      if (!place) {
        notes.skipped('messages', 'absent', `zerver_message ${row.id}`)
        continue
      }
      if (people && 'conversation' in place && !known.has(place.conversation)) {
        known.add(place.conversation)
        yield { type: 'conversation', key: place.conversation, members: people.map(String) }
      }
      if ('channel' in place && isProtected(directory, Number(place.channel))) {
        protectedIn.set(row.id, Number(place.channel))
      }
      yield messageItem(reading, row, place, directory)
    }
  }
  yield* seen.items((pair) => active.has(pair))
}

function isProtected({ channels }: Directory, id: number): boolean {
  const channel = channels.get(id)
  return channel !== undefined && !(channel.history_public_to_subscribers ?? !channel.invite_only)
}

type MessageRow = v.InferOutput<typeof message>

/** The people of a direct message; undefined: it is none. */
function membersOf(
  row: MessageRow,
  { recipients }: Directory,
  groups: ReadonlyMap<number, readonly number[]>,
): readonly number[] | undefined {
  const to = recipients.get(row.recipient)
  if (to?.type === recipientTypes.person) return [row.sender, to.type_id]
  if (to?.type === recipientTypes.group) return groups.get(row.recipient) ?? [row.sender]
  return undefined
}

function placeOf(
  row: MessageRow,
  { channels, recipients }: Directory,
): MessageLocation | undefined {
  const to = recipients.get(row.recipient)
  if (to?.type !== recipientTypes.channel || !channels.has(to.type_id)) return undefined
  return { channel: String(to.type_id), topic: row.subject === noTopic ? '' : row.subject }
}

function messageItem(
  reading: Reading,
  row: MessageRow,
  place: MessageLocation,
  directory: Directory,
): MessageItem {
  const { clients, sortsByDate } = directory
  const formerNames = formerNamesIn(row, directory)
  const changes = row.edit_history ? edits(reading, directory, row) : undefined
  return {
    type: 'message',
    key: String(row.id),
    ...(!sortsByDate && { id: row.id }),
    time: row.date_sent,
    sender: String(row.sender),
    place,
    content: withOwnLinks(row.content, directory),
    client: clients.get(row.sending_client ?? 0),
    ...(changes && { edits: changes }),
    edited: editedAt(row, changes ?? []),
    ...(formerNames && { formerNames }),
  }
}

const history = v.array(edit)

/** The changes of a message, oldest first. */
function edits(
  { notes }: Reading,
  { dummies, systemUsers, users }: Directory,
  { edit_history: text, id }: MessageRow,
): Edit[] {
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    value = undefined
  }
  const found = v.safeParse(history, value)
  if (!found.success) {
    notes.skipped('edits', 'bad-value', `zerver_message ${id}`)
    return []
  }
  const isSomeone = (person: number) => [users, dummies, systemUsers].some((all) => all.has(person))
  return found.output.reverse().map((each) => ({
    time: each.timestamp,
    // An account that the old server no longer has would come in as a person without a name.
    by: each.user_id && isSomeone(each.user_id) ? String(each.user_id) : undefined,
    ...(each.prev_content !== undefined && { content: each.prev_content }),
    ...(each.prev_topic !== undefined && {
      topic: { from: each.prev_topic, to: each.topic ?? '' },
    }),
    ...(each.prev_stream !== undefined &&
      each.stream !== undefined && {
        channel: { from: String(each.prev_stream), to: String(each.stream) },
      }),
  }))
}

/** When the text was last changed, also if the earlier text is not known; undefined: never. */
function editedAt({ last_edit_time: time }: MessageRow, changes: readonly Edit[]) {
  if (!time) return undefined
  // Releases before 10 note the time of moves here as well.
  const isMove = changes.some(
    (each) => each.content === undefined && Math.abs(each.time - time) <= 1,
  )
  return isMove ? undefined : time
}

/** The only use of old HTML: people in mentions whose names have changed since. */
function formerNamesIn(
  { content, rendered_content: html }: MessageRow,
  { users }: Directory,
): Record<string, string> | undefined {
  if (!html || !/@_?\*\*/.test(content)) return undefined
  const found: Record<string, string> = {}
  for (const [, attributes = '', text = ''] of html.matchAll(span)) {
    if (!attributes.includes('class="user-mention')) continue
    const [, id = ''] = /data-user-id="(\d+)"/.exec(attributes) ?? []
    const name = text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
    const now = users.get(Number(id))?.full_name
    if (now !== undefined && now !== name) found[name] = id
  }
  return Object.keys(found).length > 0 ? found : undefined
}

const span = /<span ([^<>]*)>@?([^<]{1,200})</g

/** Most messages are just read for most people, which needs no item. */
function flagsItem(row: v.InferOutput<typeof flags>): FlagsItem | undefined {
  const mask = row.flags_mask
  const isUnread = (mask & flagsMask.read) === 0
  if (!isUnread && (mask & kept) === 0) return undefined
  return {
    type: 'flags',
    message: String(row.message),
    person: String(row.user_profile),
    isUnread,
    isStarred: (mask & flagsMask.starred) !== 0,
    isCollapsed: (mask & flagsMask.collapsed) !== 0,
    isMentioned: (mask & (flagsMask.mentioned | flagsMask.groupMentioned)) !== 0,
    hasTopicWildcard: (mask & flagsMask.topicWildcard) !== 0,
    hasAlertWord: (mask & flagsMask.alertWord) !== 0,
  }
}
