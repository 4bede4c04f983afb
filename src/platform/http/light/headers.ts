/** Names as they are sent, each with its value; only `Set-Cookie` has several. */
export type HeaderRecord = Record<string, string | string[]>

/**
 * The headers of a request or of a reply, in the form in which Node takes and gives them. The
 * `Headers` of Node would load its whole HTTP client: as much CPU as the rest of Node's start, and
 * 16 MB.
 */
export class LightHeaders implements Headers {
  readonly record: HeaderRecord

  /** @param record is not copied */
  constructor(record: HeaderRecord) {
    this.record = record
  }

  get(name: string): string | null {
    const known = this.#find(name)
    return known === undefined ? null : joined(this.record[known])
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  set(name: string, value: string): void {
    this.record[this.#find(name) ?? name] = value
  }

  append(name: string, value: string): void {
    const known = this.#find(name)
    if (known === undefined) this.record[name] = value
    else
      this.record[known] = isCookie(known)
        ? [...this.getSetCookie(), value]
        : `${joined(this.record[known])}, ${value}`
  }

  delete(name: string): void {
    const known = this.#find(name)
    if (known !== undefined) delete this.record[known]
  }

  getSetCookie(): string[] {
    const known = this.#find('set-cookie')
    return known === undefined ? [] : [this.record[known] ?? []].flat()
  }

  *entries(): HeadersIterator<[string, string]> {
    for (const name of Object.keys(this.record)) {
      if (isCookie(name)) for (const cookie of this.getSetCookie()) yield ['set-cookie', cookie]
      else yield [name.toLowerCase(), joined(this.record[name])]
    }
  }

  *keys(): HeadersIterator<string> {
    for (const [name] of this.entries()) yield name
  }

  *values(): HeadersIterator<string> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries()
  }

  forEach(each: (value: string, name: string, parent: Headers) => void): void {
    for (const [name, value] of this.entries()) each(value, name, this)
  }

  /** How the record spells a name. */
  #find(name: string): string | undefined {
    if (Object.hasOwn(this.record, name)) return name
    const sought = name.toLowerCase()
    for (const known in this.record) {
      if (known.length === sought.length && known.toLowerCase() === sought) return known
    }
    return undefined
  }
}

function isCookie(name: string): boolean {
  return name.length === 10 && name.toLowerCase() === 'set-cookie'
}

function joined(value: string | string[] | undefined = ''): string {
  return typeof value === 'string' ? value : value.join(', ')
}
