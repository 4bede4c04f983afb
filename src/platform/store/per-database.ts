import type { Db } from './open.ts'
import type { Read } from './store.ts'

/**
 * Keeps one in-memory value per open database, built on first use: a process may have several
 * databases open, as tests do.
 */
export function perDatabase<T>(build: (db: Db) => T): (read: Read) => T {
  const values = new WeakMap<Db, T>()
  return ({ db }) => {
    let value = values.get(db)
    if (value === undefined) {
      value = build(db)
      values.set(db, value)
    }
    return value
  }
}
