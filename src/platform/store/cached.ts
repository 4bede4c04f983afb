import { perDatabase } from './per-database.ts'
import type { Read, Tx } from './write.ts'

/** A cache that never returns stale values. */
export interface Cached<K, T> {
  get(read: Read, key: K): T
  /** Drops a value. Every write that changes the value's source data must call it. */
  forget(tx: Tx, key: K): void
}

/**
 * Caches small values that every request reads and that rarely change, such as settings. From a
 * change until the first read after its transaction, the value is not cached, so a rolled-back
 * savepoint leaves nothing behind. `undefined` is not cached either.
 *
 * @param load reads one value; it must not depend on the clock
 * @param most the most values to keep
 */
export function cached<K extends string | number, T>(
  load: (read: Read, key: K) => T,
  most = 20_000,
): Cached<K, T> {
  const state = perDatabase(() => ({ values: new Map<K, T>(), uncommitted: new Set<K>() }))
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
      if (uncommitted.has(key)) return
      uncommitted.add(key)
      tx.afterCommit(() => void uncommitted.delete(key))
    },
  }
}
