import { otherReadings } from '#features/organization/imports/archive/legacy-names.ts'
import {
  contentOf,
  isEmpty,
  lined,
  type Pieces,
  saidAs,
  snippetOf,
} from '#features/organization/imports/reading/content.ts'
import { isDamaged } from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  EmojiRef,
  Item,
  MessageItem,
  MessageLocation,
  Reaction,
} from '#features/organization/imports/stream.ts'
import { type ArchivedFiles, dayFile } from './archived.ts'
import { attachmentText, isPreview, linksIn, sharedFiles } from './attachments.ts'
import { blocksText } from './blocks.ts'
import type { Spot } from './channels.ts'
import { type Shown, shownFile } from './files.ts'
import { mention, plainText } from './mrkdwn.ts'
import { type People, slackbot } from './people.ts'
import { type MessageRow, message, rowsOf, timeOf } from './rows.ts'

/** The topic of messages outside threads. */
const mainTopic = 'imported from Slack'

/** A call, whose message says nothing, but has replies. */
const huddle = 'huddle_thread'

/** The kinds of messages from people and apps; all others are written by Slack itself. */
const written = new Set([
  '',
  'me_message',
  'bot_message',
  'thread_broadcast',
  'reply_broadcast',
  'file_share',
  'file_comment',
  'file_mention',
  'slackbot_response',
  'document_mention',
  huddle,
])

/** How many messages of a day are sorted at a time. */
const mostSorted = 20_000

/** The data that is needed to read messages. */
export interface Messages {
  readonly reading: Reading
  readonly people: People
  readonly archived: ArchivedFiles
  readonly spots: ReadonlyMap<string, Spot>
  /** The emoji with a name in this workspace. */
  emojiOf(name: string): EmojiRef
  /** The address of Slack's Web API. */
  readonly origin: string
}

/** All messages, day by day, with people whom only they show, files and threads. */
export async function* messages(context: Messages): AsyncGenerator<Item> {
  const { archive, notes } = context.reading
  const unknown = new Set<string>()
  let folder = ''
  let threads = new Map<string, Thread>()
  for (const path of archive.paths) {
    const name = dayFile.exec(path)?.[1]
    if (name === undefined) continue
    const spot = spotOf(context, name)
    if (!spot) {
      if (!unknown.has(name)) notes.skipped('channels', 'absent', name)
      unknown.add(name)
      let lost = 0
      for await (const _ of rowsOf(context.reading, path, 'messages', message)) lost++
      notes.skipped('messages', 'absent', name, lost)
      continue
    }
    if (name !== folder) threads = new Map()
    folder = name
    let rows: MessageRow[] = []
    for await (const row of rowsOf(context.reading, path, 'messages', message)) {
      if (rows.push(row) < mostSorted) continue
      yield* sorted(context, spot, threads, rows)
      rows = []
    }
    yield* sorted(context, spot, threads, rows)
  }
}

/** The destination of the messages of a folder, whose name may have been in an older encoding. */
function spotOf({ spots }: Messages, folder: string): Spot | undefined {
  const spot = spots.get(folder)
  if (spot) return spot
  const found = otherReadings(folder).find((name) => spots.has(name))
  const other = found === undefined ? undefined : spots.get(found)
  return other && { ...other, folder }
}

/** The state of a thread while its channel is read. */
interface Thread {
  readonly hasRoot: boolean
  readonly title: string
  hasReply: boolean
  isYielded: boolean
}

function* sorted(
  context: Messages,
  spot: Spot,
  threads: Map<string, Thread>,
  rows: readonly MessageRow[],
): Generator<Item> {
  const { notes } = context.reading
  const timed = rows.flatMap((row) => {
    const time = timeOf(row.ts)
    if (time === undefined) notes.skipped('messages', 'bad-date', `message in ${spot.id}`)
    return time === undefined ? [] : [{ row, time }]
  })
  for (const { row, time } of timed.sort((a, b) => a.time - b.time)) {
    if (row.subtype === 'tombstone') notes.skipped('messages', 'removed', row.subtype)
    else if (row.hidden || !written.has(row.subtype)) {
      notes.skipped('messages', 'system-message', row.subtype)
    } else yield* messageItems(context, spot, threads, row, time)
  }
}

function* messageItems(
  context: Messages,
  spot: Spot,
  threads: Map<string, Thread>,
  row: MessageRow,
  time: number,
): Generator<Item> {
  const { people, reading } = context
  const key = `${spot.id}-${row.ts}`
  const sender = senderOf(people, row)
  if (!people.has(sender.id)) yield people.add(sender.id, sender.name, sender.isBot)
  const shown = filesOf(context, spot, row, key)
  for (const { item } of shown) if (item) yield item
  const pieces = textOf(context, row, shown, aliasOf(people, row, sender.id))
  if (isEmpty(pieces)) {
    reading.notes.skipped('messages', 'empty', row.subtype)
    return
  }
  if (isDamaged(row)) reading.notes.changed('messages', 'bad-value', key)
  if (row.pinned_to.length > 0) reading.notes.skipped('flags', 'no-place', 'pin')
  const item = {
    type: 'message',
    key,
    time,
    sender: people.keyOf(sender.id),
    reactions: reactionsOf(context, row),
    ...(row.edited && { edited: timeOf(row.edited.ts) }),
    link: `archives/${spot.id}/p${row.ts.replace('.', '')}`,
  } as const
  if (spot.isDirect) {
    yield { ...item, place: { conversation: spot.id }, content: contentOf(pieces) }
    return
  }
  const main: MessageLocation = { channel: spot.id, topic: mainTopic }
  const started = row.thread_ts
  if (reading.options.noThreads || started === undefined || timeOf(started) === undefined) {
    yield { ...item, place: main, content: contentOf(pieces) }
    return
  }
  yield* inThread(item, { spot, started, row, pieces, main, threads })
}

interface ThreadMessage {
  readonly spot: Spot
  /** The time of the first message of its thread. */
  readonly started: string
  readonly row: MessageRow
  readonly pieces: Pieces
  readonly main: MessageLocation
  readonly threads: Map<string, Thread>
}

/** A message with replies stays in the main topic, with a link to the topic that has these. */
function* inThread(
  item: Omit<MessageItem, 'place' | 'content'>,
  { main, pieces, row, spot, started, threads }: ThreadMessage,
): Generator<Item> {
  const key = `${spot.id}-${started}`
  const isRoot = row.ts === started
  const known = threads.get(started)
  const thread = known ?? {
    hasRoot: isRoot,
    title: isRoot ? snippetOf(pieces, 49) : '',
    hasReply: false,
    isYielded: false,
  }
  threads.set(started, thread)
  // Some tools leave out what shows that there are replies, so that only these show it.
  const hasReplies = row.reply_count > 0 || row.replies.length > 0
  if (!thread.isYielded && (hasReplies || !isRoot)) {
    thread.isYielded = true
    const day = new Date(Number(started) * 1000).toISOString().slice(0, 10)
    const title = `${day} ${thread.title || 'thread'}`
    yield { type: 'thread', key, channel: spot.id, title }
  }
  if (isRoot) {
    const toThread = hasReplies ? ['\n', { thread: key, text: 'Replies in a thread' }] : []
    yield { ...item, place: main, content: contentOf([...pieces, ...toThread]) }
    return
  }
  const isFirst = thread.hasRoot && !thread.hasReply
  thread.hasReply = true
  const toRoot = [{ message: key, text: 'Where this thread began' }, '\n']
  yield {
    ...item,
    place: { thread: key },
    content: contentOf(isFirst ? [...toRoot, ...pieces] : pieces),
  }
  if (row.subtype !== 'thread_broadcast' && row.subtype !== 'reply_broadcast') return
  const { link: _, reactions: __, ...copy } = item
  yield {
    ...copy,
    key: `${item.key}-broadcast`,
    place: main,
    content: contentOf([...pieces, '\n', { message: item.key, text: 'Replied in a thread' }]),
  }
}

interface Sender {
  readonly id: string
  readonly name: string
  readonly isBot: boolean
}

function senderOf(people: People, row: MessageRow): Sender {
  const { bot_id, bot_profile, comment, room, subtype, user, user_profile, username } = row
  const own = { file_comment: comment?.user, [huddle]: room?.created_by }[subtype]
  const id = own ?? user
  const bot = id ?? (bot_id === undefined ? undefined : people.userOfBot(bot_id))
  if (bot !== undefined) {
    const name = user_profile?.display_name || user_profile?.real_name || user_profile?.name
    if (bot === slackbot) return { id: bot, name: 'Slackbot', isBot: true }
    return { id: bot, name: name || bot_profile?.name || username || `Slack ${bot}`, isBot: false }
  }
  const name = bot_profile?.name || username
  if (bot_id !== undefined) return { id: bot_id, name: name || `Slack ${bot_id}`, isBot: true }
  if (username !== '') return { id: `bot ${username}`.slice(0, 150), name: username, isBot: true }
  if (subtype === 'bot_message' || subtype === 'slackbot_response') {
    return { id: slackbot, name: 'Slackbot', isBot: true }
  }
  return { id: 'unknown', name: 'Unknown person', isBot: false }
}

/** The name that an app has in one message, such as that of someone elsewhere; none if it is its own. */
function aliasOf(people: People, row: MessageRow, sender: string): string {
  if (row.bot_id === undefined && row.subtype !== 'bot_message') return ''
  const alias = plainText(row.username, people)
  const isOwn = people.nameOf(sender)?.toLowerCase() === alias.toLowerCase()
  return isOwn ? '' : alias
}

function filesOf(context: Messages, spot: Spot, row: MessageRow, key: string): Shown[] {
  const files = row.files.length === 0 && row.file ? [row.file] : row.files
  if (row.subtype === 'file_comment') return []
  return files.flatMap((file, i) => {
    if (file) return [shownFile(context, spot, file, `${key}-${i}`)]
    context.reading.notes.skipped('files', 'bad-value', key)
    return []
  })
}

/** The text of a message, or of the comment that it is about. */
const textIn = ({ comment, subtype, text }: MessageRow) =>
  subtype === 'file_comment' ? (comment ?? { comment: '' }).comment : text

function textOf(
  { people, reading: { notes } }: Messages,
  row: MessageRow,
  shown: readonly Shown[],
  alias: string,
): Pieces {
  const workspace = { people, notes }
  const isComment = row.subtype === 'file_comment'
  const called = row.subtype === huddle ? huddleText(row, people) : []
  const links = linksIn(row)
  const text = lined([called, blocksText(row.blocks, textIn(row) ?? '', workspace)])
  const pieces = saidAs(alias, text, [
    ...row.attachments
      .filter((each) => !isPreview(each, links))
      .map((each) => attachmentText(each, workspace)),
    ...shown.map(({ text }) => [text]),
    ...(isComment && row.file ? sharedFiles([row.file]) : []),
  ])
  return row.subtype === 'me_message' ? ['/me ', ...pieces] : pieces
}

function huddleText({ room }: MessageRow, people: People): Pieces {
  const present = (room?.participant_history ?? []).map((id) => mention(id, '', people))
  const named = present.flatMap((each, i) => [i === 0 ? ' with ' : ', ', { ...each, silent: true }])
  return ['Huddle', ...named]
}

/** Reactions in several tones of skin are one. */
function reactionsOf({ emojiOf, people }: Messages, row: MessageRow): Reaction[] {
  const seen = new Set<string>()
  return row.reactions.flatMap(({ name, users }) => {
    const bare = name.replace(/::[\s\S]*$/, '')
    const emoji = emojiOf(bare)
    const persons = [...new Set(users.map((id) => people.keyOf(id)))]
    return persons.flatMap((person) => {
      const mark = `${person} ${JSON.stringify(emoji)}`
      if (seen.has(mark)) return []
      seen.add(mark)
      return [{ person, emoji }]
    })
  })
}
