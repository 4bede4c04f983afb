import * as v from 'valibot'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  countSubscribers,
  findChannel,
  isSubscribed,
  listChannelsByName,
} from '#features/foundation/channels/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import type { UnreadConversation } from '#features/foundation/read-state/queries.ts'
import { roles, type ShownUser } from '#features/foundation/users/queries.ts'
import { countUnread } from '#features/messaging/messages/flags/counting.queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import { channelUrl } from '#platform/markdown/links.ts'
import {
  cut,
  link,
  messageMarkdown,
  messageShape,
  placeOf,
  plain,
  shownMessages,
} from './messages.queries.ts'
import { peopleLike } from './places.queries.ts'
import {
  about,
  countFitting,
  limitParam,
  readOnly,
  replyLimit,
  text,
  tool,
} from './tool.actions.ts'

const isOffset = v.pipe(text(10), v.regex(/^\d{1,9}$/, 'not a cursor of this tool'))
const offsetParam = v.optional(about(isOffset, 'To go on: next_cursor of an answer.'), '0')

/** Items from an offset on, and the cursor for the rest. */
function part<T>(all: readonly T[], cursor: string, limit: number): { some: T[]; next?: string } {
  const from = Number(cursor)
  const some = all.slice(from, from + limit)
  return { some, ...(from + limit < all.length && { next: String(from + limit) }) }
}

/** How many of the newest messages of a conversation are shown, and how much of each. */
const snippets = { count: 2, length: 300 } as const

export const whatsNew = tool({
  name: 'whats_new',
  title: 'What is new for me',
  description: `Lists the conversations with unread messages, mentions first, with the newest words of each; nothing becomes read by it. Muted conversations count only with mentions; an answer has at most ${replyLimit} characters.`,
  hints: readOnly,
  input: { cursor: offsetParam, limit: limitParam(50, 15) },
  output: {
    unread_count: v.number(),
    mention_count: v.number(),
    conversations: v.array(
      v.object({
        conversation: v.string(),
        unread_count: v.number(),
        mention_count: v.optional(v.number()),
        newest: v.array(messageShape),
        url: v.string(),
      }),
    ),
    next_cursor: v.optional(v.string()),
  },
  async run({ caller, origin }, { cursor, limit }) {
    const { store, user } = caller
    const { conversations, counts, mentions } = countUnread(store, user.id)
    const mentioned = new Set(mentions(conversations))
    const mentionsIn = ({ messageIds }: UnreadConversation) =>
      messageIds.filter((id) => mentioned.has(id)).length
    const loud = conversations
      .map((each) => ({ ...each, mentionCount: mentionsIn(each) }))
      .filter((each) => each.mentionCount > 0 || counts(each))
      .sort((a, b) => urgency(b) - urgency(a) || newestOf(b) - newestOf(a))
    const { some, next } = part(loud, cursor, limit)
    const all = some.map((each) => {
      const place = placeOf(caller, each, recipientOf(store, each.recipientId))
      const newest = shownMessages(caller, each.messageIds.slice(-snippets.count), {
        origin,
        contentLimit: snippets.length,
        namesPlace: false,
      })
      return {
        conversation: place.name,
        unread_count: each.messageIds.length,
        ...(each.mentionCount > 0 && { mention_count: each.mentionCount }),
        newest,
        url: origin + place.path,
      }
    })
    const fitting = countFitting(all, (each) => JSON.stringify(each).length)
    const shown = all.slice(0, fitting)
    const more = fitting < all.length ? String(Number(cursor) + fitting) : next
    const unread = loud.reduce((sum, { messageIds }) => sum + messageIds.length, 0)
    const counted = {
      unread_count: unread,
      mention_count: mentioned.size,
      conversations: shown,
      ...(more && { next_cursor: more }),
    }
    const markdown = [
      `${unread} unread messages in ${loud.length} conversations, ${mentioned.size} mention you`,
      ...shown.map(({ conversation, url, unread_count, mention_count = 0, newest }) =>
        [
          `## ${link(conversation, url)}: ${unread_count} unread, ${mention_count} mention you`,
          ...newest.map(messageMarkdown),
        ].join('\n'),
      ),
      ...(more ? [`More: cursor ${more}`] : []),
    ]
    return { structured: counted, markdown: markdown.join('\n\n') }
  },
})

type Counted = UnreadConversation & { readonly mentionCount: number }

const urgency = ({ mentionCount, channelId }: Counted) =>
  mentionCount > 0 ? 2 : channelId === null ? 1 : 0
const newestOf = ({ messageIds }: UnreadConversation) => messageIds.at(-1) ?? 0

export const findTool = tool({
  name: 'find',
  title: 'Find people and channels',
  description:
    'Finds people and bots by their name, and channels by name or description, among those that the person can see. An empty query lists them all, channels first.',
  hints: readOnly,
  input: {
    query: v.optional(about(text(200), 'Parts of names.'), ''),
    kind: v.optional(about(v.picklist(['channels', 'people']), 'Only these.')),
    cursor: offsetParam,
    limit: limitParam(50, 15),
  },
  output: {
    channels: v.array(
      v.object({
        channel: v.string(),
        channel_id: v.number(),
        subscribers: v.number(),
        is_subscribed: v.optional(v.boolean()),
        is_private: v.optional(v.boolean()),
        is_archived: v.optional(v.boolean()),
        description: v.optional(v.string()),
      }),
    ),
    people: v.array(
      v.object({
        name: v.string(),
        user_id: v.number(),
        is_bot: v.optional(v.boolean()),
        is_guest: v.optional(v.boolean()),
      }),
    ),
    next_cursor: v.optional(v.string()),
  },
  async run({ caller, origin }, { query, kind, cursor, limit }) {
    const channels = kind === 'people' ? [] : channelsLike(caller, query)
    const people = kind === 'channels' ? [] : peopleLike(caller, query)
    const { some, next } = part([...channels, ...people], cursor, limit)
    const found = {
      channels: some.flatMap((each) => ('recipientId' in each ? channelFacts(caller, each) : [])),
      people: some.flatMap((each) => ('fullName' in each ? personFacts(each) : [])),
    }
    const lines = [
      ...found.channels.map((each) => channelLine(each, origin)),
      ...found.people.map(
        ({ name, user_id, is_bot }) => `- ${plain(name)}, ID ${user_id}${is_bot ? ', bot' : ''}`,
      ),
    ]
    const head = `${channels.length} channels, ${people.length} people`
    const tail = next ? [`More: cursor ${next}`] : []
    return {
      structured: { ...found, ...(next && { next_cursor: next }) },
      markdown: [head, ...lines, ...tail].join('\n'),
    }
  },
})

/** The channels that the caller may read with all words in name or description, best first. */
function channelsLike({ store, user }: Caller, query: string): Channel[] {
  const words = query.toLowerCase().replace('#', '').split(/\s+/).filter(Boolean)
  const rank = ({ id, name, isArchived }: Channel) =>
    (words.every((word) => name.toLowerCase().includes(word)) ? 0 : 4) +
    (isArchived ? 2 : 0) +
    (isSubscribed(store, user.id, id) ? 0 : 1)
  return listChannelsByName(store)
    .filter((channel) => canAccessContent(store, user, channel))
    .filter(({ name, description }) =>
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
    )
    .map((channel) => ({ channel, rank: rank(channel) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ channel }) => channel)
}

function channelFacts({ store, user }: Caller, { id }: Channel) {
  const channel = findChannel(store, id)
  if (!channel) return []
  const { name, description, isPrivate, isArchived } = channel
  return [
    {
      channel: name,
      channel_id: id,
      subscribers: countSubscribers(store, id),
      ...(isSubscribed(store, user.id, id) && { is_subscribed: true }),
      ...(isPrivate && { is_private: true }),
      ...(isArchived && { is_archived: true }),
      ...(description && { description: cut(description, 80) }),
    },
  ]
}

function channelLine(facts: ReturnType<typeof channelFacts>[number], origin: string): string {
  const { channel, channel_id: id, subscribers, description } = facts
  const marks = [
    facts.is_subscribed && 'subscribed',
    facts.is_private && 'private',
    facts.is_archived && 'archived',
  ].filter(Boolean)
  const url = `${origin}${channelUrl({ id, name: channel })}`
  const about = description ? ` “${plain(description)}”` : ''
  return `- ${link(`#${channel}`, url)}${about} (${[`${subscribers} people`, ...marks].join(', ')})`
}

function personFacts({ fullName, id, botType, role }: ShownUser) {
  return [
    {
      name: fullName,
      user_id: id,
      ...(botType !== null && { is_bot: true }),
      ...(role === roles.guest && { is_guest: true }),
    },
  ]
}
