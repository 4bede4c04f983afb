/** Finds people who occur more than once: those with the same address are one person. */
export class SamePeople {
  readonly #byAddress = new Map<string, string>()
  readonly #kept = new Map<string, string>()

  /** Notes someone, and returns whether they are new. Those to keep come first. */
  add(key: string, email: string | undefined): boolean {
    const address = email?.trim().toLowerCase() ?? ''
    const kept = (address !== '' && this.#byAddress.get(address)) || key
    if (kept === key && address !== '') this.#byAddress.set(address, key)
    if (kept !== key) this.#kept.set(key, kept)
    return kept === key
  }

  /** The key of the person who is kept. */
  keyOf(key: string): string {
    return this.#kept.get(key) ?? key
  }
}
