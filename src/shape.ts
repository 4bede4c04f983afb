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

/** One of several shapes. */
export function either<const S extends readonly Shape[]>(...shapes: S) {
  return v.union(shapes)
}

/** One of these words or numbers. */
export function choice<const T extends string | number>(...values: readonly T[]) {
  return v.picklist(values)
}

/** The shape, and a sentence or two on what a name does not say: unit, null, when absent. */
export function noted<const S extends Shape>(shape: S, text: string) {
  return v.pipe(shape, v.description(text))
}
