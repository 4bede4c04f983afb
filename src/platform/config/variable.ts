import type { Kind } from './kinds.ts'

/** The variables of an environment or a file of settings, with their texts. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting of the operator: an environment variable, or a line in the file of settings. */
export interface Variable<T = unknown> {
  readonly name: `PARLEY_${string}`
  /** What it means: one sentence of plain text. */
  readonly meaning: string
  /** What else the help says about it, in Markdown. */
  readonly help?: string
  /** A note for embedding programs only. */
  readonly note?: string
  /** The value if it is not set. */
  readonly default: T
  /** What the default means, in words, where `default` does not say it; absent: "none". */
  readonly unset?: string
  readonly kind: Kind<NonNullable<T>>
  /** The option of `parley serve` that overrides it. */
  readonly option?: string
  /** Whether to hide the value, or only the password in a URL. */
  readonly secret?: 'all' | 'password'
}

/** A value that several variables make up. */
export interface Combined<T> {
  readonly default: T
  readonly type: string
  readonly meaning: string
  readonly parts: readonly Variable[]
  /** @param read reads one of the parts */
  from(read: Reader): T
}

/** A value without a variable. */
export interface Fixed<T> {
  readonly default: T
  readonly meaning: string
  /** Its type, if embedding programs may choose it; otherwise the server does. */
  readonly type?: string
}

export type Reader = <T>(variable: Variable<T>) => T

/** @throws InvalidSetting the variable is malformed */
export const readerOf =
  (env: Environment): Reader =>
  ({ name, kind, default: unset }) => {
    const given = env[name]
    return given ? kind.parse(given, name) : unset
  }

/** Infers the type of a variable's values; one without a default can be null. */
export const variable = <T>(declared: Variable<T>): Variable<T> => declared
export const combined = <T>(declared: Combined<T>): Combined<T> => declared
export const fixed = <T>(declared: Fixed<T>): Fixed<T> => declared

/** The default of a variable, in words. */
export function defaultText({ default: value, unset }: Variable): string {
  if (unset !== undefined) return unset
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none'
}
