import * as v from 'valibot'
import { ApiError, badRequest, missingArgument } from '#errors.ts'
import { namePlaceholder, type Param, type Params, type Values } from './params.ts'

/** Raw parameters of one request by name, from the path, the query string and the body together. */
export type RawParams = ReadonlyMap<string, string>

/** How deep the JSON of a parameter may nest; nothing in the API needs more than five. */
const maxDepth = 32

/**
 * Decodes and checks the declared parameters.
 *
 * @throws REQUEST_VARIABLE_MISSING with `var_name`; BAD_REQUEST for anything malformed
 */
export function decode<P extends Params>(params: P, raw: RawParams): Values<P> {
  const values: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(params)) {
    const given = [name, ...param.aliases].filter((key) => raw.has(key))
    if (given.length > 1 && new Set(given.map((key) => raw.get(key))).size > 1) {
      throw badRequest(`Can't decide between '${given[0]}' and '${given[1]}' arguments`)
    }
    const source = given[0] === undefined ? undefined : raw.get(given[0])
    values[name] = source === undefined ? absent(name, param) : decodeOne(name, param, source)
  }
  return values as Values<P>
}

/** The request's parameters that the endpoint does not know, in the order they came. */
export function unknownParams(params: Params, raw: RawParams): string[] {
  const isAlias = (name: string) =>
    Object.values(params).some(({ aliases }) => aliases.includes(name))
  return [...raw.keys()].filter((name) => !Object.hasOwn(params, name) && !isAlias(name))
}

function absent<T>(name: string, param: Param<T>): T | undefined {
  if (!param.required) return param.fallback
  throw missingArgument(name)
}

function decodeOne<T>(name: string, param: Param<T>, source: string): T {
  const result = v.safeParse(param.schema, read(name, param.encoding, source), {
    abortPipeEarly: true,
  })
  if (result.success) return result.output
  throw badRequest(wording(name, result.issues[0]))
}

/** What is wrong with a parameter, naming the place in it: `subscriptions[0]["name"] is missing`. */
function wording(name: string, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `[${JSON.stringify(key)}]`,
  )
  const place = name + path.join('')
  if (issue.received === 'undefined') return `${place} is missing`
  if (!issue.message.startsWith(namePlaceholder)) return `Invalid ${place}`
  return issue.message.replace(namePlaceholder, place)
}

function read(name: string, encoding: Param<unknown>['encoding'], source: string): unknown {
  if (encoding === 'text') return source
  if (encoding === 'word' && !source.startsWith('"')) return source
  try {
    const value: unknown = JSON.parse(source)
    requireSaneJson(name, value, 0)
    // zulip-flutter quotes what it does not send raw, numbers among them.
    if (encoding === 'json' && typeof value === 'string') return unquoted(value)
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (encoding !== 'json') return source
    throw badRequest(`Argument "${name}" is not valid JSON.`)
  }
}

/** A number or boolean inside JSON quotes, as itself. */
function unquoted(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,16}$/.test(value) ? Number(value) : value
}

/** Escapes could smuggle in what the raw text was checked for; depth could exhaust the stack. */
function requireSaneJson(name: string, value: unknown, depth: number): void {
  if (depth > maxDepth) throw badRequest(`Argument "${name}" is nested too deeply.`)
  if (typeof value === 'string') requireCleanText(name, value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    requireCleanText(name, key)
    requireSaneJson(name, member, depth + 1)
  }
}

/** @throws BAD_REQUEST for NUL characters and lone surrogates, which no text may hold */
export function requireCleanText(name: string, value: string): void {
  if (value.includes('\u0000') || !value.isWellFormed()) {
    throw badRequest(`Argument "${name}" holds characters that are not allowed.`)
  }
}

/** A parameter that some of an endpoint's other parameters make necessary. */
export function required<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw missingArgument(name)
  return value
}
