import { type Signal, signal } from '@preact/signals-core'
import { type Api, CallError } from '#client/api/api.ts'
import type { FeatureEvent, RegisterReply } from '#client/api/wire.ts'
import { setServerOffset } from '#client/ui/server-time.ts'
import { type Clock, systemClock } from './clock.ts'
import { createStore } from './create-store.ts'
import { presenceFromWire } from './from-wire.ts'
import { registration } from './registration.ts'
import type {
  Connection,
  EventsListener,
  FollowQueue,
  QueuePosition,
  Store,
  UpdateMachine,
} from './store.ts'
import { expireTyping } from './typing.ts'

export interface MachineOptions {
  readonly clock?: Clock
  /** Whether the user did something lately, which others see as presence. */
  readonly isActive?: () => boolean
  /** Whether there is a network at all, as far as the browser knows. */
  readonly isOnline?: () => boolean
  /** From 0 to below 1. */
  readonly random?: () => number
  /** The server was restarted: it may have a newer version of this client. */
  readonly onReload?: () => void
  /** The first registration failed, and is tried again. */
  readonly onProblem?: (error: CallError) => void
}

/** The shortest and the longest time between two tries, in milliseconds. */
const shortestWait = 100
const longestWait = 10_000

/**
 * Registers, then keeps the store by events until stopped. A poll that fails is tried again after a
 * while that grows; a queue that the server forgot is registered anew, in place.
 *
 * @throws CallError the server refuses the first registration; while it cannot be reached, this
 *   tries again
 */
export async function startMachine(api: Api, options: MachineOptions = {}): Promise<UpdateMachine> {
  const clock = options.clock ?? systemClock
  const wait = createWait(clock, options.random ?? Math.random)
  for (;;) {
    try {
      const reply = await register(api)
      const store = createStore(reply, clock)
      return new Machine(api, clock, wait, options, { store, position: positionOf(reply) })
    } catch (error) {
      if (!(error instanceof CallError) || !isPassing(error)) throw error
      options.onProblem?.(error)
      await wait.afterFailure(error)
    }
  }
}

/** The stored data of an earlier page. */
export interface EarlierPage {
  readonly store: Store
  readonly position: QueuePosition
  /** Whether this page continues with the queue; otherwise it registers one. */
  readonly isOurs: Promise<boolean>
}

/**
 * Continues from an earlier page immediately: later events are fetched from its queue. If the queue or
 * events of it are gone, the client registers again, in place.
 */
export function resumeMachine(
  api: Api,
  resumed: EarlierPage,
  options: MachineOptions = {},
): UpdateMachine {
  const clock = options.clock ?? systemClock
  return new Machine(api, clock, createWait(clock, options.random ?? Math.random), options, resumed)
}

const positionOf = (reply: RegisterReply): QueuePosition => ({
  queueId: reply.queue_id,
  lastEventId: reply.last_event_id,
  presenceUpdateId: reply.presence_last_update_id,
})

const register = (api: Api) => api.post<RegisterReply>('/register', registration)

/** Whether the same call can succeed later. */
export function isPassing({ code, status }: CallError): boolean {
  return code === 'NETWORK' || status === 408 || status === 429 || status >= 500
}

type Wait = ReturnType<typeof createWait>

/** The pauses between tries: 100 ms at first, then twice as long each time, up to 10 s. */
function createWait(clock: Clock, random: () => number) {
  let failures = 0
  let endWait: (() => void) | undefined
  return {
    reset(): void {
      failures = 0
    },
    /** How long the next pause is, in milliseconds. */
    next(error?: unknown): number {
      const bound = Math.min(longestWait, shortestWait * 2 ** failures)
      failures += 1
      const asked = error instanceof CallError ? (error.retryAfter ?? 0) * 1000 : 0
      return Math.max(asked, bound * (0.5 + random() / 2))
    },
    sleep(ms: number): Promise<void> {
      return new Promise((done) => {
        const cancel = clock.after(ms, done)
        endWait = () => {
          cancel()
          done()
        }
      })
    },
    afterFailure(error: unknown): Promise<void> {
      return this.sleep(this.next(error))
    },
    /** Ends the pause that is on. */
    end(): void {
      endWait?.()
      endWait = undefined
    },
  }
}

class Machine implements UpdateMachine {
  readonly connection: Signal<Connection> = signal<Connection>({ state: 'connected' })
  readonly isCaughtUp: Signal<boolean>
  readonly store: Store
  readonly #api: Api
  readonly #clock: Clock
  readonly #wait: Wait
  readonly #options: MachineOptions
  readonly #isOurs: Promise<boolean> | undefined
  readonly #listeners = new Set<EventsListener>()
  #position: QueuePosition
  #serverGeneration: number
  /** Whether the queue is gone. */
  #needsQueue = false
  /** Whether the queue was registered again, and not polled since. */
  #isQueueNew = false
  /** Whether the last try failed, so that the next poll is to answer immediately. */
  #isRecovering = false
  /** Whether nothing has come from the queue since an earlier page polled it. */
  #isResuming: boolean
  #isStopped = false
  /** Aborts the request that waits for events. */
  #poll: AbortController | undefined
  #follow: FollowQueue | undefined
  #cancelPresence: (() => void) | undefined
  #cancelTyping: (() => void) | undefined

  constructor(
    api: Api,
    clock: Clock,
    wait: Wait,
    options: MachineOptions,
    { store, position, isOurs }: Omit<EarlierPage, 'isOurs'> & Partial<EarlierPage>,
  ) {
    this.#api = api
    this.#clock = clock
    this.#wait = wait
    this.#options = options
    this.store = store
    this.#position = position
    this.#isOurs = isOurs
    this.#isResuming = this.#isRecovering = isOurs !== undefined
    this.isCaughtUp = signal(!this.#isResuming)
    this.#serverGeneration = store.realm.peek().server_generation
    wait.reset()
    void this.#run()
    void this.#reportPresence()
  }

  get queueId(): string {
    return this.#position.queueId
  }

  get position(): QueuePosition {
    return this.#position
  }

  onEvents(listener: EventsListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  useStreams(follow: FollowQueue): void {
    this.#follow = follow
    this.#poll?.abort()
  }

  wake(): void {
    this.#wait.reset()
    this.#wait.end()
    // A connection that did not survive a sleep would be noticed late.
    this.#isRecovering = true
    this.#poll?.abort()
    const { state } = this.connection.peek()
    if (state !== 'logged-out') void this.#reportPresence()
  }

  stop(): void {
    this.#isStopped = true
    this.#poll?.abort()
    this.#wait.end()
    this.#cancelPresence?.()
    this.#cancelTyping?.()
  }

  async #run(): Promise<void> {
    this.#needsQueue = (await this.#isOurs) === false
    while (!this.#isStopped) {
      try {
        if (this.#needsQueue) await this.#registerAgain()
        const follow = this.#isRecovering ? undefined : this.#follow
        if (!follow || !(await this.#followOnce(follow))) await this.#pollOnce()
      } catch (error) {
        if (this.#isStopped) return
        if (error === woken) continue
        if (this.#isFatal(error)) return
        await this.#pause(error)
      }
    }
  }

  async #followOnce(follow: FollowQueue): Promise<boolean> {
    this.#poll = new AbortController()
    const take = (events: readonly FeatureEvent[]) => {
      if (!this.#isStopped) this.#take(events)
      return !this.#isStopped && !this.#needsQueue
    }
    return await follow(this.#position, take, this.#poll.signal)
  }

  async #pollOnce(): Promise<void> {
    const controller = new AbortController()
    this.#poll = controller
    let isTooLong = false
    const cancelTimer = this.#clock.after(this.#pollSeconds() * 1000, () => {
      isTooLong = true
      controller.abort()
    })
    try {
      const { events } = await this.#api.get<{ events: readonly FeatureEvent[] }>(
        '/events',
        {
          queue_id: this.#position.queueId,
          last_event_id: this.#position.lastEventId,
          ...(this.#isRecovering && { dont_block: true }),
        },
        { signal: controller.signal },
      )
      if (this.#isStopped) return
      this.#take(events)
    } catch (error) {
      throw controller.signal.aborted && !isTooLong ? woken : error
    } finally {
      cancelTimer()
      this.#poll = undefined
    }
  }

  #pollSeconds(): number {
    return this.store.realm.peek().event_queue_longpoll_timeout_seconds
  }

  #take(events: readonly FeatureEvent[]): void {
    const [oldest, newest] = [events[0], events.at(-1)]
    if (oldest && newest) {
      const after = this.#position.lastEventId
      if (this.#isResuming && after === -1 && oldest.id !== 0) {
        // The earlier page may have received some that it could not store. The server detects later
        // ones.
        this.#needsQueue = true
        return
      }
      this.#isResuming = false
      this.store.apply(events)
      this.#position = { ...this.#position, lastEventId: newest.id }
      for (const listener of this.#listeners) listener(events, after)
    }
    this.isCaughtUp.value = true
    this.#isRecovering = false
    this.#isQueueNew = false
    this.#wait.reset()
    this.#tellConnected()
    this.#expireTyping()
    this.#noticeNewServer()
  }

  #tellConnected(): void {
    if (this.connection.peek().state !== 'connected') {
      this.connection.value = { state: 'connected' }
    }
  }

  async #registerAgain(): Promise<void> {
    const reply = await register(this.#api)
    if (this.#isStopped) return
    this.#needsQueue = false
    this.#isResuming = false
    this.#position = positionOf(reply)
    this.#isQueueNew = true
    this.store.restart(reply)
    this.isCaughtUp.value = true
    this.#tellConnected()
    this.#noticeNewServer()
  }

  /** Whether there is nothing to try anymore, because nobody is logged in. */
  #isFatal(error: unknown): boolean {
    if (!(error instanceof CallError) || error.status !== 401) return false
    this.connection.value = { state: 'logged-out' }
    this.#cancelPresence?.()
    return true
  }

  async #pause(error: unknown): Promise<void> {
    // An event that could not be applied also leaves an unreliable store.
    if (!(error instanceof CallError && isPassing(error))) this.#needsQueue = true
    const isForgotten = error instanceof CallError && error.code === 'BAD_EVENT_QUEUE_ID'
    this.#isRecovering = true
    if (isForgotten && !this.#isQueueNew) return
    const ms = this.#wait.next(error)
    this.#tell(ms)
    await this.#wait.sleep(ms)
  }

  #tell(ms: number): void {
    const now = this.#clock.now()
    if (this.#options.isOnline?.() === false) {
      this.connection.value = { state: 'offline' }
      return
    }
    const before = this.connection.peek()
    const since = before.state === 'reconnecting' ? before.since : now
    this.connection.value = { state: 'reconnecting', since, nextTry: now + ms }
  }

  #noticeNewServer(): void {
    const { server_generation } = this.store.realm.peek()
    if (server_generation === this.#serverGeneration) return
    this.#serverGeneration = server_generation
    this.#options.onReload?.()
  }

  #expireTyping(): void {
    this.#cancelTyping?.()
    const now = this.#clock.now()
    const next = expireTyping(this.store, now)
    if (next === undefined || this.#isStopped) return
    this.#cancelTyping = this.#clock.after(next - now, () => this.#expireTyping())
  }

  /** Reports the user's presence, gets that of others, and repeats this after a while. */
  async #reportPresence(): Promise<void> {
    this.#cancelPresence?.()
    const { server_presence_ping_interval_seconds } = this.store.realm.peek()
    this.#cancelPresence = this.#clock.after(server_presence_ping_interval_seconds * 1000, () => {
      void this.#reportPresence()
    })
    const isActive = this.#options.isActive?.() ?? true
    try {
      const reply = await this.#api.post<{
        readonly presences: Readonly<
          Record<string, { readonly active_timestamp: number; readonly idle_timestamp: number }>
        >
        readonly presence_last_update_id: number
        readonly server_timestamp: number
      }>('/users/me/presence', {
        status: isActive ? 'active' : 'idle',
        new_user_input: isActive,
        last_update_id: this.#position.presenceUpdateId,
      })
      if (this.#isStopped) return
      // Someone may have set this device's clock since.
      setServerOffset(reply.server_timestamp - this.#clock.now() / 1000)
      this.#position = { ...this.#position, presenceUpdateId: reply.presence_last_update_id }
      this.store.takePresences(
        Object.entries(reply.presences).map(([id, wire]) => [Number(id), presenceFromWire(wire)]),
      )
    } catch (error) {
      // Polls notice problems of the connection; the next report comes anyway.
      if (!(error instanceof CallError)) throw error
    }
  }
}

/** Thrown instead of the failure of a poll that was aborted to try immediately. */
const woken = Symbol('woken')
