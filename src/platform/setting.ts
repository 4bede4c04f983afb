import * as v from 'valibot'
import { codePoints } from './code-points.ts'
import { languageCodes } from './translation/languages.ts'

/** A setting of the organization or of a user: its possible values and its default. */
export interface Setting<T> {
  readonly schema: v.GenericSchema<unknown, T>
  /** The default. */
  readonly fallback: T
  /** The value for each further name that requests may use. */
  readonly names?: Readonly<Record<string, T>>
}

export type SettingValue<S> = S extends Setting<infer T> ? T : never

export function bool(fallback: boolean): Setting<boolean> {
  return { schema: v.boolean(), fallback }
}

/** An integer between `min` and `max`, inclusive. */
export function int(min: number, max: number, fallback: number): Setting<number> {
  return { schema: v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), fallback }
}

/** One of a fixed list of words or numbers. @param fallback the first option if left out */
export function oneOf<const T extends string | number>(
  options: readonly [T, ...T[]],
  fallback: T = options[0],
): Setting<T> {
  return { schema: v.picklist(options), fallback }
}

/**
 * The same values, some of which newer clients send under another name.
 *
 * @param names the value for each other name
 */
export function alsoNamed<T extends string>(
  setting: Setting<T>,
  names: Readonly<Record<string, T>>,
): Setting<T> {
  return { ...setting, names }
}

/** A string. @param max length in UTF-16 code units */
export function text(max: number, fallback = ''): Setting<string> {
  return { schema: v.pipe(v.string(), v.maxLength(max)), fallback }
}

/** A string. @param max length in Unicode code points */
export function prose(max: number, fallback = ''): Setting<string> {
  return { schema: codePoints(max), fallback }
}

/** The code of a language that the server has texts in, such as `en`, `pt-br` or `zh-hans`. */
export function language(): Setting<string> {
  return { schema: v.picklist(languageCodes), fallback: 'en' }
}

/** The same values, or null for "none" or "no limit". @param fallback null if left out */
export function nullable<T>(setting: Setting<T>, fallback: T | null = null): Setting<T | null> {
  return { schema: v.nullable(setting.schema), fallback }
}

/** Adds documentation to a setting, for the API description and for clients that show it. */
export function described<T>(setting: Setting<T>, description: string): Setting<T> {
  return { ...setting, schema: v.pipe(setting.schema, v.description(description)) }
}
