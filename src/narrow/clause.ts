/** A part of a statement with the values of its question marks, in order. */
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

/** What none and what all messages are. */
export const never = clause('0')
export const always = clause('1')
