import type { Clock } from '#platform/clock.ts'
import type { PlacedEvent, Queues } from '#platform/events/queues.ts'
import type { Audience, ServerEvent } from '#platform/events/types.ts'
import { type CommitTimes, recordCommit } from './commits.ts'
import type { Db } from './open.ts'

/** Something to read from: the store, or an open transaction. */
export interface Read {
  readonly db: Db
  readonly clock: Clock
}

/** An open write transaction. Only functions that take a Tx change rows. */
export interface Tx extends Read {
  /** The IDs of the users who have an event queue. */
  readonly liveUsers: ReadonlySet<number>
  /** Whether a user has a client that gets messages and has asked for events lately. */
  isListening(userId: number): boolean
  /** Keeps `event` until the commit, then delivers it to `audience`, in order. */
  emit(event: ServerEvent, audience: Audience): void
  /**
   * Runs `fn` at the end of the group commit, inside its transaction, once however many writes ask
   * for it: for work that is cheaper in bulk. A throw fails the whole group.
   */
  beforeCommit(fn: (read: Read) => void): void
  /** Runs `fn` after the commit, before the events of this write are delivered. Must not throw. */
  afterCommit(fn: () => void): void
}

export interface Store extends Read {
  /**
   * Runs `fn`, which must not await, in the next group commit. A throw rolls back `fn` alone.
   *
   * @param timed runs what follows the commit, so that it can be charged for, too
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

/** An event of a write, with the queues and forms in which it is placed before the commit. */
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
 * The events are stored in the same transaction, for the queues that get them, so that a crash loses
 * none; they are delivered and promises resolved after the COMMIT, in commit order, so no client
 * sees a change that a crash can undo. The rows are on disk by then, so an error in one step must not
 * stop the others.
 *
 * @param report receives the errors thrown after the COMMIT
 * @param onCommit receives what each commit took. Must not throw
 */
export function createStore(
  db: Db,
  clock: Clock,
  queues: Pick<Queues, 'place' | 'record' | 'deliver' | 'liveUsers' | 'isListening'>,
  report: (error: unknown) => void = rethrowLater,
  onCommit: (times: CommitTimes) => void = () => {},
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

  /** What a write emits is decided once all writes of the group have run: as of the commit. */
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
      { db, clock },
      emissions.flatMap(({ placed }) => placed),
    )
  }

  function commit(): void {
    const all = waiting
    waiting = []
    let group = all
    const outbox: (() => void)[] = []
    const answers: (() => void)[] = []
    const emissions: Emission[] = []
    const last = new Set<(read: Read) => void>()
    let lostBy: unknown
    const runOne = ({ fn, timed, resolve, reject }: Pending) => {
      const emitted: Emission[] = []
      const after: (() => void)[] = []
      const tx: Tx = {
        db,
        clock,
        liveUsers: queues.liveUsers(),
        isListening: queues.isListening,
        emit(event, audience) {
          // Evaluated now, so that later writes of the group do not change who gets this event.
          const users =
            typeof audience === 'function' ? [...queues.liveUsers()].filter(audience) : audience
          emitted.push({ event, users, timed, placed: [] })
        },
        beforeCommit: (hook) => void last.add(hook),
        afterCommit: (hook) => void after.push(hook),
      }
      requireTransaction(lostBy)
      try {
        const result = savepoint(fn, tx)
        emissions.push(...emitted)
        const deliveries = emitted.map((emission) => () => queues.deliver(emission.placed))
        for (const step of [...after, ...deliveries]) outbox.push(() => timed(step))
        answers.push(() => resolve(result as never))
      } catch (error) {
        if (!db.$client.inTransaction) lostBy ??= error
        answers.push(() => reject(error))
      }
    }
    const times = { began: clock.elapsed(), ran: 0, placed: 0 }
    try {
      commitGroup.immediate(() => {
        group = all.slice(0, runSome(all, runOne, clock))
        times.ran = clock.elapsed()
        requireTransaction(lostBy)
        for (const hook of last) hook({ db, clock })
        for (const emission of emissions) place(emission)
        requireTransaction(lostBy)
        outbox.unshift(record(emissions))
        times.placed = clock.elapsed()
      })
    } catch (error) {
      recordCommit({ db, clock }, error)
      for (const { reject } of group) reject(error)
      return
    } finally {
      putBack(all.slice(group.length))
    }
    recordCommit({ db, clock })
    const stored = clock.elapsed()
    onCommit({
      writes: group.length,
      ms: stored - times.began,
      functionsMs: times.ran - times.began,
      eventsMs: times.placed - times.ran,
      diskMs: stored - times.placed,
    })
    for (const step of [...outbox, ...answers]) {
      try {
        step()
      } catch (error) {
        // The rows are on disk, so the other events and replies must still go out.
        report(error)
      }
    }
  }

  /** Lets the event loop turn before the rest: who only reads does not wait for all who write. */
  function putBack(rest: readonly Pending[]): void {
    if (rest.length === 0) return
    if (waiting.length === 0) setImmediate(commit)
    waiting = [...rest, ...waiting]
  }

  return {
    db,
    clock,
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
