import { and, eq, like, sql } from 'drizzle-orm'
import type { Channel } from '#channels/queries.ts'
import { render } from '#markdown/render.ts'
import { prepared } from '#store/prepared.ts'
import { users } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { sendMessage } from './actions.ts'
import type { Draft } from './compose.ts'
import { authorLookups } from './lookups.ts'

/** Markdown that a bot of the server writes, with what `author` may know looked up in it. */
export interface Notice {
  readonly author: User
  readonly content: string
  /** Who writes; Notification Bot unless given. */
  readonly bot?: 'notification-bot' | 'welcome-bot'
  /** Scheme, host and port of the server. */
  readonly realmUrl: string
  /** For whom it starts as read. */
  readonly readBy?: readonly number[]
}

/** How a notice speaks of somebody: by a mention that notifies nobody. */
export function silently({ fullName, id }: User): string {
  return `@_**${fullName}|${id}**`
}

const bot = prepared((db) =>
  db
    .select()
    .from(users)
    .where(and(eq(users.isSystemBot, true), like(users.emailKey, sql.placeholder('pattern'))))
    .prepare(),
)

function senderOf(read: Read, { bot: name = 'notification-bot' }: Notice): User | undefined {
  return bot(read).get({ pattern: `${name}@%` })
}

/** Has the bot write to a channel, in the empty topic where there is no other. */
export function postNotice(tx: Tx, channel: Channel, wanted: string, notice: Notice): void {
  const sender = senderOf(tx, notice)
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : wanted
  if (sender) sendMessage(tx, sender, { ...draftOf(tx, notice), channel, topic })
}

/**
 * Has the bot write to each of these people alone.
 *
 * @returns the ids of the messages, in the order of the people
 */
export function sendNotices(tx: Tx, people: readonly User[], notice: Notice): number[] {
  const sender = senderOf(tx, notice)
  if (!sender || people.length === 0) return []
  const draft = draftOf(tx, notice)
  return people.map(
    (person) => sendMessage(tx, sender, { ...draft, people: [sender, person] }).message.id,
  )
}

/** A notice quotes what people wrote, and mentions nobody by it. */
const nobody = {
  userIds: [],
  groupIds: [],
  refusedGroups: [],
  channelWildcard: false,
  topicWildcard: false,
}

function draftOf(read: Read, { author, content, realmUrl, readBy }: Notice): Draft {
  return {
    channel: undefined,
    people: [],
    topic: '',
    content,
    rendered: { ...render(content, authorLookups(read, author, realmUrl)), mentions: nobody },
    client: 'Internal',
    readBySender: true,
    readBy,
    echo: undefined,
  }
}
