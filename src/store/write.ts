import type { Clock } from '#clock.ts'
import type { Queues } from '#events/queues.ts'
import type { Audience, ServerEvent } from '#events/types.ts'
import type { Db } from './open.ts'

/** Something to read from: the store, or the transaction that is open. */
export interface Read {
  readonly db: Db
  readonly clock: Clock
}

/** An open write. Only what takes a Tx changes rows. */
export interface Tx extends Read {
  /** Who could hear of it: ids of those who have an event queue. */
  readonly liveUsers: ReadonlySet<number>
  /** Keeps `event` until the commit, then dispatches it to `audience`, in order. */
  emit(event: ServerEvent, audience: Audience): void
  /**
   * Runs `fn` at the end of the group, in its transaction, once for all of the writes that ask for
   * it: for what costs less for many rows together. A throw fails the whole group.
   */
  beforeCommit(fn: (read: Read) => void): void
  /** Runs `fn` once the commit is on disk, before the events of this write go out. Must not throw. */
  afterCommit(fn: () => void): void
}

export interface Store extends Read {
  /** Runs `fn`, which must not await, in the next group commit. A throw undoes `fn` alone. */
  write<T>(fn: (tx: Tx) => T): Promise<T>
  /** Commits what is waiting, then closes the database. */
  close(): void
}

interface Pending {
  fn: (tx: Tx) => unknown
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/**
 * The only writer: gathers the writes of one turn of the event loop into one transaction.
 *
 * Events are dispatched and promises resolved after the COMMIT, in commit order, so that nobody
 * hears of what a crash can undo. Dispatching must not throw: the rows are on disk by then.
 */
export function createStore(
  db: Db,
  clock: Clock,
  queues: Pick<Queues, 'dispatch' | 'liveUsers'>,
): Store {
  let waiting: Pending[] = []
  const savepoint = db.$client.transaction((fn: Pending['fn'], tx: Tx) => {
    const result = fn(tx)
    if (result instanceof Promise) throw new TypeError('A write must not be asynchronous.')
    return result
  })

  const commitGroup = db.$client.transaction((run: () => void) => run())

  /** A full disk ends the whole transaction; what follows must not commit on its own. */
  function requireTransaction(): void {
    if (!db.$client.inTransaction) throw new Error('The transaction was lost.')
  }

  function commit(): void {
    const group = waiting
    waiting = []
    const outbox: (() => void)[] = []
    const answers: (() => void)[] = []
    const last = new Set<(read: Read) => void>()
    const runOne = ({ fn, resolve, reject }: Pending) => {
      const emitted: (() => void)[] = []
      const after: (() => void)[] = []
      const tx: Tx = {
        db,
        clock,
        liveUsers: queues.liveUsers(),
        emit(event, audience) {
          // Asked now: what the group's later writes change must not decide about this event.
          const users =
            typeof audience === 'function' ? [...queues.liveUsers()].filter(audience) : audience
          emitted.push(() => queues.dispatch(event, users))
        },
        beforeCommit: (hook) => void last.add(hook),
        afterCommit: (hook) => void after.push(hook),
      }
      requireTransaction()
      try {
        const result = savepoint(fn, tx)
        for (const step of after) outbox.push(step)
        for (const step of emitted) outbox.push(step)
        answers.push(() => resolve(result as never))
      } catch (error) {
        answers.push(() => reject(error))
      }
    }
    try {
      commitGroup.immediate(() => {
        group.forEach(runOne)
        requireTransaction()
        for (const hook of last) hook({ db, clock })
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    for (const step of outbox) step()
    for (const answer of answers) answer()
  }

  return {
    db,
    clock,
    write: (fn) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ fn, resolve, reject }) === 1) setImmediate(commit)
      }),
    close() {
      if (waiting.length > 0) commit()
      db.$client.close()
    },
  }
}
