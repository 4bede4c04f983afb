import { type SQL, sql } from 'drizzle-orm'

/** A value for a JSON column. Drizzle by itself would store null as SQL NULL, not as JSON null. */
export function jsonText(value: unknown): SQL {
  return sql`${JSON.stringify(value)}`
}
