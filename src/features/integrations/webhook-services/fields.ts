import { badRequest } from '#platform/errors.ts'

/**
 * The longest text of a payload that is read, in UTF-16 code units: somewhat more than a message
 * holds, so that a message still shows that it was cut. No service has to bound what it reads.
 */
const longestText = 20_100

const cutText = (text: string) =>
  text.length > longestText ? text.slice(0, longestText).toWellFormed() : text

/**
 * The most items of a list, or members of an object, that are read. Services send a few, and tell of
 * the number of others elsewhere.
 */
const mostItems = 2000

/** A JSON value with every text in it cut to the longest that is read, and every list as well. */
function withinLimits(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.slice(0, mostItems).map(withinLimits)
  if (!isObject(value)) return value
  const members: Record<string, unknown> = {}
  let count = 0
  for (const key in value) {
    if (++count > mostItems) break
    if (key !== '__proto__') members[cutText(key)] = withinLimits(value[key])
  }
  return members
}

/**
 * The members of a payload by path, such as `issue.labels.0.name`. A required member that is
 * missing or of another type is an error that names the path. An optional member of another type
 * counts as missing.
 */
export class Fields {
  readonly value: unknown
  readonly #place: string

  /** The members of a payload, as much of its texts and lists as is read. */
  static of(payload: unknown): Fields {
    return new Fields(withinLimits(payload), '')
  }

  private constructor(value: unknown, place: string) {
    this.value = value
    this.#place = place
  }

  /** Whether there is something other than null. */
  has(path: string): boolean {
    const value = this.#at(path)
    return value !== undefined && value !== null
  }

  /** A text or number. @throws BAD_REQUEST */
  text(path: string): string {
    return this.maybeText(path) ?? this.#missing(path)
  }

  /** A text or number, as a text. */
  maybeText(path: string): string | undefined {
    const value = this.#at(path)
    if (typeof value === 'string') return value
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
  }

  /** A text with at least one character. */
  someText(path: string): string | undefined {
    return this.maybeText(path)?.trim() || undefined
  }

  /** The first of these that is not empty. */
  firstText(...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const text = this.someText(path)
      if (text !== undefined) return text
    }
    return undefined
  }

  /** @throws BAD_REQUEST */
  number(path: string): number {
    return this.maybeNumber(path) ?? this.#missing(path)
  }

  /** A number, or a text that is one. */
  maybeNumber(path: string): number | undefined {
    const value = this.#at(path)
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }

  /** Whether it is true, or the text `true`. */
  flag(path: string): boolean {
    const value = this.#at(path)
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
  }

  /** @throws BAD_REQUEST */
  object(path: string): Fields {
    return this.maybeObject(path) ?? this.#missing(path)
  }

  maybeObject(path: string): Fields | undefined {
    const value = this.#at(path)
    return isObject(value) ? new Fields(value, this.#placeOf(path)) : undefined
  }

  /** The items of a list. @throws BAD_REQUEST */
  list(path: string): Fields[] {
    const value = this.#at(path)
    return Array.isArray(value) ? this.#items(path, value) : this.#missing(path)
  }

  /** The items of a list; none if there is no list. */
  maybeList(path: string): Fields[] {
    const value = this.#at(path)
    return Array.isArray(value) ? this.#items(path, value) : []
  }

  /** The texts and numbers in a list; none if there is no list. */
  texts(path: string): string[] {
    return this.maybeList(path).flatMap((item) => item.maybeText('') ?? [])
  }

  /** The members of an object; none if there is no object. */
  entries(path: string): [key: string, value: Fields][] {
    const value = this.#at(path)
    if (!isObject(value)) return []
    const place = this.#placeOf(path)
    return Object.entries(value).map(([key, each]) => [key, new Fields(each, `${place}.${key}`)])
  }

  #items(path: string, values: readonly unknown[]): Fields[] {
    const place = this.#placeOf(path)
    return values.map((value, i) => new Fields(value, place === '' ? String(i) : `${place}.${i}`))
  }

  #at(path: string): unknown {
    if (path === '') return this.value
    let value = this.value
    for (const key of path.split('.')) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        return undefined
      value = (value as Record<string, unknown>)[key]
    }
    return value
  }

  #placeOf(path: string): string {
    return [this.#place, path].filter(Boolean).join('.')
  }

  #missing(path: string): never {
    const place = this.#placeOf(path).slice(0, 100)
    throw badRequest(
      place === ''
        ? 'The payload is not of the form that this service sends.'
        : `The payload has no valid member '${place}'.`,
    )
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
