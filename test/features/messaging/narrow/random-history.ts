import fc from 'fast-check'
import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { noteDisorder } from '#features/foundation/core/order.queries.ts'
import { markRead } from '#features/foundation/read-state/actions.ts'
import { isRead } from '#features/foundation/read-state/queries.ts'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import type { Term } from '#platform/events/types.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Tx } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { silentQueues } from '#test/support/silent-queues.ts'

/** A message as the naive model keeps it. */
export interface NaiveMessage {
  readonly id: number
  readonly recipient: number
  readonly sender: number
  readonly topic: string
  readonly content: string
  readonly sentAt: number
  readonly hasLink: boolean
}

interface NaiveChannel {
  readonly id: number
  readonly recipient: number
  readonly isPrivate: boolean
  readonly historyPublic: boolean
}

const users = [1, 2, 3] as const
const topics = ['', 'a', 'b', '✔ a'] as const
const contents = ['apples', 'a pear', 'Apple and pears', '-'] as const
const channels: readonly NaiveChannel[] = [
  { id: 10, recipient: 1, isPrivate: false, historyPublic: true },
  { id: 20, recipient: 2, isPrivate: false, historyPublic: true },
  { id: 30, recipient: 3, isPrivate: true, historyPublic: true },
  { id: 40, recipient: 4, isPrivate: true, historyPublic: false },
]
const directs = new Map([
  [5, [1, 2]],
  [6, [1, 2, 3]],
  [7, [3]],
])
const recipients = [...channels.map(({ recipient }) => recipient), ...directs.keys()]

const db = openDatabase(':memory:')
const { $client: sqlite } = db
export const store = createStore(db, manualClock(0), defaultConfig, silentQueues)
layOut()

/** Users, channels and conversations are the same in every history. */
function layOut(): void {
  sqlite.exec("INSERT INTO user_groups (id, name, is_system) VALUES (1, 'role:nobody', 1)")
  const settings = sqlite
    .prepare("SELECT name FROM pragma_table_info('channels') WHERE name LIKE '%_group'")
    .pluck()
    .all()
  for (const id of users) {
    const address = `'${id}@example.com'`
    sqlite.exec(`INSERT INTO users (id, email, email_key, api_email, api_email_key, full_name,
      role, date_joined, api_key)
      VALUES (${id}, ${address}, ${address}, ${address}, ${address}, '${id}', 400, 0, '${id}')`)
  }
  for (const { id, recipient, isPrivate, historyPublic } of channels) {
    sqlite.exec(`INSERT INTO recipients (id, channel_id) VALUES (${recipient}, ${id});
      INSERT INTO channels (id, name, name_key, date_created, recipient_id, is_private,
        history_public, ${settings})
      VALUES (${id}, 'c${id}', 'c${id}', 0, ${recipient}, ${Number(isPrivate)},
        ${Number(historyPublic)}, ${settings.map(() => 1)})`)
  }
  for (const [recipient, members] of directs) {
    sqlite.exec(`INSERT INTO recipients (id, direct_key) VALUES (${recipient}, '${members}')`)
    for (const user of members) {
      sqlite.exec(`INSERT INTO direct_members VALUES (${user}, ${recipient})`)
    }
  }
}

/** What has happened so far, as it is kept by those who do not mind the cost. */
export interface NaiveHistory {
  messages: NaiveMessage[]
  readonly spans: { user: number; channel: number; from: number; until: number }[]
  readonly starred: Set<string>
  nextId: number
  /** By the clock of the server, in seconds. */
  now: number
  /** The latest time of a message, also of deleted ones. */
  latest: number
}

export type Step =
  | {
      kind: 'send'
      to: number
      from: number
      topic: number
      content: number
      hasLink: boolean
      gap: number
      passed: number
    }
  | { kind: 'subscribe' | 'unsubscribe'; user: number; channel: number }
  | { kind: 'star' | 'read'; user: number; pick: number }
  | { kind: 'delete'; pick: number }

const user = fc.constantFrom(...users)
const channel = fc.constantFrom(...channels.map(({ id }) => id))
const pick = fc.nat(60)
const send = fc.record({
  kind: fc.constant('send' as const),
  to: fc.constantFrom(...recipients),
  from: user,
  topic: fc.nat(topics.length - 1),
  content: fc.nat(contents.length - 1),
  hasLink: fc.boolean(),
  /** How many ids were used up before: of messages that are gone. */
  gap: fc.constantFrom(0, 0, 0, 0, 1, 1500, 5000),
  /** How far the clock went since the last message; sometimes it is set back. */
  passed: fc.constantFrom(0, 0, 1, 1, 60, 60, 200, -1, -70),
})

export const someHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: send },
    fc.record({ kind: fc.constantFrom('subscribe', 'unsubscribe'), user, channel }),
    fc.record({ kind: fc.constantFrom('star', 'read'), user, pick }),
    fc.record({ kind: fc.constant('delete' as const), pick }),
  ),
  { maxLength: 100, size: 'max' },
)

/** Makes a history anew, in the tables and in the model. */
export async function live(steps: readonly Step[]): Promise<NaiveHistory> {
  const history: NaiveHistory = {
    messages: [],
    spans: [],
    starred: new Set(),
    nextId: 1,
    now: 500,
    latest: 0,
  }
  await store.write((tx) => {
    const tables =
      'messages message_order read_state subscriptions subscription_spans message_flags'
    for (const table of tables.split(' ')) sqlite.exec(`DELETE FROM ${table}`)
    sqlite.exec("DELETE FROM sqlite_sequence WHERE name = 'messages'")
    for (const step of steps) {
      switch (step.kind) {
        case 'send':
          sendOne(tx, history, step)
          break
        case 'subscribe':
        case 'unsubscribe':
          subscribeOne(history, step)
          break
        case 'star':
        case 'read': {
          const message = history.messages[step.pick]
          if (!message) break
          const { id, recipient } = message
          if (step.kind === 'read') markRead(tx, step.user, [{ id, recipientId: recipient }])
          else star(history, step.user, id)
          break
        }
        case 'delete': {
          const message = history.messages[step.pick]
          if (!message) break
          history.messages = history.messages.filter((other) => other !== message)
          sqlite.exec(`DELETE FROM messages WHERE id = ${message.id}`)
        }
      }
    }
  })
  return history
}

function sendOne(tx: Tx, history: NaiveHistory, step: Extract<Step, { kind: 'send' }>): void {
  const id = history.nextId + step.gap
  history.nextId = id + 1
  const topic = step.to < 5 ? (topics[step.topic] ?? '') : ''
  const content = contents[step.content] ?? ''
  const { to: recipient, hasLink } = step
  // Only who takes part in a conversation writes there.
  const people = directs.get(recipient) ?? users
  const sender = people[step.from % people.length] ?? 1
  history.now += step.passed
  const sentAt = history.now
  history.latest = Math.max(history.latest, sentAt)
  noteDisorder(tx, history.latest - sentAt)
  history.messages.push({ id, recipient, sender, topic, content, sentAt, hasLink })
  sqlite
    .prepare(
      `INSERT INTO messages (id, recipient_id, sender_id, topic, topic_key, content,
        rendered_content, sent_at, client, has_link) VALUES (?, ?, ?, ?, ?, ?, '', ?, '', ?)`,
    )
    .run(id, recipient, sender, topic, topic, content, sentAt, Number(hasLink))
  indexMessages(store)
}

function subscribeOne(
  { spans, nextId }: NaiveHistory,
  { kind, user, channel }: Extract<Step, { kind: 'subscribe' | 'unsubscribe' }>,
): void {
  const open = spans.find((s) => s.user === user && s.channel === channel && s.until === Infinity)
  if ((kind === 'subscribe') === (open !== undefined)) return
  if (open) {
    open.until = nextId
    sqlite.exec(`UPDATE subscription_spans SET until_message = ${nextId}
      WHERE user_id = ${user} AND channel_id = ${channel} AND until_message IS NULL`)
  } else {
    if (spans.some((s) => s.user === user && s.channel === channel && s.from === nextId)) return
    spans.push({ user, channel, from: nextId, until: Infinity })
    sqlite.exec(`INSERT INTO subscription_spans VALUES (${user}, ${channel}, ${nextId}, NULL)`)
  }
  sqlite.exec(`INSERT INTO subscriptions (user_id, channel_id, is_active, color)
    VALUES (${user}, ${channel}, ${Number(!open)}, '')
    ON CONFLICT DO UPDATE SET is_active = excluded.is_active`)
}

function star({ starred }: NaiveHistory, user: number, id: number): void {
  starred.add(`${user}/${id}`)
  sqlite.exec(`INSERT INTO message_flags VALUES (${user}, ${id}, 1) ON CONFLICT DO NOTHING`)
}

const term = (operator: string, operand: Term['operand']) =>
  fc.boolean().map((negated): Term => ({ operator, operand, negated }))

/** Filters that name nothing that could be hidden: those have tests of their own. */
export const someNarrow: fc.Arbitrary<Term[]> = fc.array(
  fc.oneof(
    ...[10, 20].map((id) => term('channel', id)),
    ...topics.map((topic) => term('topic', topic)),
    ...users.map((id) => term('sender', id)),
    ...users.map((id) => term('dm-including', id)),
    term('dm', [1, 2]),
    term('dm', [1, 2, 3]),
    term('channels', 'public'),
    term('is', 'dm'),
    term('is', 'unread'),
    term('is', 'starred'),
    term('is', 'resolved'),
    term('has', 'link'),
    term('search', 'apple'),
    term('search', '"apple and" pear'),
    term('id', 3),
    ...[499, 560, 700, 1500].flatMap((time) => [term('before', time), term('after', time)]),
  ),
  { maxLength: 3 },
)

/** Whether a message is in a narrow, asked one by one. */
export function isIn(
  history: NaiveHistory,
  reader: number,
  narrow: readonly Term[],
  message: NaiveMessage,
): boolean {
  return (
    canSee(history, reader, narrow, message) &&
    narrow.every((one) => matches(history, reader, one, message) !== one.negated)
  )
}

function canSee(
  { spans }: NaiveHistory,
  reader: number,
  narrow: readonly Term[],
  { id, recipient }: NaiveMessage,
): boolean {
  const home = channels.find((one) => one.recipient === recipient)
  if (!home) return directs.get(recipient)?.includes(reader) === true
  const own = spans.filter((s) => s.user === reader && s.channel === home.id)
  const subscribed = own.some(({ until }) => until === Infinity)
  if (home.isPrivate && !subscribed) return false
  const received = own.some(({ from, until }) => from <= id && id < until)
  if (received) return true
  const isShared = narrow.some(
    ({ operator, operand, negated }) =>
      !negated && (/^channels?$/.test(operator) || (operator === 'is' && operand === 'starred')),
  )
  return isShared && home.historyPublic
}

function matches(
  { starred }: NaiveHistory,
  reader: number,
  { operator, operand }: Term,
  message: NaiveMessage,
): boolean {
  const { id, recipient, topic, content } = message
  const home = channels.find((one) => one.recipient === recipient)
  const people = directs.get(recipient) ?? []
  switch (`${operator}:${operand}`) {
    case 'channels:public':
      return home !== undefined && !home.isPrivate
    case 'is:dm':
      return !home
    case 'is:unread':
      return !isRead(store, reader, recipient, id)
    case 'is:starred':
      return starred.has(`${reader}/${id}`)
    case 'is:resolved':
      return topic.startsWith('✔')
    case 'has:link':
      return message.hasLink
    case 'search:apple':
      return /apple/i.test(content)
    case 'search:"apple and" pear':
      return /apple and.*pear/i.test(content)
  }
  switch (operator) {
    case 'channel':
      return home?.id === operand
    case 'topic':
      return home !== undefined && topic === operand
    case 'sender':
      return message.sender === operand
    case 'dm-including':
      return people.includes(Number(operand))
    case 'dm': {
      const wanted = new Set([...(operand as number[]), reader])
      return people.length === wanted.size && people.every((one) => wanted.has(one))
    }
    case 'id':
      return id === operand
    case 'before':
      return message.sentAt < Number(operand)
    case 'after':
      return message.sentAt >= Number(operand)
    default:
      throw new Error(`The model does not know ${operator}:${operand}.`)
  }
}
