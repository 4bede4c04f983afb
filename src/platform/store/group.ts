import type { PlacedEvent, Queues } from '#platform/events/queues.ts'
import type { ServerEvent } from '#platform/events/types.ts'
import { announceTo, type Listeners } from './occasions.ts'
import type { Read, StepTimer, Tx } from './store.ts'

/** A write that waits for its commit. */
export interface Pending {
  readonly fn: (tx: Tx) => unknown
  readonly timed: StepTimer
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** What a store needs of the event queues. */
export type StoreQueues = Pick<
  Queues,
  'place' | 'record' | 'deliver' | 'liveUsers' | 'reachedBy' | 'isListening'
>

/** What all groups of a store use. */
export interface GroupParts {
  readonly read: Read
  readonly queues: StoreQueues
  readonly listeners: Listeners
  /** Runs a write in a savepoint, to which a throw returns. */
  readonly savepoint: (fn: Pending['fn'], tx: Tx) => unknown
  /** Receives the errors of what must not stop the rest. */
  readonly report: (error: unknown) => void
}

/** A write that has run, with what follows once it is on disk. */
interface Done {
  readonly emitted: readonly Emission[]
  readonly after: readonly (() => void)[]
  readonly timed: StepTimer
  reply(): void
}

/** An event of a write, with its place in queues, decided before the commit. */
interface Emission {
  readonly event: ServerEvent
  readonly users: readonly number[]
  placed: readonly PlacedEvent[]
}

/** How long the writes of a group may take, in milliseconds, before the others have to wait. */
const mostGroupMs = 10

/**
 * The writes of one commit, in its phases: `run`, `place` and `record` inside the transaction,
 * `settle` once it is on disk, or `fail`.
 */
export class Group {
  readonly #parts: GroupParts
  #writes: readonly Pending[]
  /** In order. A failed write is rolled back, and only has its answer. */
  readonly #done: Done[] = []
  readonly #hooks = new Set<(read: Read) => void>()
  #afterRecord = () => {}
  /** The error of the write that aborted the transaction. */
  #lostBy: unknown

  /** @param writes all that wait; `run` leaves those for which there is no time */
  constructor(parts: GroupParts, writes: readonly Pending[]) {
    this.#parts = parts
    this.#writes = writes
  }

  /** How many of the waiting writes belong to the group. */
  get size(): number {
    return this.#writes.length
  }

  /** Runs writes until they have taken their time, one at least. */
  run(): void {
    const { clock } = this.#parts.read
    const until = clock.elapsed() + mostGroupMs
    let ran = 0
    for (const write of this.#writes) {
      this.#runOne(write)
      ran += 1
      if (clock.elapsed() >= until) break
    }
    this.#writes = this.#writes.slice(0, ran)
  }

  /** Decides who gets the events once all writes have run, as of the commit. */
  place(): void {
    const { queues, read } = this.#parts
    this.#requireTransaction()
    for (const hook of this.#hooks) hook(read)
    for (const { emitted, timed } of this.#done) {
      for (const emission of emitted) {
        // If one cannot be placed, the others must still go out, and the rows are good.
        this.#attempt(() =>
          timed(() => {
            emission.placed = queues.place(emission.event, emission.users)
          }),
        )
      }
    }
    this.#requireTransaction()
  }

  /** Stores the events for their queues. */
  record(): void {
    const placed = this.#done.flatMap(({ emitted }) => emitted.flatMap((each) => each.placed))
    this.#afterRecord = this.#parts.queues.record(this.#parts.read, placed)
  }

  /**
   * Delivers the events and answers the callers. The rows are on disk: an error in one step must
   * not keep the other events and answers.
   */
  settle(): void {
    const { queues } = this.#parts
    this.#attempt(this.#afterRecord)
    for (const { after, emitted, timed } of this.#done) {
      for (const step of after) this.#attempt(() => timed(step))
      for (const { placed } of emitted) {
        this.#attempt(() => timed(() => queues.deliver(placed)))
      }
    }
    for (const { reply } of this.#done) this.#attempt(reply)
  }

  /** Answers all callers that nothing was stored. */
  fail(error: unknown): void {
    for (const { reject } of this.#writes) reject(error)
  }

  #runOne({ fn, timed, resolve, reject }: Pending): void {
    const emitted: Emission[] = []
    const after: (() => void)[] = []
    this.#requireTransaction()
    try {
      const result = this.#parts.savepoint(fn, this.#open(emitted, after))
      // Nothing may fail here: the write can no longer be rolled back alone.
      this.#done.push({ emitted, after, timed, reply: () => resolve(result as never) })
    } catch (error) {
      if (!this.#isOpen) this.#lostBy ??= error
      this.#done.push({ emitted: [], after: [], timed, reply: () => reject(error) })
    }
  }

  #open(emitted: Emission[], after: (() => void)[]): Tx {
    const { read, queues, listeners } = this.#parts
    const tx: Tx = {
      db: read.db,
      clock: read.clock,
      config: read.config,
      liveUsers: queues.liveUsers(),
      isListening: (userId) => queues.isListening(userId),
      emit(event, audience) {
        // Evaluated now, so that later writes of the group do not change who gets this event.
        const users =
          typeof audience === 'function' ? [...queues.reachedBy(event)].filter(audience) : audience
        emitted.push({ event, users, placed: [] })
      },
      announce: (occasion, facts) => announceTo(listeners, tx, occasion, facts),
      beforeCommit: (hook) => void this.#hooks.add(hook),
      afterCommit: (hook) => void after.push(hook),
    }
    return tx
  }

  get #isOpen(): boolean {
    return this.#parts.read.db.$client.inTransaction
  }

  /** A full disk aborts the whole transaction; later writes must not commit on their own. */
  #requireTransaction(): void {
    if (!this.#isOpen) throw this.#lostBy ?? new Error('The transaction was lost.')
  }

  #attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#parts.report(error)
    }
  }
}
