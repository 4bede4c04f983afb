import { basename } from 'node:path/posix'
import { cardText } from '#features/organization/imports/reading/cards.ts'
import {
  contentOf,
  escaped,
  isEmpty,
  lined,
  type Pieces,
  saidAs,
  snippetOf,
} from '#features/organization/imports/reading/content.ts'
import { unavailable } from '#features/organization/imports/reading/downloads.ts'
import { emojiNamed } from '#features/organization/imports/reading/emoji-names.ts'
import { isDamaged } from '#features/organization/imports/reading/schemas.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  FileItem,
  Item,
  MessageLocation,
  Reaction,
} from '#features/organization/imports/stream.ts'
import { type Directory, pathOf } from './directory.ts'
import { markdownOf } from './markup.ts'
import { personItem } from './people.ts'
import { type DirectPostRow, linesOf, type PostRow, type ReplyRow, replyOf } from './rows.ts'

const mainTopic = 'imported from Mattermost'

interface Context {
  readonly reading: Reading
  readonly directory: Directory
  /** People who are not in the team anymore, and already yielded. */
  readonly former: Set<string>
  /** Keys of conversations by the names of their members. */
  readonly conversations: Map<string, string>
}

/** All posts with their replies, and the conversations that they are in. */
export async function* messages(
  reading: Reading,
  directory: Directory,
  path: string,
): AsyncGenerator<Item> {
  const context: Context = { reading, directory, former: new Set(), conversations: new Map() }
  const { notes } = reading
  const kinds = ['post', 'direct_channel', 'direct_post'] as const
  const bad: Parameters<typeof linesOf>[3] = (reason, example, count) =>
    notes.skipped('messages', reason, example, count)
  const elsewhere = (row: PostRow | DirectPostRow, line: number) =>
    notes.skipped('messages', 'other-team', `line ${line}`, 1 + row.replies.length)
  for await (const line of linesOf(reading, path, kinds, bad)) {
    if (line.type === 'direct_channel') {
      const { members, participants } = line.row
      const names = members.length > 0 ? members : participants.map(({ username }) => username)
      yield* conversation(context, names)
    } else if (line.type === 'direct_post') {
      yield* conversation(context, line.row.channel_members)
      const key = context.conversations.get(nameOf(directory, line.row.channel_members))
      if (key === undefined) elsewhere(line.row, line.number)
      else yield* post(context, line.row, `${line.number}`, { conversation: key })
    } else if (line.type === 'post') {
      const { channel, team } = line.row
      if (directory.team && team !== directory.team.name) {
        elsewhere(line.row, line.number)
      } else yield* post(context, line.row, `${line.number}`, { channel, topic: mainTopic })
    }
  }
}

const nameOf = ({ keyOf }: Directory, names: readonly string[]) =>
  [...new Set(names.map((name) => keyOf(name)))].sort().join(' ')

/**
 * A conversation of people of the team, once; it may be of someone with themselves. Others may have
 * left the team.
 */
function* conversation(context: Context, names: readonly string[]): Generator<Item> {
  const { conversations, directory, former } = context
  const name = nameOf(directory, names)
  if (name === '' || conversations.has(name)) return
  const members = name.split(' ')
  if (members.some((each) => directory.isElsewhere(each) && !former.has(each))) return
  if (!directory.isOnlyTeam && !members.some(directory.isMember)) return
  for (const each of members) yield* formerPerson(context, each)
  const key = `conversation ${conversations.size + 1}`
  conversations.set(name, key)
  yield { type: 'conversation', key, members }
}

/** Someone who is not in the team anymore, before the first item that needs them. */
function* formerPerson({ directory, former, reading }: Context, name: string): Generator<Item> {
  const key = directory.keyOf(name)
  const user = directory.users.get(key)
  if (!user || directory.isMember(key) || former.has(key)) return
  former.add(key)
  yield personItem(reading, directory, user)
}

function* post(
  context: Context,
  row: PostRow | DirectPostRow,
  key: string,
  place: MessageLocation,
): Generator<Item> {
  const { directory, reading } = context
  const { notes, options } = reading
  const replies = row.replies.flatMap((each, i) => {
    const reply = replyOf(each)
    if (!reply) notes.skipped('messages', 'bad-value', `reply in line ${key}`)
    return reply ? [{ reply, key: `${key}-${i}` }] : []
  })
  replies.sort((a, b) => a.reply.create_at - b.reply.create_at)
  const pieces = lined([textOf(directory, row)])
  const isThread = replies.length > 0 && 'channel' in place && !options.noThreads
  if (isThread) {
    const day = dayOf(row.create_at)
    const title = `${day} ${snippetOf(pieces, 49) || 'thread'}`
    yield { type: 'thread', key, channel: place.channel, title }
  }
  const after = isThread ? ['\n', { thread: key, text: 'Replies in a thread' }] : []
  if (row.is_pinned) notes.skipped('flags', 'no-place', 'pin')
  const hasRoot = yield* messageItems(context, row, key, place, [], after)
  for (const [i, each] of replies.entries()) {
    const before =
      isThread && hasRoot && i === 0
        ? [{ message: key, text: 'Where this thread began' }, '\n']
        : []
    const at = isThread ? { thread: key } : place
    yield* messageItems(context, each.reply, each.key, at, before, [])
  }
}

const dayOf = (milliseconds: number) =>
  Math.abs(milliseconds) < 8.64e15 ? new Date(milliseconds).toISOString().slice(0, 10) : ''

/** @returns whether there is a message */
function* messageItems(
  context: Context,
  row: ReplyRow,
  key: string,
  place: MessageLocation,
  before: Pieces,
  after: Pieces,
): Generator<Item, boolean> {
  const { directory, reading } = context
  const { notes } = reading
  if (row.type.startsWith('system_')) {
    notes.skipped('messages', 'system-message', row.type)
    return false
  }
  const sender = directory.keyOf(row.user)
  yield* formerPerson(context, sender)
  const files = row.attachments.map(({ path }) => fileItem(reading, path, sender))
  yield* files
  const pieces = lined([
    textOf(directory, row),
    ...files.map(({ key, name }): Pieces => [{ file: key, text: name }]),
  ])
  if (isEmpty(pieces)) {
    notes.skipped('messages', 'empty', `line ${key}`)
    return false
  }
  if (isDamaged(row)) notes.changed('messages', 'bad-value', `line ${key}`)
  // What only their app understands.
  const buttons = (row.props?.attachments ?? []).flatMap(({ actions }) => actions)
  if (buttons.length > 0) notes.changed('messages', 'no-place', 'button')
  const isKnown = (name: string) => directory.users.has(name) || directory.bots.has(name)
  const starredBy = row.flagged_by.map(directory.keyOf).filter(isKnown)
  const reactions = reactionsOf(reading, directory, row)
  for (const name of [...starredBy, ...reactions.map(({ person }) => person)]) {
    yield* formerPerson(context, name)
  }
  yield {
    type: 'message',
    key,
    time: row.create_at / 1000,
    sender,
    place,
    content: contentOf([...before, ...pieces, ...after]),
    reactions,
    ...(starredBy.length > 0 && { starredBy }),
    ...(row.edit_at > 0 && { edited: row.edit_at / 1000 }),
  }
  return true
}

function textOf(directory: Directory, { message, props, type }: ReplyRow): Pieces {
  const markdown = (text: string) => markdownOf(text, directory)
  const isMe = type === 'me'
  const text = isMe ? message.replace(/^\*(.*)\*$/, '$1') : message
  const attachments = (props?.attachments ?? []).map((each): Pieces => {
    const pieces = cardText(each, markdown)
    return isEmpty(pieces) ? [escaped(each.fallback)] : pieces
  })
  const isWebhook = String(props?.from_webhook) === 'true'
  const name = isWebhook ? (props?.override_username ?? '') : ''
  return saidAs(name, [isMe ? '/me ' : '', ...markdown(text)], attachments)
}

function fileItem(reading: Reading, path: string, owner: string): FileItem {
  const found = pathOf(reading, path)
  return {
    type: 'file',
    key: path.slice(-200),
    name: basename(path),
    owner,
    body:
      found === undefined ? () => unavailable('missing-file') : () => reading.archive.read(found),
    ...(found !== undefined && { size: reading.archive.size(found) }),
  }
}

function reactionsOf({ notes }: Reading, directory: Directory, row: ReplyRow): Reaction[] {
  const seen = new Set<string>()
  return row.reactions.flatMap(({ emoji_name, user }) => {
    const person = directory.keyOf(user)
    const mark = `${person} ${emoji_name}`
    if (!directory.users.has(person) && !directory.bots.has(person)) {
      notes.skipped('reactions', 'absent', 'an unknown user')
      return []
    }
    if (seen.has(mark)) return []
    seen.add(mark)
    const isCustom = directory.emoji.has(emoji_name)
    return [{ person, emoji: isCustom ? { custom: emoji_name } : emojiNamed(emoji_name) }]
  })
}
