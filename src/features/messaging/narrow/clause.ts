/** A part of an SQL statement with the values of its placeholders, in order. */
export interface Clause {
  readonly sql: string
  readonly values: readonly (number | string)[]
}

export function clause(sql: string, ...values: readonly (number | string)[]): Clause {
  return { sql, values }
}

export function not({ sql, values }: Clause): Clause {
  return { sql: `NOT (${sql})`, values }
}

/** The conditions that no message and that every message meets. */
export const never = clause('0')
export const always = clause('1')
