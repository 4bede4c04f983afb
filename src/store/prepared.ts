import type { Statement } from 'better-sqlite3'
import type { Db } from './open.ts'
import type { Read } from './write.ts'

/**
 * A statement built with drizzle that is prepared once per database: for what runs per message,
 * per request or per poll.
 */
export function prepared<T>(build: (db: Db) => T): (read: Read) => T {
  const statements = new WeakMap<Db, T>()
  return ({ db }) => {
    let statement = statements.get(db)
    if (statement === undefined) {
      statement = build(db)
      statements.set(db, statement)
    }
    return statement
  }
}

/** The same for SQL that drizzle's builder cannot say. Binds an object of `@name` parameters. */
export function preparedSql<Row>(source: string): (read: Read) => Statement<[object], Row> {
  return prepared((db) => db.$client.prepare<[object], Row>(source))
}
