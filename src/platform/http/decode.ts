import * as v from 'valibot'
import { ApiError, badRequest, missingArgument } from '#platform/errors.ts'
import { scanJson } from '#platform/json-scan.ts'
import { naming, tooLong, tooManyItems } from '#platform/sentences.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'
import { findExcess } from './bounds.ts'
import { sentenceOfIssue } from './issues.ts'
import type { Param, Params, Values } from './params.ts'

/** The undecoded parameters of a request by name, from path, query string and body together. */
export type RawParams = ReadonlyMap<string, string>

/** How deep a parameter's JSON may nest; the API needs no more than five levels. */
const maxDepth = 32

/** How much of an undeclared parameter's name a reply repeats, and how many it names. */
const shownUnknown = { names: 50, characters: 100 } as const

/**
 * Decodes and validates the declared parameters. Each is measured before any work whose cost
 * depends on its size. Decoding stops at the first failure.
 *
 * @throws REQUEST_VARIABLE_MISSING with `var_name`; BAD_REQUEST for anything malformed
 */
export function decode<P extends Params>(params: P, raw: RawParams): Values<P> {
  const values: Record<string, unknown> = {}
  for (const [name, param] of declared(params).entries) {
    const source = param.aliases.length === 0 ? raw.get(name) : oneOf(name, param, raw)
    values[name] = source === undefined ? absent(name, param) : decodeOne(name, param, source)
  }
  return values as Values<P>
}

/** An integer, which some clients put into JSON quotes. */
const integer = /^("?)-?(?:0|[1-9]\d*)\1$/

/**
 * Requires an integer in each part of a path that is to be one: any other path is unknown.
 *
 * @param path the parts by the names of their parameters
 * @throws NOT_FOUND
 */
export function requireIds(params: Params, path: Readonly<Record<string, string>>): void {
  for (const [name, part] of Object.entries(path)) {
    const param = params[name]
    if (param && isId(param) && !integer.test(part))
      throw new ApiError('NOT_FOUND', sentSentence('Not found'))
  }
}

/** Whether a parameter of a path is an integer. */
export const isId = ({ encoding }: Param<unknown>): boolean => encoding === 'json'

/** The value that came under the parameter's name or an alias. */
function oneOf(name: string, { aliases }: Param<unknown>, raw: RawParams): string | undefined {
  const given = [name, ...aliases].filter((key) => raw.has(key))
  if (given.length > 1 && new Set(given.map((key) => raw.get(key))).size > 1) {
    throw badRequest(
      sentSentence("Can't decide between '{one}' and '{other}' arguments", {
        one: given[0] ?? name,
        other: given[1] ?? name,
      }),
      {
        parameter: name,
      },
    )
  }
  return given[0] === undefined ? undefined : raw.get(given[0])
}

interface ParamDeclarations {
  readonly entries: readonly [name: string, param: Param<unknown>][]
  /** With the aliases. */
  readonly names: ReadonlySet<string>
}

const declarations = new WeakMap<Params, ParamDeclarations>()

function declared(params: Params): ParamDeclarations {
  let known = declarations.get(params)
  if (!known) {
    const entries = Object.entries(params)
    const names = new Set(entries.flatMap(([name, { aliases }]) => [name, ...aliases]))
    known = { entries, names }
    declarations.set(params, known)
  }
  return known
}

/** The names of the first parameters that the endpoint does not declare, in request order. */
export function unknownParams(params: Params, raw: RawParams): string[] {
  const { names } = declared(params)
  const unknown: string[] = []
  for (const name of raw.keys()) {
    if (unknown.length === shownUnknown.names) break
    if (!names.has(name)) unknown.push(name.slice(0, shownUnknown.characters))
  }
  return unknown
}

const atFirstIssue = { abortEarly: true, abortPipeEarly: true } as const

function absent<T>(name: string, param: Param<T>): T | undefined {
  if (!param.required) return param.fallback
  throw missingArgument(name)
}

function decodeOne<T>(name: string, param: Param<T>, source: string): T {
  const value = read(name, param, source)
  const excess = findExcess(value, param.bounds)
  if (excess) throw refusal(name, naming(name + steps(excess.path), excess.problem))
  requireCleanJson(name, value)
  const result = v.safeParse(param.schema, value, atFirstIssue)
  if (result.success) return result.output
  throw refusal(name, wording(name, result.issues[0]))
}

/** The error message, with the path to the invalid value: `subscriptions[0]["name"] is missing`. */
function wording(name: string, issue: v.BaseIssue<unknown>): Sentence {
  const place = name + steps((issue.path ?? []).map(({ key }) => key))
  if (issue.received === 'undefined') return sentSentence('{name} is missing', { name: place })
  return naming(place, sentenceOfIssue(issue.message) ?? sentSentence('Invalid {name}'))
}

function refusal(parameter: string, said: Sentence): ApiError {
  return badRequest(said, { parameter })
}

function steps(path: readonly unknown[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `[${JSON.stringify(key)}]`))
    .join('')
}

function read(name: string, { encoding, bounds, size }: Param<unknown>, source: string): unknown {
  if (encoding === 'text') return source
  if (encoding === 'word' && !source.startsWith('"')) return source
  const { json, marks } = size
  if (source.length > json) throw refusal(name, naming(name, tooLong(json)))
  // A bare word may have any number of commas.
  const excess = /^\s*[[{]/.test(source) && scanJson(source, { marks, depth: maxDepth })
  if (excess === 'deep') {
    throw refusal(name, sentSentence('Argument "{name}" is nested too deeply.', { name }))
  }
  if (excess) throw refusal(name, naming(name, tooManyItems(bounds.list?.most ?? marks)))
  try {
    const value: unknown = JSON.parse(source)
    // zulip-flutter puts every JSON value into quotes, numbers too.
    if (encoding === 'json' && typeof value === 'string') return unquoted(value)
    return value
  } catch {
    if (encoding !== 'json') return source
    throw refusal(name, sentSentence('Argument "{name}" is not valid JSON.', { name }))
  }
}

/** Converts a number or boolean inside JSON quotes to its value. */
function unquoted(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,16}$/.test(value) ? Number(value) : value
}

/** JSON escapes can hide characters that the raw text may not have. */
function requireCleanJson(name: string, value: unknown): void {
  if (typeof value === 'string') requireCleanText(name, value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    requireCleanText(name, key)
    requireCleanJson(name, member)
  }
}

/** @throws BAD_REQUEST NUL characters or lone surrogates */
export function requireCleanText(name: string, value: string): void {
  if (value.includes('\u0000') || !value.isWellFormed()) {
    const said = sentSentence('Argument "{name}" holds characters that are not allowed.', { name })
    throw refusal(name, said)
  }
}

/** Requires a parameter that other parameters make necessary. @throws REQUEST_VARIABLE_MISSING */
export function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw missingArgument(name)
  return value
}
