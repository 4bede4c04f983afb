import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { capabilities } from '#platform/events/types.ts'
import type { CallParams, Client } from '#test/support/server.ts'
import { applyEvents, eventName } from './apply-event.ts'
import type { Json, Person, State, WireEvent } from './state.ts'

/** Everything that a client can say it understands. */
export const modern = Object.fromEntries(capabilities.map((name) => [name, true]))

/** Someone whose client keeps its state by events, and can be asked whether that is right. */
export interface Viewer {
  readonly name: string
  /** Takes the events that wait; says what is wrong with them, and whether there were any. */
  take(after: string): Promise<{ readonly problems: string[]; readonly took: boolean }>
  /** Says how the state differs from one that is registered anew. */
  compare(after: string): Promise<string[]>
}

/**
 * @param seen gets the names of the events that arrived
 */
export async function openViewer(
  name: string,
  client: Client,
  capabilities: object,
  seen: Set<string>,
): Promise<Viewer> {
  const isModern = Object.keys(capabilities).length > 0
  const params: CallParams = {
    client_capabilities: capabilities,
    include_subscribers: true,
    slim_presence: isModern,
    // Longer than any action lasts.
    idle_queue_timeout: 7 * 24 * 3600,
  }
  const queue = await client.watchWith(params)
  let state = { ...queue.state, capabilities } as State
  return {
    name,
    async take(after) {
      const problems: string[] = []
      const events = (await queue.drain()) as WireEvent[]
      for (const event of events) seen.add(eventName(event))
      try {
        state = applyEvents(state, events)
      } catch (error) {
        problems.push(`${name}, after ${after}: ${(error as Error).message}`)
      }
      return { problems, took: events.length > 0 }
    },
    async compare(after) {
      const problems: string[] = []
      const reply = await client.post('/register', params)
      assert.equal(reply.result, 'success', reply.msg)
      const fresh = { ...reply, capabilities } as unknown as State
      await client.del('/events', { queue_id: fresh.queue_id })
      const [kept, anew] = [comparable(state), comparable(fresh)]
      for (const member of new Set([...Object.keys(kept), ...Object.keys(anew)])) {
        if (state[member] === undefined && untold.includes(member)) continue
        if (isDeepStrictEqual(kept[member], anew[member])) continue
        problems.push(
          `${member} of ${name}, after ${after}: ${difference(kept[member], anew[member])}`,
        )
      }
      for (const member of untold) state[member] ??= fresh[member]
      if (problems.length > 0) state = fresh
      return problems
    },
  }
}

/** Where two JSON values differ, as `path: kept -> anew`, at most a few. */
function difference(kept: unknown, anew: unknown): string {
  const places: string[] = []
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (isDeepStrictEqual(a, b)) return
    const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
    if (!isObject(a) || !isObject(b)) {
      places.push(`${path}: ${JSON.stringify(a)} -> ${JSON.stringify(b)}`)
      return
    }
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    for (const key of keys) compare(a[key], b[key], `${path}.${key}`)
  }
  compare(kept, anew, '')
  return places.slice(0, 5).join('\n  ')
}

/** What no event may tell: a reducer gives it up, and it is taken over to be kept from there on. */
const untold = ['recent_private_conversations', 'max_message_id']

/** Members that are about the queue and the moment. */
const volatile = [
  'capabilities',
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
]

const sortKeys: Readonly<Record<string, string>> = {
  realm_non_active_users: 'user_id',
  realm_bots: 'user_id',
  realm_user_groups: 'id',
  streams: 'stream_id',
  subscriptions: 'stream_id',
  never_subscribed: 'stream_id',
  unsubscribed: 'stream_id',
  drafts: 'id',
  saved_snippets: 'id',
  scheduled_messages: 'scheduled_message_id',
  reminders: 'reminder_id',
  navigation_views: 'fragment',
  channel_folders: 'id',
  realm_domains: 'domain',
  recent_private_conversations: 'max_message_id',
}

function sorted(list: readonly unknown[], key: (item: Json) => unknown): unknown[] {
  const keyed = list.map((item) => [String(key(item as Json)).padStart(12), item] as const)
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

/** A state without what depends on the moment, and with lists in one order. */
function comparable(state: State): Json {
  const result: Json = {}
  for (const [member, value] of Object.entries(state)) {
    if (volatile.includes(member)) continue
    const key = sortKeys[member]
    result[member] = key && Array.isArray(value) ? sorted(value, (item) => item[key]) : value
  }
  const { streams, pms, huddles } = state.unread_msgs
  result.unread_msgs = {
    ...state.unread_msgs,
    kinds: undefined,
    streams: sorted(streams, ({ stream_id, topic }) => `${stream_id} ${topic}`),
    pms: sorted(pms, ({ other_user_id }) => other_user_id),
    huddles: sorted(huddles, ({ user_ids_string }) => user_ids_string),
    mentions: [...state.unread_msgs.mentions].sort((a, b) => a - b),
  }
  result.user_topics = sorted(
    state.user_topics as Json[],
    ({ stream_id, topic_name }) => `${stream_id} ${topic_name}`,
  )
  result.realm_users = sorted(state.realm_users.map(knownOf), ({ user_id }) => user_id)
  return { ...result, ...otherChannels(state) }
}

/** A client keeps the bare existence of people whom it has to forget. */
function knownOf(person: Person): Json {
  const { user_id, full_name } = person
  return full_name === 'Unknown user' ? { user_id, full_name } : person
}

/**
 * Without the difference between channels that the user left and those never subscribed to: no
 * client can tell them apart of a channel that disappeared and is there again.
 */
function otherChannels({ streams, unsubscribed, never_subscribed }: State): Json {
  const properties = new Set(streams.flatMap((channel) => Object.keys(channel)))
  const others = [...unsubscribed, ...never_subscribed].map((channel) => {
    const members = Object.entries(channel).filter(
      ([name]) => name === 'subscribers' || properties.has(name),
    )
    return Object.fromEntries(members)
  })
  return {
    unsubscribed: undefined,
    never_subscribed: undefined,
    others: sorted(others, ({ stream_id }) => stream_id),
  }
}
