import type { Tx } from './write.ts'

/**
 * A change that may be too long for one transaction, as nobody else can write meanwhile. It pauses
 * between steps of a few milliseconds, and goes on with the transaction that `yield` returns: if that
 * is another one, anything may have changed, and what was done before is on disk.
 */
export type LongWrite<T> = Generator<undefined, T, Tx>

/** How long such a change works in one transaction before others may write, in milliseconds. */
const turnMs = 5

/**
 * Makes a long change, in as many transactions as it takes.
 *
 * @param write runs a function in a transaction
 * @param pause waits until the next transaction may begin
 * @throws what the change throws: its own transaction is rolled back then, those before it stay
 */
export async function writeLong<T>(
  begin: (tx: Tx) => LongWrite<T>,
  write: <R>(fn: (tx: Tx) => R) => Promise<R>,
  pause: () => Promise<void> | undefined,
): Promise<T> {
  let work: LongWrite<T> | undefined
  for (;;) {
    const { done, value } = await write((tx) => {
      work ??= begin(tx)
      return workOn(work, tx)
    })
    if (done) return value
    await pause()
  }
}

function workOn<T>(work: LongWrite<T>, tx: Tx): IteratorResult<undefined, T> {
  const until = tx.clock.elapsed() + turnMs
  for (;;) {
    const step = work.next(tx)
    if (step.done || tx.clock.elapsed() >= until) return step
  }
}
