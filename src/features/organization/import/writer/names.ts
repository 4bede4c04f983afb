import type { Notes, Table } from '#features/organization/import/report.ts'

/** Characters that no name may contain. */
const forbidden = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/**
 * A name on one line, without forbidden characters, of limited length in code points; may be empty.
 */
export function cleanName(name: string, most: number): string {
  const line = name.toWellFormed().replace(/\s+/g, ' ').replace(forbidden, '').trim()
  const points = [...line]
  return points.length <= most ? line : points.slice(0, most).join('').trimEnd()
}

/** A full name: without characters that would end a mention. */
export function cleanFullName(name: string): string {
  return cleanName(name.replace(/[*`\\>"@|]/g, ''), 100)
}

/** Makes names unique, ignoring case, by adding a number. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #most: number
  readonly #notes: Notes
  readonly #table: Table

  /** @param most in code points */
  constructor(notes: Notes, table: Table, most: number) {
    this.#notes = notes
    this.#table = table
    this.#most = most
  }

  /** @param fallback if nothing is left of the name */
  take(wanted: string, fallback: string): string {
    const clean = cleanName(wanted, this.#most) || cleanName(fallback, this.#most)
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : ` (${n})`
      const name = cleanName(clean, this.#most - suffix.length) + suffix
      if (this.#taken.has(name.toLowerCase())) continue
      this.#taken.add(name.toLowerCase())
      if (name !== wanted) this.#notes.changed(this.#table, 'new-name', name)
      return name
    }
  }

  reserve(name: string): void {
    this.#taken.add(name.toLowerCase())
  }
}
