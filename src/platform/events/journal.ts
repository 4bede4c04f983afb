import type { Clock } from '#platform/clock.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type Body, bodyOf } from './bodies.ts'
import {
  deleteEvents,
  deleteQueue,
  insertEvent,
  insertQueue,
  listEvents,
  listQueues,
  markExact,
  type StoredQueue,
  updateQueue,
} from './queries.ts'
import type { Stretch } from './stretches.ts'

/** The part of a queue that the database has to store. */
export interface JournalQueue {
  readonly number: number
  readonly id: string
  readonly request: object
  readonly lastEventId: number
  /** The newest event that the client is known to have. */
  readonly acknowledgedId: number
  readonly stretches: readonly Stretch[]
  /** The `lastEventId` that the database knows. */
  storedEventId: number
}

/** An event with the queues that get it, and its ID in each. */
export interface QueuedEvent<Q> {
  readonly body: Body
  readonly queues: Q[]
  readonly ids: number[]
}

/** A stored event with the numbers of the queues that may not have acknowledged it. */
export interface StoredBody {
  readonly body: Body
  readonly places: readonly QueuePosition[]
}

interface QueuePosition {
  readonly number: number
  readonly id: number
}

/**
 * Stores event queues, so that none is lost when the process ends: the queues themselves, and each
 * event of a write in the transaction of that write. Acknowledgements are stored later and in bulk:
 * after a crash, clients repeat them with their next poll. Changes wait in memory for the next
 * transaction. If it fails, they are repeated in the one after it.
 */
export interface Journal<Q extends JournalQueue> {
  opened(queue: Q): void
  closed(queue: Q): void
  /** A queue's IDs have advanced, and its client has acknowledged stored events of `bytes`. */
  advanced(queue: Q, bytes: number): void
  /** The stretches of a queue have changed: to be stored before or with the next event. */
  changed(queue: Q): void
  /** No queue holds a stored event anymore. */
  freed(body: Body): void
  /**
   * Stores the events of a group of writes with everything that waits, inside its transaction.
   *
   * @returns a function to call once the transaction is on disk
   */
  record(read: Read, placed: readonly QueuedEvent<Q>[]): () => void
  /** Stores queues as they are now, as the last thing before the server stops. */
  recordEnd(read: Read, queues: Iterable<Q>): void
  /**
   * Reads the queues and their events, oldest first, and marks the stored queues as no longer
   * exact.
   */
  load(read: Read): { queues: StoredQueue[]; events: StoredBody[] }
  /** Whether a queue has changes that are not stored yet. */
  isBehind(queue: Q): boolean
  /** Deletes the queue's row in this transaction. */
  forget(tx: Tx, queue: Pick<Q, 'number'>): void
  /** A number for a new queue that no stored event refers to. */
  nextNumber(): number
  /** Resolves once everything that waits is on disk; immediately if nothing waits. */
  flush(): Promise<void>
  stop(): void
}

/** How long acknowledgements may wait for others, in milliseconds. */
const flushInterval = 10_000
/**
 * Acknowledgements of more than this, in bytes, are stored immediately: a crash would send all of it
 * again.
 */
const mostUnstoredBytes = 1024 * 1024
/** The most queues whose acknowledgements one transaction stores. */
const mostAdvanced = 1000
/**
 * Events that no queue holds are deleted once there are this many, or together with
 * acknowledgements.
 */
const manyFreed = 200

/** @param write stores what waits: it makes an empty write */
export function createJournal<Q extends JournalQueue>(
  clock: Clock,
  write: () => Promise<void>,
): Journal<Q> {
  return new QueueJournal<Q>(clock, write)
}

class QueueJournal<Q extends JournalQueue> implements Journal<Q> {
  readonly #clock: Clock
  readonly #write: () => Promise<void>
  readonly #opened = new Map<number, Q>()
  readonly #closed = new Set<number>()
  readonly #changed = new Set<Q>()
  /** How much each queue has acknowledged that is not stored yet, in bytes. */
  readonly #advanced = new Map<Q, number>()
  #freed: number[] = []
  #lastNumber = 0
  #lastRow = 0
  #isDue = false
  #cancel: (() => void) | undefined

  constructor(clock: Clock, write: () => Promise<void>) {
    this.#clock = clock
    this.#write = write
  }

  opened(queue: Q): void {
    this.#opened.set(queue.number, queue)
  }

  closed(queue: Q): void {
    this.#advanced.delete(queue)
    this.#changed.delete(queue)
    if (!this.#opened.delete(queue.number)) this.#closed.add(queue.number)
    this.#wake()
  }

  advanced(queue: Q, bytes: number): void {
    const sum = (this.#advanced.get(queue) ?? 0) + bytes
    this.#advanced.set(queue, sum)
    if (sum > mostUnstoredBytes && !this.#isDue) this.#storeAdvanced()
    else this.#wake()
  }

  changed(queue: Q): void {
    this.#changed.add(queue)
    this.#wake()
  }

  isBehind(queue: Q): boolean {
    return this.#opened.has(queue.number) || this.#changed.has(queue) || this.#advanced.has(queue)
  }

  freed(body: Body): void {
    if (body.row === 0) return
    this.#freed.push(body.row)
    this.#wake()
  }

  record(read: Read, placed: readonly QueuedEvent<Q>[]): () => void {
    const tx = read as Tx
    for (const queue of this.#opened.values()) insertQueue(tx, rowOf(queue, false))
    for (const number of this.#closed) deleteQueue(read, number)
    for (const queue of this.#changed) updateQueue(read, rowOf(queue, false))
    this.#storeEvents(read, placed)
    const gone = this.#isDue || this.#freed.length >= manyFreed ? this.#freed : []
    deleteEvents(read, gone)
    const stored = this.#isDue ? [...this.#advanced.keys()].slice(0, mostAdvanced) : []
    for (const queue of stored) updateQueue(read, rowOf(queue, false))
    return () => {
      for (const queue of this.#opened.values()) queue.storedEventId = queue.lastEventId
      this.#opened.clear()
      this.#closed.clear()
      for (const queue of this.#changed) queue.storedEventId = queue.lastEventId
      this.#changed.clear()
      if (gone.length > 0) this.#freed = []
      for (const queue of stored) {
        queue.storedEventId = queue.lastEventId
        this.#advanced.delete(queue)
      }
      this.#isDue = false
      if (this.#advanced.size > 0) this.#wake()
    }
  }

  recordEnd(read: Read, queues: Iterable<Q>): void {
    deleteEvents(read, this.#freed)
    for (const queue of queues) updateQueue(read, rowOf(queue, true))
    markExact(read, true)
  }

  load(read: Read): { queues: StoredQueue[]; events: StoredBody[] } {
    const queues = listQueues(read)
    const events = listEvents(read).map(({ id, json, places, newestMessage }) => ({
      body: bodyOf(json, newestMessage, id),
      places: decode(places),
    }))
    markExact(read, false)
    for (const { number } of queues) this.#lastNumber = Math.max(this.#lastNumber, number)
    for (const { body, places } of events) {
      this.#lastRow = body.row
      for (const { number } of places) this.#lastNumber = Math.max(this.#lastNumber, number)
    }
    return { queues, events }
  }

  forget(tx: Tx, { number }: Pick<Q, 'number'>): void {
    deleteQueue(tx, number)
  }

  nextNumber(): number {
    this.#lastNumber += 1
    return this.#lastNumber
  }

  async flush(): Promise<void> {
    if (this.#opened.size > 0 || this.#closed.size > 0) await this.#write()
  }

  stop(): void {
    this.#cancel?.()
  }

  #wake(): void {
    this.#cancel ??= this.#clock.after(flushInterval, () => {
      this.#cancel = undefined
      this.#storeAdvanced()
    })
  }

  #storeAdvanced(): void {
    this.#isDue = true
    // A failed write, such as on a full disk, is tried again with the next one or later.
    this.#write().catch(() => this.#wake())
  }

  #storeEvents(read: Read, placed: readonly QueuedEvent<Q>[]): void {
    for (const { body, queues, ids } of placed) {
      if (queues.length === 0) continue
      this.#lastRow += 1
      body.row = this.#lastRow
      insertEvent(read, {
        id: body.row,
        json: body.json,
        places: encode(queues, ids),
        newestMessage: body.newestMessage,
      })
    }
  }
}

function rowOf(queue: JournalQueue, isExact: boolean): StoredQueue {
  const { number, id, lastEventId, acknowledgedId } = queue
  const request = JSON.stringify(queue.request)
  const stretches = JSON.stringify(queue.stretches)
  return { number, id, request, lastEventId, acknowledgedId, isExact, stretches }
}

function encode(queues: readonly JournalQueue[], ids: readonly number[]): Buffer {
  const pairs = Buffer.allocUnsafe(queues.length * 8)
  for (const [i, { number }] of queues.entries()) {
    pairs.writeUInt32LE(number, 8 * i)
    pairs.writeUInt32LE(ids[i] ?? 0, 8 * i + 4)
  }
  return pairs
}

function decode(places: Buffer): QueuePosition[] {
  return Array.from({ length: Math.floor(places.length / 8) }, (_, i) => ({
    number: places.readUInt32LE(8 * i),
    id: places.readUInt32LE(8 * i + 4),
  }))
}

/** The journal of a server whose database is in memory. */
export function noJournal<Q extends JournalQueue>(): Journal<Q> {
  let lastNumber = 0
  return {
    opened() {},
    closed() {},
    advanced() {},
    changed() {},
    isBehind: () => false,
    freed() {},
    record: () => () => {},
    recordEnd() {},
    load: () => ({ queues: [], events: [] }),
    forget() {},
    nextNumber() {
      lastNumber += 1
      return lastNumber
    },
    flush: async () => {},
    stop() {},
  }
}
