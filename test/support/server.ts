import assert from 'node:assert/strict'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { type ManualClock, manualClock } from '#platform/clock.ts'
import { extendedErrorMembers, extendedHeader } from '#platform/http/extended-errors.ts'
import { fixtureTime } from '#program/fixture/options.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { createServer, type Server, type ServerOptions } from '#program/server.ts'
import {
  assertConforms,
  assertDescribed,
  assertPlaced,
  checked,
  plainFetch,
} from './conformance.ts'
import { noteExchange } from './exchanges.ts'
import { type Answer, type SendOptions, send, sendWithin } from './send.ts'

/**
 * Who acts in a test: the roles stand for people of the fixture organization, the same everywhere.
 * An `outsider` is a member who subscribes to little: Verona and what everyone subscribes to.
 */
const actors = {
  owner: { id: 9, email: 'desdemona@zulip.com' },
  admin: { id: 11, email: 'iago@zulip.com' },
  moderator: { id: 15, email: 'shiva@zulip.com' },
  member: { id: 10, email: 'hamlet@zulip.com' },
  guest: { id: 13, email: 'polonius@zulip.com' },
  outsider: { id: 6, email: 'AARON@zulip.com' },
  bot: { id: 16, email: 'default-bot@zulip.com' },
  cordelia: { id: 8, email: 'cordelia@zulip.com' },
  othello: { id: 12, email: 'othello@zulip.com' },
  prospero: { id: 14, email: 'prospero@zulip.com' },
  zoe: { id: 7, email: 'ZOE@zulip.com' },
} as const
export type Actor = keyof typeof actors

/** Who may do what only administrators may, for tables of permissions. */
export const administrators: readonly (readonly [Actor, boolean])[] = [
  ['owner', true],
  ['admin', true],
  ['moderator', false],
  ['member', false],
  ['guest', false],
  ['bot', false],
]

/**
 * Channels of the fixture by what they are. Subscribed to `public` (Denmark): owner, admin,
 * moderator, member, othello, prospero, zoe, but neither the outsider nor the guest; to `shared`
 * (Verona): everyone, the guest too; to `private` (core team): owner, admin, member; to
 * `webPublic` (Rome): zoe alone; to `announce`, where only administrators post: everyone.
 */
const channels = { public: 4, shared: 3, private: 8, webPublic: 5, announce: 9 } as const
export type Channel = keyof typeof channels

/** The parsed envelope of an answer; `status`, its HTTP status, does not count in `deepEqual`. */
export type Reply<T extends object = Record<string, unknown>> = T & {
  readonly result: string
  readonly msg: string
  readonly status: number
}

/** An event as a client receives it, without its `id`. */
export interface Event {
  readonly type: string
  readonly [member: string]: unknown
}

/** Parameters of a call: strings go as they are, everything else as JSON. */
export type CallParams = Readonly<Record<string, unknown>>

export interface Watch {
  readonly queueId: string
  /** The reply of `POST /register`. */
  readonly state: Readonly<Record<string, unknown>>
  /** The events that wait now, and acknowledges them. */
  drain(): Promise<Event[]>
  /** The next events, waiting for one. */
  next(): Promise<Event[]>
}

export interface Client {
  readonly id: number
  readonly email: string
  readonly apiKey: string
  get<T extends object = Record<string, unknown>>(
    path: string,
    params?: CallParams,
  ): Promise<Reply<T>>
  post<T extends object = Record<string, unknown>>(
    path: string,
    params?: CallParams,
  ): Promise<Reply<T>>
  patch<T extends object = Record<string, unknown>>(
    path: string,
    params?: CallParams,
  ): Promise<Reply<T>>
  put<T extends object = Record<string, unknown>>(
    path: string,
    params?: CallParams,
  ): Promise<Reply<T>>
  del<T extends object = Record<string, unknown>>(
    path: string,
    params?: CallParams,
  ): Promise<Reply<T>>
  /** The same calls by a client that asks for what errors say beyond the contract. */
  readonly extended: TestServer['anonymous']
  /** Registers a queue for these types of events: all types when none is named. */
  watch(...eventTypes: string[]): Promise<Watch>
  /** The same with further parameters of `POST /register`. */
  watchWith(params: CallParams): Promise<Watch>
}

export interface TestServer {
  readonly url: string
  readonly server: Server
  /** Stands still until the test moves it on. */
  readonly clock: ManualClock
  /** User ids. */
  readonly ids: Readonly<Record<Actor, number>>
  readonly channels: Readonly<Record<Channel, number>>
  as(actor: Actor): Client
  /** A new account, in no channel: a member unless another role is given. */
  enroll(name: string, role?: number): Promise<Client>
  /**
   * Sends any request without a socket, and follows no redirect. Use the global `fetch` with `url`
   * to have it go through one.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Calls without credentials. */
  readonly anonymous: Pick<Client, 'get' | 'post' | 'patch' | 'put' | 'del'>
  /** Sends a message to a channel or to people, and returns its id. */
  say(
    actor: Actor,
    to: Channel | readonly Actor[],
    topic?: string,
    content?: string,
  ): Promise<number>
  /** Waits for what the server does by itself, such as what fell due when the clock moved on. */
  settled(): Promise<void>
  close(): Promise<void>
}

const day = 24 * 3600 * 1000

interface Arrangement {
  readonly channelNotices?: boolean
  readonly socket?: boolean
}

/**
 * A server of its own with the fixture organization, in memory. Unless configured, it has no mail.
 * Calls go to it without a socket, although it listens on a free port, at `url`.
 *
 * @param options.socket calls go through one, where that is a part of what is tested: addresses,
 *   connections, long polls that break off
 * @param options.channelNotices whether the organization has its default, by which Notification Bot
 *   writes of what happens to a channel into it. Without, a new channel is empty
 */
export async function startServer({
  channelNotices = false,
  socket = false,
  ...options
}: Partial<ServerOptions> & Arrangement = {}): Promise<TestServer> {
  const clock = manualClock(fixtureTime + day)
  const server = await createServer({
    data: ':memory:',
    port: 0,
    clock,
    ...options,
    fixture: fixtureOf(options.fixture),
    config: { logLevel: 'silent', keepMail: false, ...options.config },
  })
  if (!channelNotices && options.fixture !== false) {
    await server.context.store.write((tx) =>
      setRealmSetting(tx, 'send_channel_events_messages', false),
    )
  }
  const base: Base = {
    url: server.url,
    send: !socket ? sendWithin(server) : server.url.startsWith('http:') ? send : plainFetch,
  }
  const as = (actor: Actor): Client => client(base, actors[actor])
  const enroll = async (name: string, role = 400): Promise<Client> => {
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`
    const owner = as('owner')
    const made = await owner.post<{ user_id: number }>('/users', {
      email,
      full_name: name,
      password: `the password of ${name}`,
    })
    assert.equal(made.result, 'success', made.msg)
    const { apiKey } = findUser(server.context.store, made.user_id) ?? {}
    assert.ok(apiKey)
    const person = client(base, { id: made.user_id, email, apiKey })
    const joined = await person.get<{ subscriptions: { name: string }[] }>(
      '/users/me/subscriptions',
    )
    const subscriptions = joined.subscriptions.map((channel) => channel.name)
    await person.del('/users/me/subscriptions', { subscriptions })
    if (role !== 400) await owner.patch(`/users/${made.user_id}`, { role })
    return person
  }
  const ask = checked((url, init) => server.fetch(new Request(url, init)))
  return {
    url: server.url,
    fetch: (path, init) => ask(server.url + path, init),
    server,
    clock,
    ids: mapValues(actors, ({ id }) => id),
    channels,
    as,
    enroll,
    anonymous: methods(base, {}),
    async say(actor, to, topic = 'plans', content = 'Hello.') {
      const place =
        typeof to === 'string'
          ? { type: 'channel', to: channels[to], topic }
          : { type: 'direct', to: to.map((name) => actors[name].id) }
      const reply = await as(actor).post<{ id: number }>('/messages', { ...place, content })
      assert.equal(reply.result, 'success', reply.msg)
      return reply.id
    },
    settled: () => server.settled(),
    close: () => server.close(),
  }
}

/** Where a server is, and how requests get there. */
interface Base {
  readonly url: string
  send(url: string, options: SendOptions): Promise<Answer>
}

function client(
  base: Base,
  {
    id,
    email,
    apiKey = fixtureApiKey(email),
  }: { id: number; email: string; apiKey?: string | undefined },
): Client {
  const basic = Buffer.from(`${email}:${apiKey}`).toString('base64')
  const credentials = { authorization: `Basic ${basic}` }
  const call = methods(base, credentials)
  async function watchWith(params: CallParams): Promise<Watch> {
    const state = await call.post<{ queue_id: string; last_event_id: number }>('/register', params)
    assert.equal(state.result, 'success', state.msg)
    let last = state.last_event_id
    async function poll(dontBlock: boolean): Promise<Event[]> {
      const reply = await call.get<{ events: (Event & { id: number })[] }>('/events', {
        queue_id: state.queue_id,
        last_event_id: last,
        dont_block: dontBlock,
      })
      assert.equal(reply.result, 'success', reply.msg)
      last = reply.events.at(-1)?.id ?? last
      return reply.events.map(({ id: _, ...event }) => event)
    }
    return {
      queueId: state.queue_id,
      state,
      drain: () => poll(true),
      next: () => poll(false),
    }
  }
  return {
    ...call,
    id,
    email,
    apiKey,
    extended: methods(base, credentials, true),
    watchWith,
    watch: (...types) => watchWith(types.length > 0 ? { event_types: types } : {}),
  }
}

const extendedNames = Object.keys(extendedErrorMembers)

/**
 * The five verbs; parameters go into the query for GET, into a form otherwise. Every error is asked
 * for the members that the contract does not have, which are checked.
 *
 * @param isExtended whether replies keep them
 */
function methods(
  base: Base,
  headers: Record<string, string>,
  isExtended = false,
): TestServer['anonymous'] {
  async function call<T extends object>(
    method: string,
    path: string,
    params: CallParams = {},
  ): Promise<Reply<T>> {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined)
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const query = method === 'GET' && form.size > 0 ? `?${form}` : ''
    const response = await base.send(`${base.url}/api/v1${path}${query}`, {
      method,
      headers: { ...headers, [extendedHeader]: 'true' },
      ...(method !== 'GET' && { body: form }),
    })
    const body = (await response.json()) as Reply<T>
    if (body.result === 'error') assertPlaced(method, path, body, form)
    if (!isExtended) for (const name of extendedNames) Reflect.deleteProperty(body, name)
    noteExchange({ method, path, sent: form, status: response.status, answer: body })
    assertConforms(method, path, response.status, body)
    if (body.result === 'success') assertDescribed(method, path, form)
    return Object.defineProperty(body, 'status', { value: response.status, enumerable: false })
  }
  return {
    get: (path, params) => call('GET', path, params),
    post: (path, params) => call('POST', path, params),
    patch: (path, params) => call('PATCH', path, params),
    put: (path, params) => call('PUT', path, params),
    del: (path, params) => call('DELETE', path, params),
  }
}

function mapValues<K extends string, A, B>(from: Record<K, A>, fn: (value: A) => B): Record<K, B> {
  return Object.fromEntries(
    Object.entries<A>(from).map(([key, value]) => [key, fn(value)]),
  ) as Record<K, B>
}

/** Members of the tests' organization see placeholders for addresses: what is hidden gets tested. */
function fixtureOf(fixture: ServerOptions['fixture'] = true): ServerOptions['fixture'] {
  if (fixture === false) return false
  return { hideAddresses: true, ...(fixture !== true && fixture) }
}
