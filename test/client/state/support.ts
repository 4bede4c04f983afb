import { type Api, CallError } from '#client/api/api.ts'
import type { RegisterReply, WireMessage } from '#client/api/wire.ts'
import { createStore } from '#client/state/create-store.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import type { Message } from '#client/state/model.ts'
import { registration } from '#client/state/registration.ts'
import type { Store } from '#client/state/store.ts'
import type { Client, Event, TestServer, Watch } from '#test/support/server.ts'

/** The client's calls, made to a server of a test. */
export interface TestApi extends Api {
  /** While true, no call reaches the server. */
  isCut: boolean
  /** Called before each call with its method and path; a throw is the call's failure. */
  before: (method: string, path: string) => void | Promise<void>
  /** The calls so far, as `POST /messages`. */
  readonly calls: string[]
}

const methods = { get: 'get', post: 'post', patch: 'patch', put: 'put', delete: 'del' } as const

export function apiOf(client: Client): TestApi {
  const call =
    (name: keyof typeof methods): Api['get'] =>
    async (path, params, options) => {
      const method = name.toUpperCase()
      api.calls.push(`${method} ${path}`)
      await api.before(method, path)
      if (api.isCut) throw new CallError('No network', 'NETWORK', 0)
      const answer = client[methods[name]](path, params)
      const { status, ...reply } = await untilAborted(answer, options?.signal)
      if (status < 400) return reply as never
      const { result: _, msg, code, ...details } = reply as Record<string, unknown>
      throw new CallError(String(msg), String(code), status, details)
    }
  const api: TestApi = {
    isCut: false,
    before: () => undefined,
    calls: [],
    get: call('get'),
    post: call('post'),
    patch: call('patch'),
    put: call('put'),
    delete: call('delete'),
  }
  return api
}

/** The answer with its status, which is not enumerable, or the failure of a call given up. */
async function untilAborted<T extends { readonly status: number }>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(new CallError('Aborted', 'NETWORK', 0))
    if (signal?.aborted) give()
    signal?.addEventListener('abort', give)
  })
  const reply = await Promise.race([answer, aborted])
  return { ...reply, status: reply.status }
}

/** Someone whose store follows the events of a queue. */
export interface Follower {
  readonly client: Client
  readonly store: Store
  readonly watch: Watch
  /** Applies the events that wait. @returns them */
  catchUp(): Promise<readonly Event[]>
  /** A store of a registration of now. */
  anew(): Promise<Store>
  /** The messages that the store has, as the server has them now. */
  fetchKnown(): Promise<Message[]>
}

export async function follow(server: TestServer, client: Client): Promise<Follower> {
  const params = { ...registration, idle_queue_timeout: 7 * 24 * 3600 }
  const watch = await client.watchWith(params)
  const store = createStore(watch.state as unknown as RegisterReply, server.clock)
  return {
    client,
    store,
    watch,
    async catchUp() {
      await server.settled()
      const events = await watch.drain()
      store.apply(events as unknown as Parameters<Store['apply']>[0])
      return events
    },
    async anew() {
      const reply = await client.post<RegisterReply>('/register', registration)
      await client.del('/events', { queue_id: reply.queue_id })
      return createStore(reply, server.clock)
    },
    async fetchKnown() {
      const { messages } = await client.get<{ messages: WireMessage[] }>('/messages', {
        message_ids: [...store.messages.current.keys()],
        allow_empty_topic_name: true,
      })
      return messages.map((message) => messageFromWire(message, store.selfId))
    },
  }
}

/** Storage as browsers have it, but that lasts as long as the test. */
export function memoryStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

/** Waits for what happens in further turns of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  // However many turns that takes: what waits for a socket turns often.
  const deadline = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It never came about that ${holds}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
