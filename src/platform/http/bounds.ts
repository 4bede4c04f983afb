import * as v from 'valibot'
import { fitsIn } from '#platform/code-points.ts'
import { tooLong, tooManyItems } from '#platform/sentences.ts'
import type { Sentence } from '#translations/translate.ts'

/**
 * The most that a value may hold, by what the value is. A schema that takes no texts, lists or
 * objects has no bound for them: it refuses them by their type alone.
 */
export interface Bounds {
  /** The longest text, in UTF-16 code units. */
  readonly text?: number
  /** The same in Unicode code points, where these count. */
  readonly points?: number
  readonly list?: { readonly most: number; readonly item: Bounds }
  readonly object?: {
    readonly members: Readonly<Record<string, Bounds>>
    /** The members of a record: how many, the longest key, and what each may hold. */
    readonly others?: { readonly most: number; readonly key: number; readonly value: Bounds }
  }
}

/** How much of a request a parameter can take. */
export interface Size {
  /** The longest JSON text, every character escaped, in UTF-16 code units. */
  readonly json: number
  /** The most brackets and commas outside the strings of that JSON text. */
  readonly marks: number
  /** The longest form-encoded text, every character escaped, in bytes. */
  readonly form: number
}

/**
 * For a list of words, a short text is refused because of its content, a longer one because of its
 * length.
 */
const leastWord = 200

const anything: Bounds = { text: Infinity, list: { most: Infinity, item: {} } }

type Schema = v.GenericSchema
type Item = v.PipeItem<unknown, unknown, never>

/**
 * The bounds that a schema sets, of texts and lists by `v.maxLength`, of records by
 * `v.maxEntries`. A limit after a transformation counts only if `withBounds` states it.
 *
 * @throws Error a text, a list or a record anywhere in it has no limit
 */
export function boundsOf(schema: Schema): Bounds {
  const bounds = derived(schema)
  if (Number.isFinite(sizeOf(bounds).json)) return bounds
  throw new Error('A text, a list or a record of this parameter has no limit.')
}

/** States the bounds of a schema that `boundsOf` cannot see through. */
export function withBounds<S extends Schema>(schema: S, bounds: Bounds) {
  return v.pipe(schema, v.metadata({ bounds }))
}

function derived(schema: Schema): Bounds {
  const pipe = 'pipe' in schema ? (schema.pipe as readonly Item[]) : []
  for (const item of pipe) if (isStated(item)) return item.metadata.bounds
  let bounds = pipe[0] && pipe[0] !== schema ? derived(pipe[0] as Schema) : ofType(schema)
  for (const item of pipe.slice(1)) {
    // Later checks limit the result of the transformation, not the value.
    if (item.kind === 'transformation') break
    if (item.kind === 'schema' && bounds === anything) bounds = derived(item as Schema)
    bounds = limited(bounds, item)
  }
  return bounds
}

function isStated(item: Item): item is Item & { metadata: { bounds: Bounds } } {
  return item.type === 'metadata' && 'bounds' in (item as unknown as { metadata: object }).metadata
}

function limited(bounds: Bounds, item: Item): Bounds {
  const { points } = 'metadata' in item ? (item.metadata as { points?: number }) : {}
  if (points !== undefined) return { ...bounds, points }
  const { type, requirement } = item as { type: string; requirement?: unknown }
  if (typeof requirement !== 'number') return bounds
  const { text, list, object } = bounds
  const most = (limit: number) => Math.min(limit, requirement)
  if (type === 'max_length' || type === 'length') {
    return {
      ...(text !== undefined && { text: most(text) }),
      ...(list && { list: { ...list, most: most(list.most) } }),
      ...(object && { object }),
    }
  }
  if (type !== 'max_entries' || !object?.others) return bounds
  return { ...bounds, object: { ...object, others: { ...object.others, most: most(Infinity) } } }
}

interface Inner {
  readonly type: string
  readonly wrapped: Schema
  readonly item: Schema
  readonly items: readonly Schema[]
  readonly entries: Readonly<Record<string, Schema>>
  readonly key: Schema
  readonly value: Schema
  readonly options: readonly unknown[]
  readonly literal: unknown
}

/** @throws Error a type of schema that no parameter has used so far */
function ofType(schema: Schema): Bounds {
  const inner = schema as unknown as Inner
  switch (inner.type) {
    case 'number':
    case 'boolean':
    case 'null':
      return {}
    case 'string':
      return { text: Infinity }
    case 'unknown':
      return anything
    case 'literal':
      return ofWords([inner.literal])
    case 'picklist':
      return ofWords(inner.options)
    case 'nullable':
    case 'optional':
      return derived(inner.wrapped)
    case 'union':
    case 'variant':
      return (inner.options as Schema[]).map(derived).reduce(either, {})
    case 'array':
      return { list: { most: Infinity, item: derived(inner.item) } }
    case 'strict_tuple':
      return {
        list: { most: inner.items.length, item: inner.items.map(derived).reduce(either, {}) },
      }
    case 'object':
    case 'strict_object':
      return { object: { members: mapped(inner.entries, derived) } }
    case 'record':
      return { object: { members: {}, others: ofRecord(inner) } }
    default:
      throw new Error(`Nobody has said what bounds a schema of the type ${inner.type} has.`)
  }
}

function ofRecord({ key, value }: Inner) {
  return { most: Infinity, key: derived(key).text ?? 0, value: derived(value) }
}

function ofWords(words: readonly unknown[]): Bounds {
  const lengths = words.map((word) => (typeof word === 'string' ? word.length : 0))
  return words.some((word) => typeof word === 'string')
    ? { text: Math.max(leastWord, ...lengths) }
    : {}
}

function mapped<T, U>(from: Readonly<Record<string, T>>, fn: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, fn(value)]))
}

/** The larger of two bounds, for each kind of value. */
function either(a: Bounds, b: Bounds): Bounds {
  const text = greatest(a.text, b.text)
  const list = joined(a.list, b.list, (x, y) => ({
    most: Math.max(x.most, y.most),
    item: either(x.item, y.item),
  }))
  const object = joined(a.object, b.object, (x, y) => {
    const others = joined(x.others, y.others, (p, q) => ({
      most: Math.max(p.most, q.most),
      key: Math.max(p.key, q.key),
      value: either(p.value, q.value),
    }))
    const members: Record<string, Bounds> = { ...x.members }
    for (const [name, bounds] of Object.entries(y.members)) {
      members[name] = either(members[name] ?? {}, bounds)
    }
    return { members, ...(others && { others }) }
  })
  return { ...(text !== undefined && { text }), ...(list && { list }), ...(object && { object }) }
}

function greatest(a: number | undefined, b: number | undefined): number | undefined {
  return joined(a, b, Math.max)
}

function joined<T>(a: T | undefined, b: T | undefined, join: (a: T, b: T) => T): T | undefined {
  return a === undefined || b === undefined ? (a ?? b) : join(a, b)
}

/** The characters of a JSON text: those of strings, which may need escapes, and all others. */
interface Count {
  readonly inStrings: number
  readonly outside: number
  readonly marks: number
}

/** A number, `true`, `false` or `null`: at most `-1.2345678901234567e+308`. */
const scalar: Count = { inStrings: 0, outside: 24, marks: 0 }

/** Room for spaces and for members that the schema does not know. */
const slack = { json: 1000, marks: 100 } as const

/**
 * An escaped character of JSON has 6 units, `\u00e4`; one of a form up to 9 bytes, `%E2%82%AC`.
 *
 * @param longest the longest JSON text, in UTF-16 code units, if that is less
 */
export function sizeOf(bounds: Bounds, longest = Infinity): Size {
  const { inStrings, outside, marks } = countOf(bounds)
  return {
    json: Math.min(slack.json + 6 * inStrings + outside, longest),
    marks: Math.min(slack.marks + marks, longest),
    form: Math.min(3 * slack.json + 9 * inStrings + 3 * outside, 9 * longest),
  }
}

function countOf({ text, list, object }: Bounds): Count {
  const counts = [scalar]
  if (text !== undefined) counts.push({ inStrings: text, outside: 2, marks: 0 })
  if (list) counts.push(bracketed([times(list.most, separated(countOf(list.item)))]))
  if (object) {
    const { members, others } = object
    const own = Object.entries(members).map(([key, inner]) => keyed(key.length, inner))
    const each = others && times(others.most, keyed(others.key, others.value))
    counts.push(bracketed(each ? [...own, each] : own))
  }
  const most = (count: (one: Count) => number) => Math.max(...counts.map(count))
  return {
    inStrings: most((one) => one.inStrings),
    outside: most((one) => one.outside),
    marks: most((one) => one.marks),
  }
}

function keyed(key: number, value: Bounds): Count {
  const { inStrings, outside, marks } = separated(countOf(value))
  // Two quotes, a colon and a space.
  return { inStrings: inStrings + key, outside: outside + 4, marks }
}

/** With a comma and a space. */
function separated({ inStrings, outside, marks }: Count): Count {
  return { inStrings, outside: outside + 2, marks: marks + 1 }
}

function bracketed(parts: readonly Count[]): Count {
  const sum = (count: (one: Count) => number) => parts.reduce((all, one) => all + count(one), 0)
  return {
    inStrings: sum((one) => one.inStrings),
    outside: sum((one) => one.outside) + 2,
    marks: sum((one) => one.marks) + 1,
  }
}

function times(factor: number, { inStrings, outside, marks }: Count): Count {
  // Infinity times zero is zero here.
  return {
    inStrings: inStrings === 0 ? 0 : factor * inStrings,
    outside: factor * outside,
    marks: factor * marks,
  }
}

/** The part of a value that exceeds its bounds, and the path to it. */
interface Excess {
  readonly path: readonly (string | number)[]
  /** Without its `name`. */
  readonly problem: Sentence
}

/**
 * The first text, list or record that is longer than its bound. Members that the schema does not
 * know only count for the total length, because it drops or refuses them.
 */
export function findExcess(value: unknown, bounds: Bounds): Excess | undefined {
  if (typeof value === 'string') return excessOfText(value, bounds)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return excessOfList(value, bounds.list)
  return excessOfObject(value as Readonly<Record<string, unknown>>, bounds.object)
}

function excessOfText(text: string, { text: units, points }: Bounds): Excess | undefined {
  if (points === undefined) return excessOf(text.length, units, tooLong)
  return fitsIn(text, points) ? undefined : { path: [], problem: tooLong(points) }
}

function excessOf(
  length: number,
  most: number | undefined,
  problem: (most: number) => Sentence,
): Excess | undefined {
  return most !== undefined && length > most ? { path: [], problem: problem(most) } : undefined
}

function excessOfList(list: readonly unknown[], bounds: Bounds['list']): Excess | undefined {
  if (!bounds) return undefined
  const excess = excessOf(list.length, bounds.most, tooManyItems)
  if (excess) return excess
  for (const [i, item] of list.entries()) {
    const inner = findExcess(item, bounds.item)
    if (inner) return { ...inner, path: [i, ...inner.path] }
  }
  return undefined
}

function excessOfObject(
  object: Readonly<Record<string, unknown>>,
  bounds: Bounds['object'],
): Excess | undefined {
  if (!bounds) return undefined
  const { members, others } = bounds
  const keys = Object.keys(object)
  const excess = others && excessOf(keys.length, others.most, tooManyItems)
  if (excess) return excess
  for (const key of keys) {
    const inner = Object.hasOwn(members, key)
      ? findExcess(object[key], members[key] ?? {})
      : others &&
        (excessOf(key.length, others.key, tooLong) ?? findExcess(object[key], others.value))
    if (inner) return { ...inner, path: [key.slice(0, leastWord), ...inner.path] }
  }
  return undefined
}
