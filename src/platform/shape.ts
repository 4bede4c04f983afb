import * as v from 'valibot'

/*
 * The shapes of replies and events, for the API description: a small vocabulary over valibot. The
 * server validates nothing against them at run time; the tests validate every reply they get.
 */

/** The shape of a JSON value. */
export type Shape<T = unknown> = v.GenericSchema<unknown, T>

/** The type of the values that a shape describes. */
export type Shaped<S extends Shape> = v.InferOutput<S>

/** The members of an object by name; optional ones are `maybe(...)`. */
export type Members = Readonly<Record<string, Shape>>

/** An object with these members. */
export type MembersOf<M extends Members> = v.InferOutput<v.StrictObjectSchema<M, undefined>>

export const string = v.string()
export const boolean = v.boolean()
export const number = v.number()
export const integer = v.pipe(v.number(), v.integer())
/** A value without a fixed form. */
export const anything = v.unknown()

/** A time, in whole seconds since the epoch. */
export const timestamp = noted(integer, 'Seconds since the epoch.')

/** An object with exactly these members. */
export function object<const M extends Members>(members: M) {
  return v.strictObject(members)
}

/** An object with a name in the API description, because several replies or events contain it. */
export function named<const M extends Members>(name: string, members: M) {
  return v.pipe(v.strictObject(members), v.title(name))
}

/** Any other shape with a name in the API description. */
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

/** An object with arbitrary keys. */
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

/**
 * A member that the announced feature level lacks. Only clients that ask for `extended_members` get
 * it, because others may fail on unknown members.
 */
export function extended<const S extends Shape>(member: S, since?: number) {
  const origin = since === undefined ? "Parley's own" : `feature level ${since}`
  const text = textOf(member) ?? ''
  return maybe(noted(member, `With \`extended_members\` (${origin}). ${text}`.trim()))
}

/** The same members, each optional. */
export function optionals<const M extends Members>(members: M) {
  const entries = Object.entries(members).map(([name, shape]) => [name, maybe(shape)])
  return Object.fromEntries(entries) as { [N in keyof M]: v.OptionalSchema<M[N], undefined> }
}

/** A list of exactly these items. */
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

/** Exactly this value. */
export function always<const T extends boolean | string | number>(value: T) {
  return v.literal(value)
}

/** An event as clients receive it. @param name its name in the API description */
export function event<const T extends string, const M extends Members>(
  name: string,
  type: T,
  members: M,
) {
  return named(name, { type: choice(type), ...members, id: eventId })
}

/**
 * An event of one of these shapes as the server makes it: without the ID, which each queue gives it.
 *
 * @template Op of the events of this type; default: any, or none
 */
export type EventOf<
  Shapes extends readonly Shape[],
  Type extends string,
  Op extends string = string,
> = WithoutId<Extract<Shaped<Shapes[number]>, { readonly type: Type; readonly op?: Op }>>

type WithoutId<T> = T extends unknown ? DeepReadonly<Omit<T, 'id'>> : never

/** The same value, which nobody changes: it may be a list of the caller's. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T

const eventId = noted(integer, 'Increases with each event of the queue.')

/** Adds a description to a shape: the unit, what null means, when a member is absent. */
export function noted<const S extends Shape>(shape: S, text: string) {
  return v.pipe(shape, v.description(text))
}

/** The description that `noted` gave a shape, if any. */
export function textOf(shape: Shape): string | undefined {
  const text = v.getDescription(shape)
  return text ?? ('wrapped' in shape ? textOf(shape.wrapped as Shape) : undefined)
}
