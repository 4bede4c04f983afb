import * as v from 'valibot'

/*
 * How replies and events look, for the API description: a small vocabulary over valibot. Nothing is
 * checked against it while serving; the tests check every answer they get.
 */

/** Any JSON value's shape. */
export type Shape<T = unknown> = v.GenericSchema<unknown, T>

/** What a shape stands for. */
export type Shaped<S extends Shape> = v.InferOutput<S>

/** The members of an object by name; one that can be absent is `maybe(...)`. */
export type Members = Readonly<Record<string, Shape>>

/** An object with these members. */
export type MembersOf<M extends Members> = v.InferOutput<v.StrictObjectSchema<M, undefined>>

export const string = v.string()
export const boolean = v.boolean()
export const number = v.number()
export const integer = v.pipe(v.number(), v.integer())
/** For what has no fixed form. */
export const anything = v.unknown()

/** A moment, in whole seconds since the epoch. */
export const timestamp = noted(integer, 'Seconds since the epoch.')

/** An object with exactly these members. */
export function object<const M extends Members>(members: M) {
  return v.strictObject(members)
}

/** An object that the API description names, because several replies or events hold it. */
export function named<const M extends Members>(name: string, members: M) {
  return v.pipe(v.strictObject(members), v.title(name))
}

/** Any other shape that the API description names. */
export function titled<const S extends Shape>(name: string, shape: S) {
  return v.pipe(shape, v.title(name))
}

/** The same shape for each of these names. */
export function each<N extends string, S extends Shape>(names: readonly N[], shape: S) {
  return Object.fromEntries(names.map((name) => [name, shape])) as Record<N, S>
}

export function list<const S extends Shape>(item: S) {
  return v.array(item)
}

/** An object with keys of the server's or the user's choice. */
export function record<const S extends Shape>(value: S) {
  return v.record(v.string(), value)
}

export function nullable<const S extends Shape>(shape: S) {
  return v.nullable(shape)
}

/** A member that can be absent. */
export function maybe<const S extends Shape>(shape: S) {
  return v.optional(shape)
}

/** The same members, each of which can be absent. */
export function optionals<const M extends Members>(members: M) {
  const entries = Object.entries(members).map(([name, shape]) => [name, maybe(shape)])
  return Object.fromEntries(entries) as { [N in keyof M]: v.OptionalSchema<M[N], undefined> }
}

/** A list of exactly these. */
export function tuple<const S extends readonly Shape[]>(...items: S) {
  return v.strictTuple(items)
}

/** One of several shapes. */
export function either<const S extends readonly Shape[]>(...shapes: S) {
  return v.union(shapes)
}

/** One of these words or numbers. */
export function choice<const T extends string | number>(...values: readonly T[]) {
  return v.picklist(values)
}

/** Nothing but this value. */
export function always<const T extends boolean | string | number>(value: T) {
  return v.literal(value)
}

/** An event as it comes from a queue. @param name what the API description calls it */
export function event<const M extends Members>(name: string, type: string, members: M) {
  return named(name, { type: choice(type), ...members, id: eventId })
}

const eventId = noted(integer, 'Larger than those of the events before it in the queue.')

/** The shape, and a sentence or two on what a name does not say: unit, null, when absent. */
export function noted<const S extends Shape>(shape: S, text: string) {
  return v.pipe(shape, v.description(text))
}

/** What `noted` says of a shape, if anything. */
export function textOf(shape: Shape): string | undefined {
  return v.getDescription(shape)
}
