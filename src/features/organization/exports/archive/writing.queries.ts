import { setImmediate } from 'node:timers/promises'
import type { Channel } from '#features/foundation/channels/queries.ts'
import { listMessages } from '#features/foundation/core/queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { listUsers, type User } from '#features/foundation/users/queries.ts'
import { findEmojiPicture, listCustomEmoji } from '#features/messaging/emoji/queries.ts'
import type { HistoryScope } from '#features/organization/exports/history/scopes.ts'
import {
  type Selection,
  selectHistory,
} from '#features/organization/exports/history/selection.queries.ts'
import type { HistorySource } from '#features/organization/exports/history/source.ts'
import { spooled, textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { escapeHtml } from '#platform/markdown/escape.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { type Conversation, conversationPages, keyOf } from './conversations.queries.ts'
import { channelLines, messageLines, personLines } from './lines.queries.ts'
import { archivePage, archiveStyle, linkList } from './pages.ts'
import { searchFiles } from './search.queries.ts'

interface Topic {
  readonly topicKey: string
  readonly count: number
  readonly newest: number
}

const topicsIn = preparedSql<Topic>(`
  SELECT topic_key AS topicKey, count(*) AS count, max(id) AS newest FROM messages
  WHERE recipient_id = @recipientId GROUP BY topic_key ORDER BY min(id)`)

const allConversations = preparedSql<{ recipientId: number; members: string }>(`
  SELECT id AS recipientId, direct_key AS members FROM recipients r
  WHERE direct_key IS NOT NULL AND EXISTS (SELECT 1 FROM messages m WHERE m.recipient_id = r.id)
  ORDER BY id`)

const uploadRows = preparedSql<{ id: number; pathId: string; fileHash: string }>(`
  SELECT id, path_id AS pathId, file_hash AS fileHash FROM attachments ORDER BY id`)

const claims = preparedSql<{ id: number; recipientId: number }>(`
  SELECT m.id, m.recipient_id AS recipientId FROM attachment_claims k
  JOIN messages m ON m.id = k.message_id WHERE k.attachment_id = @id`)

/**
 * The files of an archive to read in a browser without a server: pages by channel and topic and of
 * direct conversations, the files that messages show, and the same as JSON Lines.
 */
export async function* archiveFiles(
  read: Read,
  source: HistorySource,
  scope: HistoryScope,
  url: URL,
): AsyncGenerator<TarEntry> {
  const { folder, report, signal } = source
  const selection = selectHistory(read, scope)
  const { description, name } = requireRealm(read)
  const people = new Map(listUsers(read).map((user) => [user.id, user]))
  const channels: ChannelContents[] = []
  for (const channel of selection.channels) {
    channels.push(channelContents(read, channel, name))
    await setImmediate()
  }
  const direct = directConversations(read, selection, people, name)
  const all = [...channels.flatMap(({ topics }) => topics), ...direct]
  const conversations = new Map(all.map((each) => [keyOf(each), each]))
  const shown = { read, selection, people, conversations, origin: url.origin }

  yield textEntry('style.css', archiveStyle)
  yield textEntry('index.html', frontPage(name, description, channels, direct))
  for (const each of channels) {
    yield textEntry(`channels/${each.channel.id}/index.html`, channelPage(name, each))
  }
  for (const [i, conversation] of all.entries()) {
    report('Writing pages', i, all.length)
    yield* conversationPages(shown, conversation)
  }
  yield* searchFiles(source, shown, name)

  yield* pictures(read, source, people.values())
  for (const { fileHash, id, pathId } of uploadRows(read).all({})) {
    if (
      !claims(read)
        .all({ id })
        .some((message) => selection.hasMessage(message))
    )
      continue
    yield* contents(source, `files/${pathId}`, fileHash)
  }

  yield await spooled(folder, 'people.jsonl', 'people.jsonl', personLines(people.values()), signal)
  yield await spooled(
    folder,
    'channels.jsonl',
    'channels.jsonl',
    channelLines(read, selection),
    signal,
  )
  yield await spooled(
    folder,
    'messages.jsonl',
    'messages.jsonl',
    messageLines(read, selection),
    signal,
  )
}

const byNewest = (a: Conversation, b: Conversation) => b.newest - a.newest
const dayOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10)

interface ChannelContents {
  readonly channel: Channel
  /** The oldest first. */
  readonly topics: readonly Conversation[]
  /** When its newest message was sent, in seconds since the epoch. */
  readonly newest: number
}

function channelContents(read: Read, channel: Channel, name: string): ChannelContents {
  const topics: Conversation[] = []
  let newest = 0
  for (const [i, topic] of topicsIn(read).all({ recipientId: channel.recipientId }).entries()) {
    const [last] = listMessages(read, [topic.newest])
    const title = last?.topic || 'general chat'
    newest = Math.max(newest, last?.sentAt ?? 0)
    const conversation = {
      recipientId: channel.recipientId,
      topicKey: topic.topicKey,
      title,
      count: topic.count,
      newest: topic.newest,
      path: `channels/${channel.id}/${i + 1}`,
      trail: [
        [name, '../../index.html'],
        [`#${channel.name}`, 'index.html'],
      ] as const,
    }
    topics.push(conversation)
  }
  return { channel, topics, newest }
}

function directConversations(
  read: Read,
  selection: Selection,
  people: ReadonlyMap<number, User>,
  name: string,
): readonly Conversation[] {
  const direct: Conversation[] = []
  for (const { members, recipientId } of allConversations(read).all({})) {
    if (!selection.hasConversation(recipientId)) continue
    const names = members.split(',').map((id) => people.get(Number(id))?.fullName ?? id)
    const [topic] = topicsIn(read).all({ recipientId })
    const conversation = {
      recipientId,
      topicKey: '',
      title: names.join(', '),
      count: topic?.count ?? 0,
      newest: topic?.newest ?? 0,
      path: `direct/${recipientId}`,
      trail: [[name, '../index.html']] as const,
    }
    direct.push(conversation)
  }
  return direct
}

function frontPage(
  name: string,
  description: string,
  channels: readonly ChannelContents[],
  direct: readonly Conversation[],
): string {
  return archivePage({
    title: name,
    trail: [],
    up: '',
    main: `${description === '' ? '' : `<p>${escapeHtml(description)}</p>\n`}<h2>Channels</h2>
${linkList(
  channels.map(({ channel, newest, topics }) => ({
    name: `#${channel.name}`,
    path: `channels/${channel.id}/index.html`,
    details: [
      channel.isPrivate && 'private',
      channel.isArchived && 'archived',
      `${topics.length} topics`,
      newest > 0 && `until ${dayOf(newest)}`,
    ]
      .filter(Boolean)
      .join(', '),
  })),
)}${
  direct.length > 0
    ? `\n<h2>Direct messages</h2>\n${linkList(direct.toSorted(byNewest).map((each) => listed(each, '')))}`
    : ''
}`,
  })
}

function channelPage(name: string, { channel, topics }: ChannelContents): string {
  return archivePage({
    title: `#${channel.name}`,
    trail: [[name, '../../index.html']],
    up: '../../',
    main: `${channel.description === '' ? '' : `<p>${escapeHtml(channel.description)}</p>\n`}${linkList(
      topics.toSorted(byNewest).map((each) => listed(each, `channels/${channel.id}/`)),
    )}`,
  })
}

/** The pictures of users and the organization's emoji. */
async function* pictures(
  read: Read,
  source: HistorySource,
  users: Iterable<User>,
): AsyncGenerator<TarEntry> {
  for (const { avatarHash, id } of users) {
    if (avatarHash !== null) yield* contents(source, `avatars/${id}.png`, avatarHash)
  }
  for (const { fileName } of listCustomEmoji(read)) {
    const picture = findEmojiPicture(read, fileName)
    if (picture) yield* contents(source, `emoji/${fileName}`, picture.fileHash)
  }
}

async function* contents(
  { files, signal }: HistorySource,
  path: string,
  hash: string,
): AsyncGenerator<TarEntry> {
  signal.throwIfAborted()
  const size = await files.size(hash)
  if (size !== undefined) yield { path, size, contents: files.stream(hash) }
}

/** @param from the folder of the list, with a slash at the end */
function listed({ count, path, title }: Conversation, from: string) {
  return {
    name: title,
    path: `${path.slice(from.length)}.html`,
    details: `${count} ${count === 1 ? 'message' : 'messages'}`,
  }
}
