import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { type CommitTimes, recordCommit } from './commits.ts'
import { Group, type Pending, type StoreQueues } from './group.ts'
import { requireInPlace } from './in-place.ts'
import type { Listeners } from './occasions.ts'
import type { Db } from './open.ts'
import type { Read, Store, Tx } from './store.ts'

/** How long a group waits for more writes at most while they come, in milliseconds. */
const mostGatherMs = 2

/**
 * Creates the only writer: it commits the writes that come in successive turns of the event loop in
 * one transaction, as many as fit into some milliseconds.
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
  queues: StoreQueues,
  report: (error: unknown) => void = rethrowLater,
  onCommit: (times: CommitTimes) => void = () => {},
  listeners: Listeners = new Map(),
): Store {
  const read: Read = { db, clock, config }
  requireInPlace(read)
  let waiting: Pending[] = []
  const savepoint = db.$client.transaction(runWrite)
  const transaction = db.$client.transaction((run: () => void) => run())
  const parts = { read, queues, listeners, savepoint, report }

  /**
   * Lets the event loop turn again as long as each turn brings more writes: a sync takes as long for
   * forty as for twenty, and what comes during it waits for the next one. A write that comes alone
   * does not wait.
   */
  function gather(seen: number, until: number): void {
    const count = waiting.length
    if (count > seen && clock.elapsed() < until) setImmediate(gather, count, until)
    else commit()
  }

  function commit(): void {
    const all = waiting
    waiting = []
    const group = new Group(parts, all)
    const times = { began: clock.elapsed(), ran: 0, placed: 0 }
    try {
      requireInPlace(read)
      transaction.immediate(() => {
        group.run()
        times.ran = clock.elapsed()
        group.place()
        group.record()
        times.placed = clock.elapsed()
      })
    } catch (error) {
      recordCommit(read, error)
      group.fail(error)
      return
    } finally {
      putBack(all.slice(group.size))
    }
    recordCommit(read)
    onCommit(commitTimes(group.size, times, clock.elapsed()))
    group.settle()
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
    ...read,
    write: (fn, timed = (step) => step()) =>
      new Promise((resolve, reject) => {
        const count = waiting.push({ fn, timed, resolve, reject })
        if (count === 1) setImmediate(gather, count, clock.elapsed() + mostGatherMs)
      }),
    close() {
      while (waiting.length > 0) commit()
      db.$client.close()
    },
  }
}

function runWrite(fn: Pending['fn'], tx: Tx): unknown {
  const result = fn(tx)
  if (result instanceof Promise) throw new TypeError('A write must not be asynchronous.')
  return result
}

function commitTimes(
  writes: number,
  { began, ran, placed }: { readonly began: number; readonly ran: number; readonly placed: number },
  stored: number,
): CommitTimes {
  return {
    writes,
    ms: stored - began,
    functionsMs: ran - began,
    eventsMs: placed - ran,
    diskMs: stored - placed,
  }
}

function rethrowLater(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
