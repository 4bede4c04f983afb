import TinyQueue from 'tinyqueue'
import { type Body, referenceBytes } from './bodies.ts'
import type { QueueLimits } from './limits.ts'

/** What memory accounting needs to know of a queue. */
export interface QueueMemory {
  readonly userId: number
  readonly bodies: readonly Body[]
  /** Further events that it holds. */
  readonly waiting: { readonly bodies: readonly Body[] }
  /** The memory of the queue without its events, in bytes. */
  readonly ownBytes: number
  /** The memory of the queue in bytes, counting shared events in full. */
  bytes: number
}

/** Counts the memory of all event queues. */
export interface Memory<Q extends QueueMemory> {
  /** Counts a new queue without events. */
  add(queue: Q): void
  /** Stops counting a queue with all of its events. */
  remove(queue: Q): void
  /** Counts an event added to a queue. */
  hold(queue: Q, body: Body): void
  /** Stops counting events that leave a queue. */
  release(queue: Q, bodies: readonly Body[]): void
  /** The queue to close because its account exceeds a limit after this queue grew, if any. */
  excess(queue: Q): Q | undefined
  /** Whether all queues together exceed their limit. */
  isFull(): boolean
  /** The memory of all queues together, in bytes. */
  total(): number
  /**
   * Closes queues until a quarter of the memory is free: always the heaviest queue of the account
   * that uses most. A shared event counts in equal parts for the queues that hold it, so accounts
   * are not charged for what all of them receive.
   */
  relieve(close: (queue: Q) => void): void
  queuesOf(userId: number): ReadonlySet<Q>
}

interface Account<Q> {
  readonly queues: Set<Q>
  bytes: number
}

const none: ReadonlySet<never> = new Set<never>()

/** @param onFree gets each event that no queue holds anymore */
export function createMemory<Q extends QueueMemory>(
  limits: QueueLimits,
  onFree: (body: Body) => void,
): Memory<Q> {
  const accounts = new Map<number, Account<Q>>()
  let total = 0
  /** How many accounts exceed their limit: mostly none, so that none need be looked at. */
  let overfull = 0

  function accountOf(userId: number): Account<Q> {
    let account = accounts.get(userId)
    if (!account) {
      account = { queues: new Set(), bytes: 0 }
      accounts.set(userId, account)
    }
    return account
  }

  function count(queue: Q, bytes: number): void {
    queue.bytes += bytes
    const account = accountOf(queue.userId)
    const wasOver = account.bytes > limits.userBytes
    account.bytes += bytes
    overfull += Number(account.bytes > limits.userBytes) - Number(wasOver)
  }

  function release(queue: Q, bodies: readonly Body[]): void {
    for (const body of bodies) {
      body.holders -= 1
      total -= referenceBytes + (body.holders === 0 ? body.bytes : 0)
      count(queue, -referenceBytes - body.bytes)
      if (body.holders === 0) onFree(body)
    }
  }

  return {
    add(queue) {
      accountOf(queue.userId).queues.add(queue)
      total += queue.ownBytes
      count(queue, queue.ownBytes)
    },
    remove(queue) {
      release(queue, bodiesOf(queue))
      total -= queue.ownBytes
      count(queue, -queue.ownBytes)
      const { queues } = accountOf(queue.userId)
      queues.delete(queue)
      if (queues.size === 0) accounts.delete(queue.userId)
    },
    hold(queue, body) {
      total += referenceBytes + (body.holders === 0 ? body.bytes : 0)
      body.holders += 1
      count(queue, referenceBytes + body.bytes)
    },
    release,
    excess(queue) {
      if (queue.bytes > limits.queueBytes) return queue
      if (overfull === 0) return undefined
      const { bytes, queues } = accountOf(queue.userId)
      return bytes > limits.userBytes ? heaviest(queues, (one) => one.bytes) : undefined
    },
    isFull: () => total > limits.totalBytes,
    total: () => total,
    relieve(close) {
      const order = byCharge(accounts.values())
      for (let next = order.pop(); next && total > limits.totalBytes * 0.75; next = order.pop()) {
        const [queue, ...rest] = next.queues
        if (!queue) continue
        close(queue.queue)
        order.push({ bytes: next.bytes - queue.bytes, queues: rest })
      }
    },
    queuesOf: (userId) => accounts.get(userId)?.queues ?? none,
  }
}

interface ChargedQueue<Q> {
  readonly queue: Q
  readonly bytes: number
}

/** The memory that an account uses, and its queues, heaviest first. */
interface Charge<Q> {
  readonly bytes: number
  readonly queues: readonly ChargedQueue<Q>[]
}

function byCharge<Q extends QueueMemory>(accounts: Iterable<Account<Q>>): TinyQueue<Charge<Q>> {
  const charges = Array.from(accounts, ({ queues }) => {
    const charged = Array.from(queues, (queue) => ({ queue, bytes: share(queue) }))
    charged.sort((a, b) => b.bytes - a.bytes)
    return { bytes: charged.reduce((sum, { bytes }) => sum + bytes, 0), queues: charged }
  })
  return new TinyQueue(charges, (a, b) => b.bytes - a.bytes)
}

/** The memory of a queue, counting an equal part of each shared event. */
function share(queue: QueueMemory): number {
  return bodiesOf(queue).reduce(
    (sum, { bytes, holders }) => sum + referenceBytes + bytes / holders,
    queue.ownBytes,
  )
}

function bodiesOf({ bodies, waiting }: QueueMemory): readonly Body[] {
  return waiting.bodies.length === 0 ? bodies : [...bodies, ...waiting.bodies]
}

function heaviest<Q>(queues: Iterable<Q>, weight: (queue: Q) => number): Q | undefined {
  let found: Q | undefined
  for (const queue of queues) if (!found || weight(queue) > weight(found)) found = queue
  return found
}
