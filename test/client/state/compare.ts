import { isDeepStrictEqual } from 'node:util'
import { conversationKey, type Message } from '#client/state/model.ts'
import type { RecentConversation, Store, UnreadConversation } from '#client/state/store.ts'
import type { Table } from '#client/state/table.ts'
import type { Actor, TestServer } from '#test/support/server.ts'
import { type Follower, follow } from './support.ts'

/** The stores of these people, by name, each kept by events. */
export async function followAll(
  server: TestServer,
  people: readonly Actor[],
): Promise<ReadonlyMap<Actor, Follower>> {
  const followers = new Map<Actor, Follower>()
  for (const name of people) followers.set(name, await follow(server, server.as(name)))
  return followers
}

/** How the stores differ from what is registered and fetched anew: one line a difference. */
export async function compareAll(
  followers: ReadonlyMap<Actor, Follower>,
  done: string,
): Promise<string[]> {
  const problems: string[] = []
  for (const [name, follower] of followers) {
    await follower.catchUp()
    const found = differences(follower.store, await follower.anew())
    found.push(...messageDifferences(follower.store, await follower.fetchKnown()))
    problems.push(...found.map((difference) => `${name}, after ${done}: ${difference}`))
  }
  return problems
}

/** What no event tells of: kept stores differ from new ones there. */
const untold = new Set([
  // About the queue and the moment.
  'idle_queue_timeout_secs',
  'event_queue_longpoll_timeout_seconds',
])

/** How a store that followed events differs from one of a new registration: one line a difference. */
export function differences(kept: Store, anew: Store): string[] {
  const [a, b] = [snapshot(kept), snapshot(anew)]
  const found: string[] = []
  for (const part of Object.keys(b)) compare(a[part], b[part], part, found)
  return found
}

function compare(a: unknown, b: unknown, path: string, found: string[]): void {
  if (isDeepStrictEqual(a, b) || found.length > 8) return
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(a) || !isObject(b)) {
    found.push(`${path}: ${JSON.stringify(a)} -> ${JSON.stringify(b)}`)
    return
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    compare(a[key], b[key], `${path}.${key}`, found)
  }
}

/** All that a registration says, in one order, as JSON. */
function snapshot(store: Store): Record<string, unknown> {
  const realm = Object.entries(store.realm.value).filter(([name]) => !untold.has(name))
  return {
    realm: plain(Object.fromEntries(realm.map(([name, value]) => [name, inOrder(name, value)]))),
    settings: plain(store.settings.value),
    users: rows(store.users),
    groups: rows(store.groups),
    channels: rows(store.channels),
    subscriptions: rows(store.subscriptions),
    subscribers: rows(store.subscribers),
    folders: rows(store.folders),
    unreads: Object.fromEntries(
      store.unreads.conversations.value.map((one) => [
        conversationKey(one.conversation),
        unread(store, one),
      ]),
    ),
    counts: plain(store.unreads.counts.value),
    mentions: plain(store.unreads.mentions.value),
    starred: plain(store.starred.value),
    topicPolicies: rows(store.topicPolicies),
    mutedUsers: plain(store.mutedUsers.value),
    presences: rows(store.presences),
    statuses: rows(store.statuses),
    alertWords: plain(store.alertWords.value),
    drafts: rows(store.drafts),
    snippets: rows(store.snippets),
    scheduled: rows(store.scheduled),
    reminders: rows(store.reminders),
    navigationViews: rows(store.navigationViews),
    direct: Object.fromEntries(store.recent.direct.value.map(recent)),
  }
}

function unread(store: Store, { conversation, ...rest }: UnreadConversation) {
  return { ...rest, ids: store.unreads.idsOf(conversation) }
}

function recent({ conversation, newestId }: RecentConversation) {
  return [conversationKey(conversation), newestId]
}

function rows<K, V>(table: Table<K, V>): unknown {
  return Object.fromEntries([...table.current].map(([key, value]) => [String(key), plain(value)]))
}

/** Lists of the register reply without an order of their own. */
function inOrder(name: string, value: unknown): unknown {
  if (!Array.isArray(value) || !['realm_bots', 'realm_domains'].includes(name)) return value
  return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Sets as sorted lists, maps as objects, and nothing where something is undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => {
      if (inner instanceof Map) return Object.fromEntries(inner)
      if (!(inner instanceof Set)) return inner
      return [...inner].sort((a, b) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1))
    }) ?? 'null',
  )
}

/**
 * How stored messages differ from those of the server, in the conversations whose events come.
 *
 * @param fetched the same messages as the server has them now
 */
export function messageDifferences(store: Store, fetched: readonly Message[]): string[] {
  const now = new Map(fetched.map((message) => [message.id, message]))
  const found: string[] = []
  for (const message of store.messages.current.values()) {
    const { id, conversation } = message
    if (conversation.kind === 'topic' && !store.subscriptions.has(conversation.channelId)) continue
    compare(shown(message), now.has(id) ? shown(now.get(id)) : undefined, `message ${id}`, found)
  }
  return found
}

/** Without what a message says of its sender as of when it was sent. */
function shown(message: Message | undefined): unknown {
  const { senderName: _, senderAvatarUrl: __, ...rest } = message ?? ({} as Message)
  return plain(rest)
}
