import type { Notes, Table } from '#features/organization/imports/report.ts'
import { mendedName, nameKey } from '#shared/names.ts'

/** Makes names unique, by their keys, by adding a number. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #most: number
  readonly #notes: Notes
  readonly #table: Table
  readonly #forbidden: RegExp | undefined
  readonly #reserved: RegExp | undefined

  /**
   * @param most in code points
   * @param forbidden characters that names of this kind must not contain
   * @param reserved beginnings that they must not have, such as those of system groups
   */
  constructor(notes: Notes, table: Table, most: number, forbidden?: RegExp, reserved?: RegExp) {
    this.#notes = notes
    this.#table = table
    this.#most = most
    this.#forbidden = forbidden
    this.#reserved = reserved
  }

  /** @param fallback if nothing is left of the name */
  take(wanted: string, fallback: string): string {
    const mended = (name: string, most: number) => mendedName(name, most, this.#forbidden)
    const clean = this.#own(mended(wanted, this.#most)) || mended(fallback, this.#most)
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : ` (${n})`
      const name = mended(clean, this.#most - suffix.length) + suffix
      if (this.#taken.has(nameKey(name))) continue
      this.#taken.add(nameKey(name))
      if (name !== wanted) this.#notes.changed(this.#table, 'new-name', name)
      return name
    }
  }

  /** The name without the beginnings that are not for it. */
  #own(name: string): string {
    const rest = this.#reserved ? name.replace(this.#reserved, '') : name
    return rest === name ? name : this.#own(mendedName(rest, this.#most, this.#forbidden))
  }
}
