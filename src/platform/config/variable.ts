import { InvalidSetting } from './invalid-setting.ts'
import { controlCharacters, type Kind } from './kinds.ts'
import { MalformedValue } from './malformed.ts'

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
  /** The same in an embedding program, where that differs. */
  readonly embedded?: T
  /** What the default means, in words, where `default` does not say it; absent: "none". */
  readonly unset?: string
  readonly kind: Kind<NonNullable<T>>
  /** The option of `parley serve` that overrides it. */
  readonly option?: string
  /** Whether to hide the value, or only the password in a URL. */
  readonly secret?: 'all' | 'password'
}

/** A value that several variables make up. */
export interface CombinedVariable<T> {
  readonly default: T
  readonly type: string
  readonly meaning: string
  readonly parts: readonly Variable[]
  /** @param read reads one of the parts */
  from(read: Reader): T
}

/** A value without a variable. */
export interface FixedValue<T> {
  readonly default: T
  readonly meaning: string
  /** Its type, if embedding programs may choose it; otherwise the server does. */
  readonly type?: string
}

export type Reader = <T>(variable: Variable<T>) => T

/** @throws InvalidSetting the variable is malformed */
export const readerOf =
  (env: Environment): Reader =>
  (variable) => {
    const given = env[variable.name]
    return given ? parseSetting(variable, given) : variable.default
  }

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The most of a wrong value that a message repeats. */
const longestShown = 100

/**
 * @param place where the text was given, for the message
 * @throws InvalidSetting it is malformed; says what it must look like
 */
export function parseSetting<T>(
  { name, kind, secret }: Variable<T>,
  given: string,
  place: string = name,
): NonNullable<T> {
  try {
    return kind.parse(given)
  } catch (error) {
    if (!(error instanceof MalformedValue)) throw error
    const { message, part } = error
    const shown = part.slice(0, longestShown).replace(controlCharacters, escaped)
    const wrong = `${place} must be ${kind.form}${secret ? '' : `, not '${shown}'`}.`
    throw new InvalidSetting(name, message === '' ? wrong : `${wrong} ${message}`)
  }
}

/** Infers the type of a variable's values; one without a default can be null. */
export const variable = <T>(declared: Variable<T>): Variable<T> => declared
export const combined = <T>(declared: CombinedVariable<T>): CombinedVariable<T> => declared
export const fixed = <T>(declared: FixedValue<T>): FixedValue<T> => declared

/** The default of a variable, in words. */
export function defaultText({ default: value, unset }: Variable): string {
  if (unset !== undefined) return unset
  return typeof value === 'object' || value === undefined ? 'none' : valueText(value)
}

/** A value as an operator could write it. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value !== 'object' || value === null) return String(value)
  if ('host' in value && 'port' in value) return `${value.host}:${value.port}`
  return Object.entries(value)
    .map(([name, each]) => `${name}=${each}`)
    .join(' ')
}
