import { setImmediate } from 'node:timers/promises'
import { listMessages, type Message } from '#features/foundation/core/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { listPinsOf } from '#features/messaging/messages/pins/queries.ts'
import { listReactionsOf, type Reaction } from '#features/messaging/messages/reactions/queries.ts'
import {
  listSubmessagesOf,
  type Submessage,
} from '#features/messaging/messages/submessages/queries.ts'
import type { Selection } from '#features/organization/exports/history/selection.queries.ts'
import { textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { escapeHtml } from '#platform/markdown/escape.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { widgetOf } from '#shared/widget-state.ts'
import { type ArchiveLinks, archivedHtml, widgetHtml } from './message-html.ts'
import { archivePage, messagesHtml, pager, type ShownMessage } from './pages.ts'

/** How many messages a page shows. */
export const pageSize = 200

/** A conversation in the archive: a topic of a channel, or a direct one. */
export interface Conversation {
  readonly recipientId: number
  readonly topicKey: string
  readonly title: string
  readonly count: number
  /** The ID of its newest message. */
  readonly newest: number
  /** The path of its first page without the ending. */
  readonly path: string
  readonly trail: readonly (readonly [string, string])[]
}

const messagesIn = preparedSql<{ id: number }>(`
  SELECT id FROM messages WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id > @after
  ORDER BY id LIMIT @most`)

const earlierIn = preparedSql<{ count: number }>(`
  SELECT count(*) AS count FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id < @id`)

export const keyOf = ({ recipientId, topicKey }: Pick<Conversation, 'recipientId' | 'topicKey'>) =>
  `${recipientId} ${topicKey}`

/** What all pages of conversations are made of. */
export interface ArchiveSource {
  readonly read: Read
  readonly selection: Selection
  readonly people: ReadonlyMap<number, User>
  readonly conversations: ReadonlyMap<string, Conversation>
  readonly origin: string
}

export const pagePath = ({ path }: Conversation, page: number) =>
  `${path}${page === 1 ? '' : `-${page}`}.html`

export async function* conversationPages(
  shown: ArchiveSource,
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
    const submessages = listSubmessagesOf(read, messages)
    const pins = listPinsOf(read, messages)
    const main = messagesHtml(
      messages.map((message) => ({
        ...shownMessage(
          shown,
          message,
          { reactions: reactions.get(message.id), submessages: submessages.get(message.id) },
          links,
        ),
        isPinned: pins.has(message.id),
      })),
    )
    const turn = pager(page, last, nameOf)
    yield textEntry(
      pagePath(conversation, page),
      archivePage({ title, trail, up, needs: 'files', main: `${turn}\n${main}\n${turn}` }),
    )
    await setImmediate()
  }
}

/** What people added to a message. */
interface Added {
  readonly reactions: readonly Reaction[] | undefined
  readonly submessages: readonly Submessage[] | undefined
}

function shownMessage(
  { people }: ArchiveSource,
  message: Message,
  { reactions = [], submessages = [] }: Added,
  links: ArchiveLinks,
): Omit<ShownMessage, 'isPinned'> {
  const sender = people.get(message.senderId)
  const nameOf = (id: number) => people.get(id)?.fullName ?? 'Unknown'
  const widget = widgetOf(submessages, message.senderId)
  const votes = new Map<string, Reaction[]>()
  for (const reaction of reactions) {
    const key = `${reaction.reactionType} ${reaction.emojiCode}`
    votes.set(key, [...(votes.get(key) ?? []), reaction])
  }
  return {
    id: message.id,
    sender: nameOf(message.senderId),
    avatar:
      sender && sender.avatarHash !== null ? `${links.up}avatars/${sender.id}.png` : undefined,
    sentAt: message.sentAt,
    isEdited: message.lastEditAt !== null,
    html: (widget && widgetHtml(widget, nameOf)) ?? archivedHtml(message.renderedContent, links),
    reactions: [...votes.values()].map((some) => ({
      emoji: emojiHtml(some[0]),
      people: some.map(({ userId }) => nameOf(userId)),
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
function pageOf(shown: ArchiveSource, narrow: string): string | undefined {
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
