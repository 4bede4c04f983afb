import { prepared } from './prepared.ts'
import type { Read, Tx } from './write.ts'

/** What `cached` returns: values in memory, as true as if each were read anew. */
export interface Cached<K, T> {
  get(read: Read, key: K): T
  /** Every write calls it that changes what the key's value is made of. */
  forget(tx: Tx, key: K): void
}

/**
 * Keeps small values in memory that are read with every request and hardly ever change, such as
 * settings. Inside the transaction that changed a value, and until the first read after it, the
 * value is read from the database each time: what a savepoint undoes was never kept. Nor is
 * `undefined`: what does not exist is looked for each time.
 *
 * @param load reads one value; it must not depend on the clock
 * @param most how many values to keep
 */
export function cached<K extends string | number, T>(
  load: (read: Read, key: K) => T,
  most = 20_000,
): Cached<K, T> {
  const state = prepared(() => ({ values: new Map<K, T>(), uncommitted: new Set<K>() }))
  return {
    get(read, key) {
      const { values, uncommitted } = state(read)
      const known = values.get(key)
      if (known !== undefined) return known
      const value = load(read, key)
      if (value === undefined) return value
      if (uncommitted.size > 0) {
        if (!read.db.$client.inTransaction) uncommitted.clear()
        else if (uncommitted.has(key)) return value
      }
      if (values.size >= most) values.clear()
      values.set(key, value)
      return value
    },
    forget(tx, key) {
      const { values, uncommitted } = state(tx)
      values.delete(key)
      uncommitted.add(key)
    },
  }
}
