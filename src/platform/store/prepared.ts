import type { Statement } from 'better-sqlite3'
import type { Db } from './open.ts'
import { perDatabase } from './per-database.ts'
import type { Read } from './write.ts'

/**
 * Prepares statements built with Drizzle once per database, for queries that run per message, per
 * request or per poll.
 */
export function prepared<T>(build: (db: Db) => T): (read: Read) => T {
  return perDatabase(build)
}

/** The same for SQL that Drizzle cannot express. The parameters are an object, for `@name`. */
export function preparedSql<Row>(source: string): (read: Read) => Statement<[object], Row> {
  return prepared((db) => db.$client.prepare<[object], Row>(source))
}
