import * as v from 'valibot'

/** How one parameter arrives and what becomes of it. `endpoint()` infers the handler's types from it. */
export interface Param<T> {
  /**
   * `text` is taken as it arrives, `word` too unless it is in JSON quotes; `json` is JSON text, and
   * `either` is JSON text or else a bare word.
   */
  readonly encoding: 'text' | 'word' | 'json' | 'either'
  readonly schema: v.GenericSchema<unknown, T>
  readonly required: boolean
  /** What an absent parameter means, when it is not required. */
  readonly fallback: T | undefined
  /** Deprecated names that are still understood. */
  readonly aliases: readonly string[]
  /** What the name does not say, for the API description. */
  readonly description?: string
}

export type Params = Readonly<Record<string, Param<unknown>>>
export type Values<P extends Params> = {
  [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

/** Stands for the parameter in a message; `decode` knows its name and where in it the issue is. */
export const namePlaceholder = '\u0000'

function param<T>(encoding: Param<T>['encoding'], schema: v.GenericSchema<unknown, T>): Param<T> {
  return { encoding, schema, required: true, fallback: undefined, aliases: [] }
}

/** The longest text of any parameter that states no limit of its own, in UTF-16 units. */
const defaultMaxText = 100_000

const isText = v.string(`${namePlaceholder} is not a string`)

/** A string, taken as it arrives. @param max UTF-16 units */
export function text(max = defaultMaxText): Param<string> {
  return param('text', v.pipe(isText, v.maxLength(max, tooLong(max))))
}

/** A short string that some clients put into JSON quotes: an e-mail address, a name, a status. */
export function word(max = defaultMaxText): Param<string> {
  return param('word', v.pipe(isText, v.maxLength(max, tooLong(max))))
}

const isInt = v.pipe(
  v.number(`${namePlaceholder} is not an integer`),
  v.safeInteger(`${namePlaceholder} is not an integer`),
)

/** A JSON integer, between both limits where they are given. */
export function int(limits: { min?: number; max?: number } = {}): Param<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits
  return param(
    'json',
    v.pipe(
      isInt,
      v.minValue(min, `${namePlaceholder} is too small`),
      v.maxValue(max, `${namePlaceholder} is too large`),
    ),
  )
}

/** `true` or `false`. */
export function bool(): Param<boolean> {
  return param('json', isBool)
}

export const isBool = v.boolean(`${namePlaceholder} is not a boolean`)

/** One of a fixed list of words, with or without JSON quotes. */
export function oneOf<const T extends string>(options: readonly T[]): Param<T> {
  return param('word', v.picklist(options))
}

/** A string, with or without JSON quotes, that the schema accepts. */
export function wordOf<T>(schema: v.GenericSchema<unknown, T>): Param<T> {
  return param('word', schema)
}

/** A string as `word` takes it, or `null`. */
export function wordOrNull(max: number): Param<string | null> {
  const orNull = v.transform((source: string) => (source === 'null' ? null : source))
  return param('word', v.pipe(isText, v.maxLength(max, tooLong(max)), orNull))
}

/** One of a fixed list of integers. */
export function oneOfInts<const T extends number>(options: readonly T[]): Param<T> {
  return param('json', v.picklist(options))
}

/** Anything else: JSON text that the schema accepts. Give every string and array a limit. */
export function json<T>(schema: v.GenericSchema<unknown, T>): Param<T> {
  return param('json', schema)
}

/** JSON text, or a bare word that stands for itself: `to=general`, `anchor=newest`. */
export function jsonOrWord<T>(schema: v.GenericSchema<unknown, T>): Param<T> {
  return param('either', schema)
}

/** A JSON array of integers of at most `max` members. */
export function ints(max = 100_000): Param<number[]> {
  return json(intArray(max))
}

/** Schema parts for `json(...)`, worded as the scalar parameters are. */
export function intArray(max = 100_000) {
  return v.pipe(arrayOf(isInt), v.maxLength(max, tooManyItems(max)))
}

export function textArray(maxItems = 10_000, maxLength = 1000) {
  return v.pipe(arrayOf(shortText(maxLength)), v.maxLength(maxItems, tooManyItems(maxItems)))
}

/**
 * An object whose values are strings, as pairs: keys such as `__proto__` are keys like all others.
 */
export function textPairs(maxPairs: number, maxKey: number, maxValue: number) {
  return v.pipe(
    v.unknown(),
    v.check(isTextObject, `${namePlaceholder} is not an object whose values are strings`),
    v.description('An object whose values are strings.'),
    v.transform((value) => Object.entries(value as Record<string, string>)),
    v.maxLength(maxPairs, tooManyItems(maxPairs)),
    v.check(
      (pairs) => pairs.every(([key, { length }]) => key.length <= maxKey && length <= maxValue),
      `${namePlaceholder} holds what is too long (limit: ${maxValue} characters)`,
    ),
  )
}

function isTextObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((member) => typeof member === 'string')
}

export function shortText(max: number) {
  return v.pipe(isText, v.maxLength(max, tooLong(max)))
}

export { isInt }

export function arrayOf<T extends v.GenericSchema>(item: T) {
  return v.array(item, `${namePlaceholder} is not a list`)
}

/** A JSON object with values of one kind; a list is none. */
export function recordOf<T extends v.GenericSchema>(value: T) {
  return v.pipe(
    v.unknown(),
    // Valibot takes a list for a record.
    v.check((given) => !Array.isArray(given)),
    v.record(v.string(), value),
  )
}

/** One of several forms. @param what names them for the message: `is not <what>` */
export function eitherOf<const T extends v.UnionOptions>(options: T, what: string) {
  return v.union(options, `${namePlaceholder} is not ${what}`)
}

export function optional<T>(inner: Param<T>): Param<T | undefined> {
  return { ...inner, required: false }
}

/** A parameter that may be left out, and what that means. */
export function withDefault<T>(inner: Param<T>, fallback: T): Param<T> {
  return { ...inner, required: false, fallback }
}

/** A deprecated name under which old clients send this parameter. */
export function alias<T>(oldName: string, inner: Param<T>): Param<T> {
  return { ...inner, aliases: [...inner.aliases, oldName] }
}

/** A parameter with a sentence or two for the API description, where its name does not say it. */
export function described<T>(inner: Param<T>, description: string): Param<T> {
  return { ...inner, description }
}

function tooLong(max: number) {
  return `${namePlaceholder} is too long (limit: ${max} characters)`
}

function tooManyItems(max: number) {
  return `${namePlaceholder} has too many items (limit: ${max})`
}
