import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const alarm = perDatabase(() => ({ ring: () => {}, next: newSignal() }))

/** A promise, and what resolves it. */
function newSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Rechecks after the commit which jobs are due. Call it when something becomes due earlier. */
export function wakeJobs(tx: Tx): void {
  tx.afterCommit(() => {
    const own = alarm(tx)
    own.next.resolve()
    own.next = newSignal()
    own.ring()
  })
}

/** Resolves at the next `wakeJobs`: for a running job that also does what falls due meanwhile. */
export function nextWake(read: Read): Promise<void> {
  return alarm(read).next.promise
}

/** Sets the function that rechecks the jobs of this database. */
export function onWake(read: Read, ring: () => void): void {
  alarm(read).ring = ring
}
