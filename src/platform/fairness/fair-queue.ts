import { createTally } from './tally.ts'

/** Does work for clients in fair turns, so that none keeps the others waiting. */
export interface FairQueue {
  /**
   * Does work when it is its client's turn. Clients with the least work under way go first; among
   * them, the one that has waited longest. The work of a client is done in order.
   *
   * @returns what the work does
   * @throws TooManyWaiting; NoLongerWanted the signal was aborted before the turn came
   */
  run<T>(work: Work<T>): Promise<T>
}

/** Work that waits for its turn. Until then it should use next to no memory. */
export interface Work<T> {
  readonly client: string
  /** Counts for `FairLimits.waitingCost`; default: 0. */
  readonly cost?: number
  /** Takes the work out of the queue when aborted. */
  readonly signal?: AbortSignal | undefined
  /** Whether it may always wait, because it is added one at a time. */
  readonly isUnlimited?: boolean | undefined
  run(): Promise<T>
}

export interface FairLimits {
  /** The most work under way at a time, in total and for one client; default: 1. */
  readonly running?: number
  readonly runningPerClient?: number
  /** The most work that may wait, in total and for one client. */
  readonly waiting?: number
  readonly waitingPerClient: number
  /** The most that all waiting work of one client may cost. */
  readonly waitingCost?: number
}

export class TooManyWaiting extends Error {}
export class NoLongerWanted extends Error {}

interface WaitingWork {
  readonly cost: number
  start(): Promise<void>
}

interface Client {
  readonly waiting: WaitingWork[]
  /** A counter of the moment at which it came or last had a turn. */
  turn: number
}

export function createFairQueue(options: FairLimits): FairQueue {
  return new TurnQueue(options)
}

class TurnQueue implements FairQueue {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #mostWaiting: number
  readonly #waitingPerClient: number
  readonly #waitingCost: number
  readonly #running = createTally()
  /** Clients with waiting work. */
  readonly #clients = new Map<string, Client>()
  #count = 0
  #turns = 0

  constructor({
    running: most = 1,
    runningPerClient: mostOfOne = 1,
    waiting: mostWaiting = Number.POSITIVE_INFINITY,
    waitingPerClient,
    waitingCost = Number.POSITIVE_INFINITY,
  }: FairLimits) {
    this.#most = most
    this.#mostOfOne = mostOfOne
    this.#mostWaiting = mostWaiting
    this.#waitingPerClient = waitingPerClient
    this.#waitingCost = waitingCost
  }

  run<T>({ client, cost = 0, signal, isUnlimited, run }: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#leave(client, waiting)
        reject(new NoLongerWanted())
      }
      const waiting: WaitingWork = {
        cost,
        async start() {
          signal?.removeEventListener('abort', giveUp)
          await run().then(resolve, reject)
        },
      }
      if (signal?.aborted) return giveUp()
      if (!isUnlimited && !this.#hasRoom(client, cost)) return reject(new TooManyWaiting())
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#enter(client, waiting)
      this.#startNext()
    })
  }

  /** The client whose turn it is; undefined if all have as much under way as allowed. */
  #next(): string | undefined {
    let found: string | undefined
    let best = { under: this.#mostOfOne, turn: Number.POSITIVE_INFINITY }
    for (const [name, { turn }] of this.#clients) {
      const under = this.#running.of(name)
      if (under >= this.#mostOfOne) continue
      if (under > best.under || (under === best.under && turn >= best.turn)) continue
      found = name
      best = { under, turn }
    }
    return found
  }

  #startNext(): void {
    while (this.#running.total < this.#most) {
      const name = this.#next()
      const client = name === undefined ? undefined : this.#clients.get(name)
      const [first] = client?.waiting ?? []
      if (name === undefined || !client || !first) return
      client.turn = this.#turns++
      this.#leave(name, first)
      this.#running.add(name, 1)
      void first.start().finally(() => {
        this.#running.add(name, -1)
        // Behind the clients that came while it was served.
        const again = this.#clients.get(name)
        if (again && this.#running.of(name) === 0) again.turn = this.#turns++
        this.#startNext()
      })
    }
  }

  #leave(name: string, gone: WaitingWork): void {
    const client = this.#clients.get(name)
    const at = client?.waiting.indexOf(gone) ?? -1
    if (!client || at < 0) return
    client.waiting.splice(at, 1)
    this.#count -= 1
    if (client.waiting.length === 0) this.#clients.delete(name)
  }

  #enter(name: string, work: WaitingWork): void {
    const client = this.#clients.get(name) ?? { waiting: [], turn: this.#turns++ }
    client.waiting.push(work)
    this.#clients.set(name, client)
    this.#count += 1
  }

  #hasRoom(name: string, cost: number): boolean {
    const own = this.#clients.get(name)?.waiting ?? []
    if (this.#count >= this.#mostWaiting || own.length >= this.#waitingPerClient) return false
    return own.reduce((sum, each) => sum + each.cost, cost) <= this.#waitingCost
  }
}
