import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { CallParams, Client, Reply } from '#test/support/server.ts'
import type { Books } from './books.ts'
import {
  type Channel,
  isMentioned,
  isOwnHistory,
  isSubscribed,
  type Message,
  mayKnow,
  mayOpen,
  mayRead,
  mayReadIn,
  type Person,
  type World,
} from './rules.ts'

/** Compares lists of ids by what they hold, in any order. */
export function requireEqual(
  found: Record<string, number[]>,
  expected: Record<string, number[]>,
  what: string,
): void {
  const sorted = (lists: Record<string, number[]>) =>
    Object.fromEntries(
      Object.entries(lists).map(([name, ids]) => [name, [...ids].sort((a, b) => a - b)]),
    )
  if (isDeepStrictEqual(sorted(found), sorted(expected))) return
  assert.deepEqual(sorted(found), sorted(expected), what)
}

const window = { anchor: 'newest', num_before: 1000, num_after: 0 }

interface Unread {
  readonly unread_message_ids: number[]
}

type UnreadMessages = Partial<Record<'streams' | 'pms' | 'huddles', Unread[]>>

/** What clients keep of their messages' flags. */
export interface Flags {
  readonly unread_msgs?: UnreadMessages
  readonly starred_messages?: number[]
}

function unreadIn({ unread_msgs: { streams = [], pms = [], huddles = [] } = {} }: Flags): number[] {
  return [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids)
}

/**
 * Asks in every way what a person can see, and compares each answer with the rules.
 *
 * @param turn chooses the channel and the messages that are asked for one by one
 */
export async function checkViewer(
  world: World,
  viewer: Person,
  client: Client,
  books: Books,
  turn: number,
  replayed: Flags | undefined,
): Promise<void> {
  const all = [...world.messages.values()]
  const channel = [...world.channels.values()][turn % world.channels.size] as Channel
  const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)
  const readable = all.filter((message) => mayRead(world, viewer, message))
  const own = all.filter((message) => isOwnHistory(world, viewer, message))
  const here = readable.filter((message) => message.channel === channel)
  const hasNeedle = ({ content }: Message) => content.includes('needle')
  const narrow = [['channel', channel.id]]
  const knows = viewer.active && mayKnow(world, viewer, channel)
  const list = async (params: CallParams) => idsOf(await client.get('/messages', params))
  const matching = async (params: CallParams) =>
    Object.keys(
      (await client.get<{ messages?: object }>('/messages/matches_narrow', params)).messages ?? {},
    ).map(Number)
  const found = {
    feed: await list(window),
    sender: await list({ ...window, narrow: [['sender', viewer.id]] }),
    mentioned: await list({ ...window, narrow: [['is', 'mentioned']] }),
    starred: await list({ ...window, narrow: [['is', 'starred']] }),
    narrow: await list({ ...window, narrow }),
    search: await list({ ...window, narrow: [['search', 'needle']] }),
    searchHere: await list({ ...window, narrow: [...narrow, ['search', 'needle']] }),
    public: await list({ ...window, narrow: [['channels', 'public']] }),
    ...(await byFlags(client, ids(all))),
    matches: await matching({ msg_ids: ids(all), narrow }),
    matchesFeed: await matching({ msg_ids: ids(all), narrow: [['search', 'needle']] }),
  }
  const shared = readable.filter((one) => one.channel && !one.channel.isPrivate)
  const expected = {
    feed: ids(own),
    sender: ids(own.filter(({ senderId }) => senderId === viewer.id)),
    mentioned: ids(own.filter((message) => isMentioned(viewer, message))),
    starred: ids(readable.filter(({ stars }) => stars.has(viewer.id))),
    historical: ids(readable.filter((message) => !own.includes(message))),
    flagged: ids(readable.filter(({ stars }) => stars.has(viewer.id))),
    narrow: ids(here),
    search: ids(own.filter(hasNeedle)),
    searchHere: ids(here.filter(hasNeedle)),
    public: ids(shared),
    byIds: ids(readable),
    matches: ids(here),
    matchesFeed: ids(own.filter(hasNeedle)),
  }
  requireEqual(found, expected, `what ${viewer.id} finds (channel ${channel.name})`)
  const known = await client.get(`/streams/${channel.id}`)
  assert.equal(known.result === 'success', knows, `${viewer.id} knows of ${channel.name}`)
  const topics = await client.get<{ topics?: { max_id: number }[] }>(
    `/users/me/${channel.id}/topics`,
  )
  requireEqual(
    { topics: (topics.topics ?? []).map(({ max_id }) => max_id) },
    { topics: newestOfTopics(viewer.active && mayReadIn(world, viewer, channel) ? here : []) },
    `topics of ${channel.name} for ${viewer.id}`,
  )
  const some = all.filter((_, i) => (i + turn) % 4 === 0).slice(-4)
  for (const message of some) await checkMessage(world, viewer, client, message)
  for (const [ownerId, file] of world.files) {
    const { result } = await client.get(file)
    const what = `${viewer.id} opens ${file}`
    assert.equal(result === 'success', mayOpen(world, viewer, ownerId, file), what)
  }
  await checkRegister(world, viewer, client, books, replayed)
}

interface Fetched {
  readonly id: number
  readonly flags: readonly string[]
}

/** The messages that someone can fetch by their IDs, and which of them are flagged. */
async function byFlags(client: Client, ids: readonly number[]): Promise<Record<string, number[]>> {
  const reply = await client.get('/messages', { message_ids: ids })
  const messages = (reply.messages ?? []) as Fetched[]
  const having = (flag: string) => messages.filter(({ flags }) => flags.includes(flag))
  return {
    byIds: messages.map(({ id }) => id),
    historical: having('historical').map(({ id }) => id),
    flagged: having('starred').map(({ id }) => id),
  }
}

function idsOf(reply: Reply): number[] {
  return ((reply.messages ?? []) as { id: number }[]).map(({ id }) => id)
}

function newestOfTopics(messages: readonly Message[]): number[] {
  const newest = new Map<string, number>()
  for (const { topic, id } of messages) newest.set(topic, Math.max(id, newest.get(topic) ?? 0))
  return [...newest.values()]
}

async function checkMessage(
  world: World,
  viewer: Person,
  client: Client,
  message: Message,
): Promise<void> {
  const isReadable = mayRead(world, viewer, message)
  const fetched = await client.get(`/messages/${message.id}`)
  const what = `message ${message.id} for ${viewer.id}`
  assert.equal(fetched.raw_content, isReadable ? message.content : undefined, what)
  const history = await client.get<{ message_history?: { content: string }[] }>(
    `/messages/${message.id}/history`,
  )
  const shown = isReadable && world.showsEditHistory
  assert.equal(history.result === 'success', shown, `history of ${what}`)
}

async function checkRegister(
  world: World,
  viewer: Person,
  client: Client,
  books: Books,
  replayed: Flags | undefined,
): Promise<void> {
  const state = await client.post<{
    streams?: { stream_id: number }[]
    subscriptions?: { stream_id: number }[]
    unread_msgs?: UnreadMessages
    starred_messages?: number[]
  }>('/register', {
    fetch_event_types: ['stream', 'subscription', 'update_message_flags', 'starred_messages'],
    client_capabilities: { archived_channels: true },
  })
  assert.equal(state.result === 'success', viewer.active)
  if (!viewer.active) return
  const ours = (list: { stream_id: number }[] = []) =>
    list.map(({ stream_id }) => stream_id).filter((id) => world.channels.has(id))
  const channels = [...world.channels.values()]
  requireEqual(
    { streams: ours(state.streams), subscriptions: ours(state.subscriptions) },
    {
      streams: channels.filter((one) => mayKnow(world, viewer, one)).map(({ id }) => id),
      subscriptions: channels.filter((one) => isSubscribed(one, viewer.id)).map(({ id }) => id),
    },
    `channels of ${viewer.id}`,
  )
  const unread = unreadIn(state).filter((id) => world.messages.has(id))
  const kept = books.unreadOf(viewer.id)
  const sure = [...kept].filter(([, how]) => how === 'surely').map(([id]) => id)
  const doubtful = unread.filter((id) => kept.get(id) === 'possibly')
  requireEqual({ unread }, { unread: [...sure, ...doubtful] }, `unread messages of ${viewer.id}`)
  const isOwn = (id: number) => isOwnHistory(world, viewer, world.messages.get(id) as Message)
  const ownUnread = unread.filter(isOwn)
  const narrowed = await client.get('/messages', { ...window, narrow: [['is', 'unread']] })
  const starred = [...world.messages.values()].filter(
    (message) => message.stars.has(viewer.id) && mayRead(world, viewer, message),
  )
  requireEqual(
    {
      unread: idsOf(narrowed).filter((id) => world.messages.has(id)),
      starred: state.starred_messages ?? [],
    },
    { unread: ownUnread, starred: starred.map(({ id }) => id) },
    `flags of ${viewer.id}`,
  )
  if (ownUnread.length > 0) {
    const params = { anchor: 'first_unread', num_before: 0, num_after: 0 }
    const { anchor } = await client.get('/messages', params)
    assert.equal(anchor, Math.min(...ownUnread), `first unread message of ${viewer.id}`)
  }
  if (!replayed) return
  requireEqual(
    { unread: unreadIn(replayed), starred: replayed.starred_messages ?? [] },
    { unread: unreadIn(state), starred: state.starred_messages ?? [] },
    `what the events left in a client of ${viewer.id}`,
  )
}
