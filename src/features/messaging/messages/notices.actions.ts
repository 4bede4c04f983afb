import type { Channel } from '#features/foundation/channels/queries.ts'
import { findSystemBot, type User } from '#features/foundation/users/queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import { render } from '#platform/markdown/render.ts'
import { slices } from '#platform/slices.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sendMessage } from './actions.ts'
import type { Draft } from './compose.rules.ts'
import { authorLookups } from './lookups.queries.ts'

/** A message that one of the server's bots sends. */
export interface Notice {
  /** The user with whose access the names in the content are looked up. */
  readonly author: User
  /** The Markdown source. */
  readonly content: string
  /** The sender; Notification Bot by default. */
  readonly bot?: 'notification-bot' | 'welcome-bot'
  /** Scheme, host and port of the server. */
  readonly realmUrl: string
  /** Ids of users for whom it starts as read. */
  readonly readBy?: readonly number[]
}

function senderOf(read: Read, { bot: name = 'notification-bot' }: Notice): User | undefined {
  return findSystemBot(read, name)
}

/**
 * Posts a notice in a channel.
 *
 * @param preferredTopic replaced by the empty topic if the channel has no others
 */
export function postNotice(tx: Tx, channel: Channel, preferredTopic: string, notice: Notice): void {
  const sender = senderOf(tx, notice)
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : preferredTopic
  if (sender) sendMessage(tx, sender, { ...draftOf(tx, notice), channel, topic })
}

/**
 * Sends a notice as a direct message to each of these users separately.
 *
 * @returns the ids of the messages, in the order of the users
 */
export function sendNotices(tx: Tx, people: readonly User[], notice: Notice): number[] {
  const sender = senderOf(tx, notice)
  if (!sender || people.length === 0) return []
  const draft = draftOf(tx, notice)
  return people.map(
    (person) => sendMessage(tx, sender, { ...draft, people: [sender, person] }).message.id,
  )
}

/** How many users get their own notices at a time. */
const mostAtOnce = 20

/**
 * Sends each of these users a direct message about what the caller did, in their own words.
 *
 * @param say the text for one user, as Markdown
 */
export function* sendOwnNotices(
  tx: Tx,
  { user: author, server: { realmUrl } }: Caller,
  people: readonly User[],
  say: (tx: Tx, person: User) => string,
): LongWrite<void> {
  const byContent = new Map<string, User[]>()
  for (const person of people) {
    const content = say(tx, person)
    byContent.set(content, [...(byContent.get(content) ?? []), person])
  }
  let now = tx
  for (const [content, recipients] of byContent) {
    for (const some of slices(recipients, mostAtOnce)) {
      sendNotices(now, some, { author, content, realmUrl })
      now = yield
    }
  }
}

/** Notices mention nobody, though they quote text with mentions. */
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
