import { type Steps, workOn } from './steps.ts'
import type { Tx } from './store/write.ts'

/**
 * A change that may be too long for one transaction, as nobody else can write meanwhile: each of its
 * steps goes on with the transaction that `yield` returns. If that is another one, anything may have
 * changed, and what was done before is on disk.
 */
export type LongWrite<T> = Steps<T, Tx>

/**
 * Makes a long change, in as many transactions as it takes.
 *
 * @param write runs a function in a transaction
 * @param pause waits for the turn of the next transaction; others may write before it in any case
 * @throws what the change throws: its own transaction is rolled back then, those before it stay
 */
export async function writeLong<T>(
  begin: (tx: Tx) => LongWrite<T>,
  write: <R>(fn: (tx: Tx) => R) => Promise<R>,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<T> {
  let work: LongWrite<T> | undefined
  for (;;) {
    const { done, value } = await write((tx) => {
      work ??= begin(tx)
      return workOn(work, tx.clock, tx)
    })
    if (done) return value
    await value
    await pause()
  }
}
