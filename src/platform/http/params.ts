import * as v from 'valibot'
import { codePoints } from '#platform/code-points.ts'
import { tooLong, tooManyItems } from '#platform/sentences.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'
import { type Bounds, boundsOf, type Size, sizeOf, withBounds } from './bounds.ts'
import { issue } from './issues.ts'

/** How to decode and validate a parameter. `endpoint()` infers the handler's types from it. */
export interface Param<T> {
  /**
   * `text`: the raw string. `word`: a string with or without JSON quotes. `json`: JSON text.
   * `either`: JSON text, or a bare word.
   */
  readonly encoding: 'text' | 'word' | 'json' | 'either'
  readonly schema: v.GenericSchema<unknown, T>
  /** The bounds of its value, according to the schema. */
  readonly bounds: Bounds
  /** The most that it can take of a request. */
  readonly size: Size
  readonly required: boolean
  /** The value of an absent parameter, if it is not required. */
  readonly fallback: T | undefined
  /** Deprecated names that are still accepted. */
  readonly aliases: readonly string[]
  /** Documentation for the API description, where the name is not enough. */
  readonly description?: string
}

export type Params = Readonly<Record<string, Param<unknown>>>
export type Values<P extends Params> = {
  [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

/**
 * @param longest the longest JSON text, in UTF-16 code units, if that is less than the sum of its
 *   parts
 * @throws Error the schema sets no limit to a text, a list or a record
 */
function param<T>(
  encoding: Param<T>['encoding'],
  schema: v.GenericSchema<unknown, T>,
  longest = Infinity,
): Param<T> {
  const bounds = boundsOf(schema)
  const size = sizeOf(bounds, longest)
  return { encoding, schema, bounds, size, required: true, fallback: undefined, aliases: [] }
}

const notText = issue(sentSentence('{name} is not a string'))
const isText = v.string(notText)

/** A raw string. @param max length in UTF-16 code units */
export function text(max: number): Param<string> {
  return param('text', v.pipe(isText, v.maxLength(max, issue(tooLong(max)))))
}

/**
 * A short string that some clients send with JSON quotes: an email address, a name, a status.
 *
 * @param max length in UTF-16 code units
 */
export function word(max: number): Param<string> {
  return param('word', v.pipe(isText, v.maxLength(max, issue(tooLong(max)))))
}

/** A raw string. @param max length in Unicode code points */
export function prose(max: number): Param<string> {
  return param('text', proseText(max))
}

/** The same for `json(...)` and `wordOf(...)`. */
export function proseText(max: number) {
  return codePoints(max, issue(tooLong(max)), notText)
}

/**
 * A text that is tidied before it is measured, as names are.
 *
 * @param max the length of a tidy one, in Unicode code points, for the API description
 */
export function tidied(untidy: Param<string>, max: number): Param<string> {
  return { ...untidy, schema: v.pipe(untidy.schema, v.metadata({ documented: max })) }
}

/** The same for `json(...)`. @param untidy the most that is tidied, in UTF-16 code units */
export function tidiedText(untidy: number, max: number) {
  return v.pipe(shortText(untidy), v.metadata({ documented: max }))
}

const notInteger = issue(sentSentence('{name} is not an integer'))
const isInt = v.pipe(
  v.number(notInteger),
  v.integer(notInteger),
  v.safeInteger(issue(sentSentence('{name} is out of range'))),
)

/** Any JSON number; give it limits, as JSON has infinite ones. */
export const isNumber = v.number(issue(sentSentence('{name} is not a number')))

/** A JSON integer, optionally between two limits, inclusive. */
export function int(limits: { min?: number; max?: number } = {}): Param<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits
  return param(
    'json',
    v.pipe(
      isInt,
      v.minValue(min, issue(sentSentence('{name} is too small'))),
      v.maxValue(max, issue(sentSentence('{name} is too large'))),
    ),
  )
}

/** `true` or `false`. */
export function bool(): Param<boolean> {
  return param('json', isBool)
}

export const isBool = v.boolean(issue(sentSentence('{name} is not a boolean')))

/** One of a fixed list of words, with or without JSON quotes. */
export function oneOf<const T extends string>(options: readonly T[]): Param<T> {
  return param('word', v.picklist(options))
}

/** A string, with or without JSON quotes, that the schema accepts. */
export function wordOf<T>(schema: v.GenericSchema<unknown, T>): Param<T> {
  return param('word', schema)
}

/** A string as `word` takes it, or `null`. @param max length in Unicode code points */
export function wordOrNull(max: number): Param<string | null> {
  const orNull = v.transform((source: string) => (source === 'null' ? null : source))
  return param('word', v.pipe(proseText(max), orNull))
}

/** One of a fixed list of integers. */
export function oneOfInts<const T extends number>(options: readonly T[]): Param<T> {
  return param('json', v.picklist(options))
}

/**
 * Any other JSON text that the schema accepts. Each text, list and record in it needs a limit.
 *
 * @param longest see `param`
 */
export function json<T>(schema: v.GenericSchema<unknown, T>, longest?: number): Param<T> {
  return param('json', schema, longest)
}

/** JSON text, or a bare word taken as a string: `to=general`, `anchor=newest`. */
export function jsonOrWord<T>(schema: v.GenericSchema<unknown, T>): Param<T> {
  return param('either', schema)
}

/** A JSON array of at most `max` integers. */
export function ints(max: number): Param<number[]> {
  return json(intArray(max))
}

/** A schema for `json(...)`, with the same error messages as the scalar parameters. */
export function intArray(max: number) {
  return listOf(isInt, max)
}

/** @param maxLength of each text, in UTF-16 code units */
export function textArray(maxItems: number, maxLength: number) {
  return listOf(shortText(maxLength), maxItems)
}

/**
 * An object whose values are strings, decoded to pairs, so that a key like `__proto__` is safe.
 *
 * @param maxKey @param maxValue lengths in UTF-16 code units
 */
export function textPairs(maxPairs: number, maxKey: number, maxValue: number) {
  const others = { most: maxPairs, key: maxKey, value: { text: maxValue } }
  const pairs = v.pipe(
    v.unknown(),
    v.check(isTextObject, issue(sentSentence('{name} is not an object whose values are strings'))),
    v.description('An object whose values are strings.'),
    v.transform((value) => Object.entries(value as Record<string, string>)),
  )
  return withBounds(pairs, { object: { members: {}, others } })
}

function isTextObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((member) => typeof member === 'string')
}

export function shortText(max: number) {
  return v.pipe(isText, v.maxLength(max, issue(tooLong(max))))
}

export { isInt }

/** A list of at most `max` items. */
export function listOf<T extends v.GenericSchema>(item: T, max: number) {
  return v.pipe(
    v.array(item, issue(sentSentence('{name} is not a list'))),
    v.maxLength(max, issue(tooManyItems(max))),
  )
}

/**
 * A JSON object whose values match one schema; not a list.
 *
 * @param maxKey length in UTF-16 code units
 */
export function recordOf<T extends v.GenericSchema>(value: T, maxMembers: number, maxKey: number) {
  return v.pipe(
    v.unknown(),
    // Valibot accepts a list as a record.
    v.check((given) => !Array.isArray(given)),
    v.record(v.pipe(v.string(), v.maxLength(maxKey)), value),
    v.maxEntries(maxMembers),
  )
}

/** One of several schemas. @param problem with a value that none accepts, without its `name` */
export function eitherOf<const T extends v.UnionOptions>(options: T, problem: Sentence) {
  return v.union(options, issue(problem))
}

export function optional<T>(inner: Param<T>): Param<T | undefined> {
  return { ...inner, required: false }
}

/** An optional parameter with a default. */
export function withDefault<T>(inner: Param<T>, fallback: T): Param<T> {
  return { ...inner, required: false, fallback }
}

/** Also accepts a parameter under a deprecated name. */
export function alias<T>(oldName: string, inner: Param<T>): Param<T> {
  return { ...inner, aliases: [...inner.aliases, oldName] }
}

/** Adds documentation for the API description to a parameter whose name is not enough. */
export function described<T>(inner: Param<T>, description: string): Param<T> {
  return { ...inner, description }
}
