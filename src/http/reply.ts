import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'
import type { ApiError } from '#errors.ts'
import { dialectOf } from './dialect.ts'
import { traceOf } from './log.ts'
import type { ReceivedFile } from './receive-file.ts'
import type { Files } from './request.ts'

/** What a handler may know of the request besides its parameters. */
export interface RequestFacts {
  readonly server: Context
  readonly files: Files
  /** The body of an endpoint that takes it as it is; empty for every other. */
  readonly body: Uint8Array
  /**
   * Puts the one file of the body into the store of files while it arrives: for an endpoint whose
   * `rawBody` is `streamed`.
   *
   * @param limit the most bytes
   * @throws BAD_REQUEST no file, more than one, one that is too large, or a malformed body
   */
  receiveFile(limit: number): Promise<ReceivedFile>
  /** A header of the request, by its lower-case name. */
  header(name: string): string | undefined
  /** Scheme, host and port under which the client reached the server. */
  readonly origin: string
  /** The client's network address, for rate limits and the log. */
  readonly address: string
  /** Counts a guess at somebody's password. @throws RATE_LIMIT_HIT after as many as at a login */
  countGuess(userId: number): void
  /** A header of the answer, such as a cookie. */
  setHeader(name: string, value: string): void
}

/** A success whose members are already JSON text: `"events":[...],"queue_id":"..."`. */
export class RawMembers {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/**
 * The envelope of a success.
 *
 * @source contract, "Conventions": `result`, `msg`, `ignored_parameters_unsupported` (level 167)
 */
export function success(members: object | undefined, ignored: readonly string[]): string {
  const open = '{"result":"success","msg":""'
  const rest =
    ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`
  if (members instanceof RawMembers) return `${open},${members.json}${rest}}`
  const json = members ? JSON.stringify(members) : '{}'
  return json === '{}' ? `${open}${rest}}` : `${open},${json.slice(1, -1)}${rest}}`
}

/** Headers besides those that every answer has. */
export type HeaderPairs = [name: string, value: string][]

/** The envelope of a failure, under the status of its code. */
export function failure(
  c: HonoContext,
  error: ApiError,
  headers: Readonly<HeaderPairs> = [],
): Response {
  return answerJson(c, error.status, failureJson(error), [...headers, ...headersOf(error)])
}

export function failureJson(error: ApiError): string {
  const { message, code, extra } = error
  return JSON.stringify({ result: 'error', msg: message, code, ...extra })
}

function headersOf(error: ApiError): HeaderPairs {
  const retryAfter = error.extra['retry-after']
  if (typeof retryAfter === 'number') return [['Retry-After', String(Math.ceil(retryAfter))]]
  return error.status === 401 ? [['WWW-Authenticate', 'Basic realm="parley"']] : []
}

/**
 * An answer of JSON text. Its headers are a plain object wherever they can be: the adapter writes
 * that out as it is, while making and reading a `Headers` costs more than a small answer itself.
 */
export function answerJson(
  c: HonoContext,
  status: number,
  body: string,
  headers: Readonly<HeaderPairs> = [],
): Response {
  const common = commonHeaders(c)
  return new Response(dialectOf(c)(body), {
    status,
    headers: headers.length === 0 ? common : [...Object.entries(common), ...headers],
  })
}

/** The headers of every answer. */
export function commonHeaders(c: HonoContext): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'X-Request-Id': traceOf(c).id,
    ...(c.req.path.startsWith('/api/') && forOtherOrigins),
  }
}

/** Web apps of any origin may use the API, which knows no cookies. */
const forOtherOrigins = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
}
