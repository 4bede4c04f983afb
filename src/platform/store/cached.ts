import { perDatabase } from './per-database.ts'
import type { Read, Tx } from './store.ts'

/** A cache that never returns stale values. */
export interface Cache<K, T> {
  get(read: Read, key: K): T
  /**
   * The values of these keys in order, without those that are undefined.
   *
   * @param load reads all that are not cached in one query
   */
  list(
    read: Read,
    keys: readonly K[],
    load: (read: Read, keys: readonly K[]) => Iterable<readonly [K, T]>,
  ): NonNullable<T>[]
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
): Cache<K, T> {
  const state = perDatabase(() => ({ values: new Map<K, T>(), uncommitted: new Set<K>() }))
  function keep(read: Read, key: K, value: T): void {
    const { values, uncommitted } = state(read)
    if (uncommitted.size > 0) {
      if (!read.db.$client.inTransaction) uncommitted.clear()
      else if (uncommitted.has(key)) return
    }
    if (values.size >= most) values.clear()
    values.set(key, value)
  }

  return {
    get(read, key) {
      const known = state(read).values.get(key)
      if (known !== undefined) return known
      const value = load(read, key)
      if (value !== undefined) keep(read, key, value)
      return value
    },
    list(read, keys, loadMany) {
      const { values } = state(read)
      const missing = keys.filter((key) => !values.has(key))
      const loaded = new Map(missing.length > 0 ? loadMany(read, missing) : [])
      const listed: NonNullable<T>[] = []
      for (const key of keys) {
        const value = values.get(key) ?? loaded.get(key)
        if (value !== undefined && value !== null) listed.push(value)
      }
      for (const [key, value] of loaded) keep(read, key, value)
      return listed
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
