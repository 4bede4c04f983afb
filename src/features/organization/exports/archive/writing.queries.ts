import { setImmediate } from 'node:timers/promises'
import { channelJson } from '#features/channels/channels/json.ts'
import type { Channel } from '#features/channels/channels/queries.ts'
import { listMessages, type Message } from '#features/messaging/core/queries.ts'
import { findEmojiPicture, listCustomEmoji } from '#features/messaging/emoji/queries.ts'
import { listPinsOf } from '#features/messaging/messages/pins/queries.ts'
import { listReactionsOf, type Reaction } from '#features/messaging/messages/reactions/queries.ts'
import { exportedMessages } from '#features/organization/exports/contents.queries.ts'
import type { HistoryScope } from '#features/organization/exports/history/scopes.ts'
import {
  type Selection,
  selectHistory,
} from '#features/organization/exports/history/selection.queries.ts'
import type { HistorySource } from '#features/organization/exports/history/source.ts'
import { spooled, textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { listUsers, type User } from '#features/people/users/queries.ts'
import { escapeHtml } from '#platform/markdown/escape.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/write.ts'
import { type ArchiveLinks, archivedHtml } from './message-html.ts'
import {
  archivePage,
  archiveStyle,
  linkList,
  messagesHtml,
  pager,
  type ShownMessage,
} from './pages.ts'

/** How many messages a page shows. */
const pageSize = 200

interface Topic {
  readonly topicKey: string
  readonly count: number
  readonly newest: number
}

const topicsIn = preparedSql<Topic>(`
  SELECT topic_key AS topicKey, count(*) AS count, max(id) AS newest FROM messages
  WHERE recipient_id = @recipientId GROUP BY topic_key ORDER BY min(id)`)

const messagesIn = preparedSql<{ id: number }>(`
  SELECT id FROM messages WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id > @after
  ORDER BY id LIMIT @most`)

const earlierIn = preparedSql<{ count: number }>(`
  SELECT count(*) AS count FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id < @id`)

const allConversations = preparedSql<{ recipientId: number; members: string }>(`
  SELECT id AS recipientId, direct_key AS members FROM recipients r
  WHERE direct_key IS NOT NULL AND EXISTS (SELECT 1 FROM messages m WHERE m.recipient_id = r.id)
  ORDER BY id`)

const uploadRows = preparedSql<{ id: number; pathId: string; fileHash: string }>(`
  SELECT id, path_id AS pathId, file_hash AS fileHash FROM attachments ORDER BY id`)

const claims = preparedSql<{ id: number; recipientId: number }>(`
  SELECT m.id, m.recipient_id AS recipientId FROM attachment_claims k
  JOIN messages m ON m.id = k.message_id WHERE k.attachment_id = @id`)

/** A conversation in the archive: a topic of a channel, or a direct one. */
interface Conversation {
  readonly recipientId: number
  readonly topicKey: string
  readonly title: string
  readonly count: number
  /** The path of its first page without the ending. */
  readonly path: string
  readonly trail: readonly (readonly [string, string])[]
}

/**
 * The files of an archive to read in a browser without a server: pages by channel and topic and of
 * direct conversations, the files that messages show, and the same as JSON Lines.
 */
export async function* archiveFiles(
  read: Read,
  { files, folder, report, signal }: HistorySource,
  scope: HistoryScope,
  url: URL,
): AsyncGenerator<TarEntry> {
  const selection = selectHistory(read, scope)
  const { description, name } = requireRealm(read)
  const people = new Map(listUsers(read).map((user) => [user.id, user]))
  const conversations = new Map<string, Conversation>()
  const channels: { channel: Channel; topics: Conversation[]; newest: number }[] = []
  for (const channel of selection.channels) {
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
        path: `channels/${channel.id}/${i + 1}`,
        trail: [
          [name, '../../index.html'],
          [`#${channel.name}`, 'index.html'],
        ] as const,
      }
      topics.push(conversation)
      conversations.set(keyOf(conversation), conversation)
    }
    channels.push({ channel, topics, newest })
    await setImmediate()
  }
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
      path: `direct/${recipientId}`,
      trail: [[name, '../index.html']] as const,
    }
    direct.push(conversation)
    conversations.set(keyOf(conversation), conversation)
  }
  const shown = { read, selection, people, conversations, origin: url.origin }

  yield textEntry('style.css', archiveStyle)
  yield textEntry(
    'index.html',
    archivePage({
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
    ? `\n<h2>Direct messages</h2>\n${linkList(direct.map((each) => listed(each, '')))}`
    : ''
}`,
    }),
  )
  for (const { channel, topics } of channels) {
    yield textEntry(
      `channels/${channel.id}/index.html`,
      archivePage({
        title: `#${channel.name}`,
        trail: [[name, '../../index.html']],
        up: '../../',
        main: `${channel.description === '' ? '' : `<p>${escapeHtml(channel.description)}</p>\n`}${linkList(
          topics.map((each) => listed(each, `channels/${channel.id}/`)),
        )}`,
      }),
    )
  }
  const all = [...conversations.values()]
  for (const [i, conversation] of all.entries()) {
    report('Writing pages', i, all.length)
    yield* conversationPages(shown, conversation)
  }

  yield* pictures(read, people.values())
  for (const { fileHash, id, pathId } of uploadRows(read).all({})) {
    if (
      !claims(read)
        .all({ id })
        .some((message) => selection.hasMessage(message))
    )
      continue
    yield* contents(`files/${pathId}`, fileHash)
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

  async function* pictures(read: Read, users: Iterable<User>): AsyncGenerator<TarEntry> {
    for (const { avatarHash, id } of users) {
      if (avatarHash !== null) yield* contents(`avatars/${id}.png`, avatarHash)
    }
    for (const { fileName } of listCustomEmoji(read)) {
      const picture = findEmojiPicture(read, fileName)
      if (picture) yield* contents(`emoji/${fileName}`, picture.fileHash)
    }
  }

  async function* contents(path: string, hash: string): AsyncGenerator<TarEntry> {
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
}

const dayOf = (time: number) => new Date(time * 1000).toISOString().slice(0, 10)
const keyOf = ({ recipientId, topicKey }: Pick<Conversation, 'recipientId' | 'topicKey'>) =>
  `${recipientId} ${topicKey}`
const line = (value: unknown) => `${JSON.stringify(value)}\n`

interface Shown {
  readonly read: Read
  readonly selection: Selection
  readonly people: ReadonlyMap<number, User>
  readonly conversations: ReadonlyMap<string, Conversation>
  readonly origin: string
}

const pagePath = ({ path }: Conversation, page: number) =>
  `${path}${page === 1 ? '' : `-${page}`}.html`

async function* conversationPages(
  shown: Shown,
  conversation: Conversation,
): AsyncGenerator<TarEntry> {
  const { read, selection } = shown
  const { count, path, recipientId, title, topicKey, trail } = conversation
  const up = path.startsWith('channels/') ? '../../' : '../'
  const links: ArchiveLinks = { up, origin: shown.origin, page: (narrow) => pageOf(shown, narrow) }
  const last = Math.max(1, Math.ceil(count / pageSize))
  const nameOf = (page: number) => pagePath(conversation, page).split('/').at(-1) ?? ''
  let after = 0
  for (let page = 1; page <= last; page++) {
    const ids = messagesIn(read).all({ recipientId, topicKey, after, most: pageSize })
    after = ids.at(-1)?.id ?? after
    const messages = listMessages(
      read,
      ids.map(({ id }) => id),
    ).filter((message) => selection.hasMessage(message))
    const reactions = listReactionsOf(read, messages)
    const pins = listPinsOf(read, messages)
    const main = messagesHtml(
      messages.map((message) => ({
        ...shownMessage(shown, message, reactions.get(message.id), links),
        isPinned: pins.has(message.id),
      })),
    )
    const turn = pager(page, last, nameOf)
    yield textEntry(
      pagePath(conversation, page),
      archivePage({ title, trail, up, main: `${turn}\n${main}\n${turn}` }),
    )
    await setImmediate()
  }
}

function shownMessage(
  { people }: Shown,
  message: Message,
  reactions: readonly Reaction[] = [],
  links: ArchiveLinks,
): Omit<ShownMessage, 'isPinned'> {
  const sender = people.get(message.senderId)
  const votes = new Map<string, Reaction[]>()
  for (const reaction of reactions) {
    const key = `${reaction.reactionType} ${reaction.emojiCode}`
    votes.set(key, [...(votes.get(key) ?? []), reaction])
  }
  return {
    id: message.id,
    sender: sender?.fullName ?? 'Unknown',
    avatar:
      sender && sender.avatarHash !== null ? `${links.up}avatars/${sender.id}.png` : undefined,
    sentAt: message.sentAt,
    isEdited: message.lastEditAt !== null,
    html: archivedHtml(message.renderedContent, links),
    reactions: [...votes.values()].map((some) => ({
      emoji: emojiHtml(some[0]),
      people: some.map(({ userId }) => people.get(userId)?.fullName ?? 'Unknown'),
    })),
  }
}

function emojiHtml(reaction: Reaction | undefined): string {
  if (!reaction) return ''
  const { emojiCode, emojiName, reactionType } = reaction
  if (reactionType !== 'unicode_emoji') return escapeHtml(`:${emojiName}:`)
  return String.fromCodePoint(...emojiCode.split('-').map((point) => Number.parseInt(point, 16)))
}

/** The page that shows the message or the conversation of a link. */
function pageOf(shown: Shown, narrow: string): string | undefined {
  const id = Number(/\/(?:near|with)\/(\d+)/.exec(narrow)?.[1])
  const channelId = Number(/^(?:channel|stream)\/(\d+)/.exec(narrow)?.[1])
  const [message] = Number.isSafeInteger(id) ? listMessages(shown.read, [id]) : []
  if (!message) {
    const channel = shown.selection.channels.find((each) => each.id === channelId)
    return channel && `channels/${channel.id}/index.html`
  }
  const conversation = shown.conversations.get(keyOf(message))
  if (!conversation || !shown.selection.hasMessage(message)) return undefined
  const earlier = earlierIn(shown.read).get({ ...message })?.count ?? 0
  return `${pagePath(conversation, Math.floor(earlier / pageSize) + 1)}#m${id}`
}

function* personLines(people: Iterable<User>): Generator<string> {
  for (const { apiEmail, botType, fullName, id, isActive, role, timezone } of people) {
    yield line({
      id,
      name: fullName,
      email: apiEmail,
      role,
      is_active: isActive,
      is_bot: botType !== null,
      timezone,
    })
  }
}

function* channelLines(read: Read, { channels }: Selection): Generator<string> {
  for (const channel of channels) yield line(channelJson(read, channel))
}

const nextIds = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE id > @after ORDER BY id LIMIT 500',
)

function* messageLines(read: Read, selection: Selection): Generator<string> {
  for (let after = 0; ; ) {
    const ids = nextIds(read).all({ after })
    const last = ids.at(-1)
    if (!last) return
    after = last.id
    const some = listMessages(
      read,
      ids.map(({ id }) => id),
    ).filter((message) => selection.hasMessage(message))
    for (const message of exportedMessages(read, some)) yield line(message)
  }
}
