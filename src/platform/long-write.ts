import type { Tx } from '#platform/store/store.ts'
import { type Steps, workOn } from './steps.ts'

/**
 * A change that may be too long for one transaction, during which nobody else can write. Each step
 * continues with the transaction that `yield` returns. If it is a new one, anything may have
 * changed, and the earlier steps are on disk.
 */
export type LongWrite<T> = Steps<T, Tx>

/**
 * Makes a long change in as many transactions as needed.
 *
 * @param write runs a function in a transaction
 * @param pause waits until the next transaction may begin; others may write before that in any case
 * @throws what the change throws; the current transaction is rolled back, the earlier ones stay
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
