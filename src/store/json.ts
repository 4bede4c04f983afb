import { type SQL, sql } from 'drizzle-orm'

/** A value for a JSON column. Drizzle alone would store null as SQL's NULL, not as JSON's. */
export function jsonText(value: unknown): SQL {
  return sql`${JSON.stringify(value)}`
}
