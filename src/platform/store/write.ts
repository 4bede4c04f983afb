import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { PlacedEvent, Queues } from '#platform/events/queues.ts'
import type { Audience, ServerEvent } from '#platform/events/types.ts'
import { type CommitTimes, recordCommit } from './commits.ts'
import { announceTo, type Listeners, type Occasion } from './occasions.ts'
import type { Db } from './open.ts'

/** Something to read from: the store, or an open transaction. */
export interface Read {
  readonly db: Db
  readonly clock: Clock
  readonly config: Config
}

/** An open write transaction. Only functions that take a Tx change rows. */
export interface Tx extends Read {
  /** The IDs of the users who have an event queue. */
  readonly liveUsers: ReadonlySet<number>
  /** Whether a user has a client that gets messages and has asked for events lately. */
  isListening(userId: number): boolean
  /** Keeps `event` until the commit, then delivers it to `audience`, in order. */
  emit(event: ServerEvent, audience: Audience): void
  /** Runs what the features' manifests do on this occasion, at once. */
  announce<Facts>(occasion: Occasion<Facts>, facts: Facts): void
  /**
   * Runs `fn` at the end of the group commit, inside its transaction, once however many writes ask
   * for it: for work that is cheaper in bulk. A throw fails the whole group.
   */
  beforeCommit(fn: (read: Read) => void): void
  /**
   * Runs `fn` after the commit, before the events of this write are delivered. It must not throw.
   */
  afterCommit(fn: () => void): void
}

export interface Store extends Read {
  /**
   * Runs `fn`, which must not await, in the next group commit. A throw rolls back `fn` alone.
   *
   * @param timed runs what follows the commit, so that the caller pays for it
   */
  write<T>(fn: (tx: Tx) => T, timed?: Timed): Promise<T>
  /** Commits the waiting writes, then closes the database. */
  close(): void
}

/** Runs `step` once, at once. */
export type Timed = (step: () => void) => void

interface Pending {
  fn: (tx: Tx) => unknown
  timed: Timed
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/** A write of the group that has run, with what follows once it is on disk. */
interface Done {
  readonly emitted: readonly Emission[]
  readonly after: readonly (() => void)[]
  readonly timed: Timed
  answer(): void
}

/** An event of a write, with its place in queues, decided before the commit. */
interface Emission {
  readonly event: ServerEvent
  readonly users: readonly number[]
  readonly timed: Timed
  placed: readonly PlacedEvent[]
}

/** How long the writes of a group may take, in milliseconds, before the others have to wait. */
const mostGroupMs = 10

/**
 * Creates the only writer: it commits the writes of one turn of the event loop in one transaction,
 * as many as fit into some milliseconds.
 *
 * The events are stored in the same transaction, for the queues that get them, so that a crash
 * loses none; they are delivered and promises resolved after the COMMIT, in commit order, so no
 * client sees a change that a crash can undo. The rows are on disk by then, so an error in one step
 * must not stop the others.
 *
 * @param report receives the errors thrown after the COMMIT
 * @param onCommit receives the cost of each commit. Must not throw
 * @param listeners the reactions of features to announced occasions
 */
export function createStore(
  db: Db,
  clock: Clock,
  config: Config,
  queues: Pick<Queues, 'place' | 'record' | 'deliver' | 'liveUsers' | 'reachedBy' | 'isListening'>,
  report: (error: unknown) => void = rethrowLater,
  onCommit: (times: CommitTimes) => void = () => {},
  listeners: Listeners = new Map(),
): Store {
  let waiting: Pending[] = []
  const savepoint = db.$client.transaction((fn: Pending['fn'], tx: Tx) => {
    const result = fn(tx)
    if (result instanceof Promise) throw new TypeError('A write must not be asynchronous.')
    return result
  })

  const commitGroup = db.$client.transaction((run: () => void) => run())

  /**
   * A full disk aborts the whole transaction; later writes must not commit on their own.
   *
   * @param lostBy the error of the write that aborted it
   */
  function requireTransaction(lostBy: unknown): void {
    if (!db.$client.inTransaction) throw lostBy ?? new Error('The transaction was lost.')
  }

  /**
   * The recipients of events are decided once all writes of the group have run, as of the commit.
   */
  function place(emission: Emission): void {
    try {
      emission.timed(() => {
        emission.placed = queues.place(emission.event, emission.users)
      })
    } catch (error) {
      // The other events must still go out, and the rows are good.
      report(error)
    }
  }

  function record(emissions: readonly Emission[]): () => void {
    return queues.record(
      { db, clock, config },
      emissions.flatMap(({ placed }) => placed),
    )
  }

  function commit(): void {
    const all = waiting
    waiting = []
    let group = all
    /** In order. A failed write is rolled back, and only has its answer. */
    const done: Done[] = []
    let finishRecord = () => {}
    const last = new Set<(read: Read) => void>()
    let lostBy: unknown
    const runOne = ({ fn, timed, resolve, reject }: Pending) => {
      const emitted: Emission[] = []
      const after: (() => void)[] = []
      const tx: Tx = {
        db,
        clock,
        config,
        liveUsers: queues.liveUsers(),
        isListening: queues.isListening,
        emit(event, audience) {
          // Evaluated now, so that later writes of the group do not change who gets this event.
          const users =
            typeof audience === 'function'
              ? [...queues.reachedBy(event)].filter(audience)
              : audience
          emitted.push({ event, users, timed, placed: [] })
        },
        announce: (occasion, facts) => announceTo(listeners, tx, occasion, facts),
        beforeCommit: (hook) => void last.add(hook),
        afterCommit: (hook) => void after.push(hook),
      }
      requireTransaction(lostBy)
      try {
        const result = savepoint(fn, tx)
        // Nothing may fail here: the write can no longer be rolled back alone.
        done.push({ emitted, after, timed, answer: () => resolve(result as never) })
      } catch (error) {
        if (!db.$client.inTransaction) lostBy ??= error
        done.push({ emitted: [], after: [], timed, answer: () => reject(error) })
      }
    }
    const times = { began: clock.elapsed(), ran: 0, placed: 0 }
    try {
      commitGroup.immediate(() => {
        group = all.slice(0, runSome(all, runOne, clock))
        times.ran = clock.elapsed()
        requireTransaction(lostBy)
        for (const hook of last) hook({ db, clock, config })
        const emissions = done.flatMap(({ emitted }) => emitted)
        for (const emission of emissions) place(emission)
        requireTransaction(lostBy)
        finishRecord = record(emissions)
        times.placed = clock.elapsed()
      })
    } catch (error) {
      recordCommit({ db, clock, config }, error)
      for (const { reject } of group) reject(error)
      return
    } finally {
      putBack(all.slice(group.length))
    }
    recordCommit({ db, clock, config })
    const stored = clock.elapsed()
    onCommit({
      writes: group.length,
      ms: stored - times.began,
      functionsMs: times.ran - times.began,
      eventsMs: times.placed - times.ran,
      diskMs: stored - times.placed,
    })
    finish(finishRecord)
    for (const { after, emitted, timed } of done) {
      for (const step of after) finish(() => timed(step))
      for (const { placed } of emitted) finish(() => timed(() => queues.deliver(placed)))
    }
    for (const { answer } of done) finish(answer)
  }

  /** The rows are on disk: an error in one step must not keep the other events and replies. */
  function finish(step: () => void): void {
    try {
      step()
    } catch (error) {
      report(error)
    }
  }

  /**
   * Lets the event loop turn before the rest, so that requests that only read do not wait for all
   * writes.
   */
  function putBack(rest: readonly Pending[]): void {
    if (rest.length === 0) return
    if (waiting.length === 0) setImmediate(commit)
    waiting = [...rest, ...waiting]
  }

  return {
    db,
    clock,
    config,
    write: (fn, timed = (step) => step()) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ fn, timed, resolve, reject }) === 1) setImmediate(commit)
      }),
    close() {
      while (waiting.length > 0) commit()
      db.$client.close()
    },
  }
}

/** Runs writes until they have taken their time. @returns how many ran, one at least */
function runSome(writes: readonly Pending[], run: (write: Pending) => void, clock: Clock): number {
  const until = clock.elapsed() + mostGroupMs
  let ran = 0
  for (const write of writes) {
    run(write)
    ran += 1
    if (clock.elapsed() >= until) break
  }
  return ran
}

function rethrowLater(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
