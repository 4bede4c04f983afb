import * as v from 'valibot'

/** One setting of the organization or of a user: its possible values, and the usual one. */
export interface Setting<T> {
  readonly schema: v.GenericSchema<unknown, T>
  /** The value where nobody chose another. */
  readonly fallback: T
}

export type SettingValue<S> = S extends Setting<infer T> ? T : never

export function bool(fallback: boolean): Setting<boolean> {
  return { schema: v.boolean(), fallback }
}

/** An integer between both limits. */
export function int(min: number, max: number, fallback: number): Setting<number> {
  return { schema: v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), fallback }
}

/** One of a fixed list of words or numbers; the first is the usual one unless given. */
export function oneOf<const T extends string | number>(
  options: readonly [T, ...T[]],
  fallback: T = options[0],
): Setting<T> {
  return { schema: v.picklist(options), fallback }
}

/** @param max length in UTF-16 units */
export function text(max: number, fallback = ''): Setting<string> {
  return { schema: v.pipe(v.string(), v.maxLength(max)), fallback }
}

/** @param max length in Unicode code points */
export function prose(max: number, fallback = ''): Setting<string> {
  const fits = (value: string) => value.length <= max || [...value].length <= max
  return { schema: v.pipe(v.string(), v.maxLength(2 * max), v.check(fits)), fallback }
}

/** A language code such as `en`, `pt-br` or `zh-hans`. */
export function language(): Setting<string> {
  const code = /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/
  return { schema: v.pipe(v.string(), v.regex(code)), fallback: 'en' }
}

/** The same values, and null for "none" or "no limit": the usual one unless given. */
export function nullable<T>(setting: Setting<T>, fallback: T | null = null): Setting<T | null> {
  return { schema: v.nullable(setting.schema), fallback }
}
