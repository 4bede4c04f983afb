import { cardText } from '#features/organization/imports/reading/cards.ts'
import {
  contentOf,
  escaped,
  isEmpty,
  lined,
  marked,
  type Pieces,
  prefixed,
  saidAs,
  snippetOf,
} from '#features/organization/imports/reading/content.ts'
import { emojiNamed } from '#features/organization/imports/reading/emoji-names.ts'
import { isDamaged } from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  FileItem,
  Item,
  MessageLocation,
  Reaction,
  Reference,
} from '#features/organization/imports/stream.ts'
import type { StoredFiles } from './chunks.queries.ts'
import type { Directory } from './directory.ts'
import { markdownOf } from './markup.ts'
import { type AttachmentRow, attachmentsIn, type Row, rowsOf } from './rows.ts'

type MessageRow = Row<'rocketchat_message'>

const mainTopic = 'imported from Rocket.Chat'

interface Context {
  readonly reading: Reading
  readonly directory: Directory
  readonly stored: StoredFiles
  /** The messages that threads began with. */
  readonly roots: ReadonlyMap<string, Root>
  /** The threads that were announced, and those to which someone has replied. */
  readonly announced: Set<string>
  readonly begun: Set<string>
}

/** The first message of a thread. */
interface Root {
  readonly room: string
  /** The name for its topic. */
  readonly title: string
}

/** All messages, after the files that they show. */
export async function* messages(
  reading: Reading,
  directory: Directory,
  stored: StoredFiles,
): AsyncGenerator<Item> {
  yield* uploads(reading, directory, stored)
  const roots = await readRoots(reading, directory)
  const context: Context = {
    reading,
    directory,
    stored,
    roots,
    announced: new Set(),
    begun: new Set(),
  }
  for await (const row of rowsOf(reading, 'rocketchat_message', 'messages')) {
    yield* messageItems(context, row)
  }
}

async function* uploads(
  reading: Reading,
  { keyOf, users }: Directory,
  stored: StoredFiles,
): AsyncGenerator<FileItem> {
  for await (const row of rowsOf(reading, 'rocketchat_uploads', 'files')) {
    const owner = keyOf(row.userId)
    yield {
      type: 'file',
      key: row._id,
      name: row.name || 'file',
      contentType: row.type || undefined,
      ...(users.has(owner) && { owner }),
      created: row.uploadedAt && row.uploadedAt.getTime() / 1000,
      body: () => stored.read('rocketchat_uploads', row._id),
      ...(row.size > 0 && { size: row.size }),
    }
  }
}

/** Topics for threads are named by the day and the first words of their first message. */
async function readRoots(reading: Reading, directory: Directory): Promise<Map<string, Root>> {
  const roots = new Map<string, Root>()
  if (reading.options.noThreads) return roots
  for await (const row of rowsOf(reading, 'rocketchat_message', undefined)) {
    if (row.tcount === 0 || row.t !== '' || !row.ts) continue
    const words = snippetOf(markdownOf(row.msg, directory), 49) || 'thread'
    roots.set(row._id, { room: row.rid, title: `${dayOf(row.ts)} ${words}` })
  }
  return roots
}

const dayOf = (time: Date) => (Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10))

function* messageItems(context: Context, row: MessageRow): Generator<Item> {
  const { directory, reading } = context
  const { notes } = reading
  const { _id: key } = row
  const left = reasonToLeave(directory, row)
  if (left !== undefined) {
    notes.skipped('messages', left, left === 'system-message' ? row.t : key)
    return
  }
  const room = directory.rooms.get(row.rid)
  if (!room || !row.ts) return
  const pieces = textOf(context, row)
  if (isEmpty(pieces)) {
    notes.skipped('messages', 'empty', key)
    return
  }
  if (isDamaged(row)) notes.changed('messages', 'bad-value', key)
  // What only their app understands.
  if (row.blocks.length > 0 || row.attachments.some(({ actions }) => actions.length > 0)) {
    notes.changed('messages', 'no-place', 'button')
  }
  if (row.pinned) notes.skipped('flags', 'no-place', 'pin')
  const before: (string | Reference)[] = []
  const after: (string | Reference)[] = []
  const replied = row.tmid === '' ? undefined : threadOf(context, row.tmid, room)
  const own = context.roots.has(key) ? threadOf(context, key, room) : undefined
  for (const each of [replied, own]) if (each) yield* newThread(context, each)
  if (own) after.push('\n', { thread: own.key, text: 'Replies in a thread' })
  if (replied?.hasRoot && !context.begun.has(replied.key)) {
    context.begun.add(replied.key)
    before.push({ message: row.tmid, text: 'Where this thread began' }, '\n')
  }
  const place = replied ? { thread: replied.key } : placeOf(directory, room)
  const starredBy = [...new Set(row.starred.map(({ _id }) => directory.keyOf(_id)))].filter(
    (each) => directory.users.has(each),
  )
  yield {
    type: 'message',
    key,
    time: row.ts.getTime() / 1000,
    sender: directory.keyOf(row.u?._id ?? ''),
    place,
    content: contentOf([...before, ...pieces, ...after]),
    reactions: reactionsOf(context, row),
    ...(starredBy.length > 0 && { starredBy }),
    ...(row.editedAt && { edited: row.editedAt.getTime() / 1000 }),
    link: `msg=${key}`,
  }
}

function reasonToLeave({ rooms }: Directory, row: MessageRow) {
  if (row._hidden) return 'removed'
  if (row.t === 'e2e') return 'encrypted'
  if (row.t !== '') return 'system-message'
  if (!rooms.has(row.rid)) return 'absent'
  if (!row.ts) return 'bad-date'
  return row.u === undefined || row.u._id === '' ? 'bad-value' : undefined
}

type Room = Row<'rocketchat_room'>

interface Thread {
  readonly key: string
  readonly channel: string
  readonly title: string
  /** Whether its first message is in the same room of the dump. */
  readonly hasRoot: boolean
}

/**
 * The thread of a message in a room; undefined: its messages stay with the others. Nothing is shown
 * of a message in another room, as a dump may claim.
 */
function threadOf({ directory, reading, roots }: Context, root: string, room: Room) {
  const { _id: channel, t } = directory.homeOf(room)
  if (t === 'd' || reading.options.noThreads) return undefined
  const known = roots.get(root)
  const hasRoot = known?.room === room._id
  const thread: Thread = {
    key: `${channel} ${root}`,
    channel,
    title: hasRoot ? known.title : 'Thread',
    hasRoot,
  }
  return thread
}

function* newThread({ announced }: Context, { channel, key, title }: Thread): Generator<Item> {
  if (announced.has(key)) return
  announced.add(key)
  yield { type: 'thread', key, channel, title }
}

/** The destination of a message that is not a reply: a discussion is a topic. */
function placeOf(directory: Directory, room: Room): MessageLocation {
  const home = directory.homeOf(room)
  if (home.t === 'd') return { conversation: home._id }
  if (home !== room) return { thread: room._id }
  return { channel: home._id, topic: mainTopic }
}

function textOf({ directory }: Context, row: MessageRow): Pieces {
  const markdown = (text: string) => markdownOf(text, directory)
  const files = new Map(
    [row.file, ...row.files].flatMap((each) => (each ? [[each._id, each] as const] : [])),
  )
  return saidAs(row.alias, markdown(row.msg), [
    // A picture made smaller has an entry of its own.
    ...[...files]
      .filter(([, { name }]) => !name.startsWith('thumb-'))
      .map(([file, { name }]): Pieces => [{ file, text: name || 'file' }]),
    ...row.attachments.map((each) => attachmentText(each, markdown, new Set(files.keys()))),
  ])
}

/** How many quotes inside each other are shown. */
const mostQuotes = 5

/** @param files those of the message, which are shown beside it */
function attachmentText(
  row: AttachmentRow,
  markdown: (text: string) => Pieces,
  files: ReadonlySet<string>,
  depth = 0,
): Pieces {
  const inner = depth < mostQuotes ? attachmentsIn(row) : []
  const further = inner.map((each) => attachmentText(each, markdown, files, depth + 1))
  if (row.message_link !== '') {
    const author = marked(escaped(row.author_name), '**')
    return prefixed(lined([[author], markdown(row.text), ...further]), '> ')
  }
  const file = /^\/file-upload\/([^/]+)/.exec(row.title_link)?.[1]
  // The picture of a file is at an address without a host.
  const picture = row.image_url.startsWith('/') ? '' : row.image_url
  const isShown = file !== undefined && files.has(file)
  return lined([
    cardText({ ...row, image_url: picture, ...(file !== undefined && { title: '' }) }, markdown),
    file === undefined || isShown ? [] : [fileIn(row.title, file, depth)],
    markdown(row.description),
    ...further,
  ])
}

/** A file that only its attachment names; one that a quote shows was in another room perhaps. */
const fileIn = (title: string, file: string, depth: number) =>
  depth === 0 ? { file, text: title || 'file' } : escaped(title)

function reactionsOf({ directory, reading }: Context, { reactions }: MessageRow): Reaction[] {
  return Object.entries(reactions).flatMap(([written, { usernames }]) => {
    const name = written.replaceAll(':', '')
    const custom = directory.emoji.get(name)
    const emoji = custom ? { custom: custom.name } : emojiNamed(name)
    const people = new Set<string>()
    for (const username of usernames) {
      const person = directory.named(username)
      if (person === undefined) reading.notes.skipped('reactions', 'absent', 'an unknown user')
      else people.add(person)
    }
    return [...people].map((person) => ({ person, emoji }))
  })
}
