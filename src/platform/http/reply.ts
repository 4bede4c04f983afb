import type { Context as HonoContext } from 'hono'
import { holdsSecret } from '#platform/compressible.ts'
import type { ApiError } from '#platform/errors.ts'
import { gzipBytes, type Piece, plainBytes } from '#platform/shared-replies/bytes.ts'
import { JsonPieces } from '#platform/shared-replies/values.ts'
import type { Steps } from '#platform/steps.ts'
import { acceptsGzip, compress, isCompressible } from './compression.ts'
import { dialectOf } from './dialect.ts'
import { extendedHeader } from './extended-errors.ts'
import { LightReply } from './light/reply.ts'
import { traceOf } from './log.ts'
import { protectionOf } from './protection.ts'
import { billOf } from './rate-limit.ts'

/** The members of a successful reply as JSON text: `"events":[...],"queue_id":"..."`. */
export class RawMembers {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

const open = '{"result":"success","msg":""'

/**
 * The JSON text of a successful reply.
 *
 * @source Zulip API, "Error handling": `ignored_parameters_unsupported` (feature level 167)
 */
export function success(members: object | undefined, ignored: readonly string[]): string {
  const unsupported = ignored.length > 0 && { ignored_parameters_unsupported: ignored }
  if (members instanceof RawMembers) {
    const rest = unsupported ? `,${JSON.stringify(unsupported).slice(1)}` : '}'
    return `${open},${members.json}${rest}`
  }
  // Made in one go: to join a text of half a megabyte takes as long as to make it.
  return JSON.stringify({ result: 'success', msg: '', ...members, ...unsupported })
}

/** From this length on, a text is not joined to others: copying it takes as long as making it. */
const leastApart = 16 * 1024

/**
 * As `success`, in pieces, for a reply with values that other replies share. A value with a secret
 * is a piece of its own.
 */
function successPieces(members: object, ignored: readonly string[]): Piece[] {
  const end = success(undefined, ignored).slice(open.length)
  const pieces: Piece[] = []
  let text = open
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    const label = `${JSON.stringify(name)}:`
    if (value instanceof JsonPieces) {
      pieces.push(`${text},${label}`)
      for (const piece of value.pieces) pieces.push(piece)
      text = ''
      continue
    }
    const json = JSON.stringify(value)
    if (holdsSecret(label) || holdsSecret(json)) {
      pieces.push(`${text},`, label + json)
      text = ''
    } else if (json.length >= leastApart) {
      pieces.push(`${text},${label}`, json)
      text = ''
    } else text += `,${label}${json}`
  }
  return [...pieces, text + end]
}

/** Whether a reply must be made with `successPieces`. */
function hasPieces(members: unknown): members is object {
  return (
    members instanceof Object && Object.values(members).some((value) => value instanceof JsonPieces)
  )
}

/** Headers in addition to the common ones. */
export type HeaderPairs = [name: string, value: string][]

/** The reply for an error, with the HTTP status of its code. */
export function failure(
  c: HonoContext,
  error: ApiError,
  headers: Readonly<HeaderPairs> = [],
): Response {
  const json = failureJson(error, wantsExtended(c))
  return replyJson(c, error.status, json, [...headers, ...headersOf(c, error)])
}

/** @param isExtended as `wantsExtended` says */
export function failureJson(error: ApiError, isExtended = false): string {
  const { message, code, extra } = error
  const more = isExtended ? extendedMembers(error) : undefined
  return JSON.stringify({ result: 'error', msg: message, code, ...extra, ...more })
}

/** What a form needs to show a refusal beside its field, in the language of its user. */
function extendedMembers({ about, sentence, isKnown }: ApiError) {
  const { parameter, isUnknown } = about
  const known = isKnown && { msg_template: sentence.english, msg_values: sentence.values }
  return { parameter, is_unknown: isUnknown || undefined, ...known }
}

/** Whether a client asks for the members of errors that the announced feature level lacks. */
export function wantsExtended(c: HonoContext): boolean {
  return c.req.header(extendedHeader) !== undefined
}

/**
 * The scheme of a 401 is one that browsers do not know, in requests that they make by themselves.
 * With a known scheme, they would ask their user for a name and a password.
 *
 * @source RFC 9110, section 11.6.1, "WWW-Authenticate"
 */
export function headersOf(c: HonoContext, error: ApiError): HeaderPairs {
  const retryAfter = error.extra['retry-after']
  if (typeof retryAfter === 'number') return [['Retry-After', String(Math.ceil(retryAfter))]]
  if (error.status !== 401) return []
  const scheme = c.req.path.startsWith('/api/') ? 'Basic' : 'Session'
  return [['WWW-Authenticate', `${scheme} realm="parley"`]]
}

/**
 * From this length on, in UTF-16 code units, a text is encoded here: a socket takes several times as
 * long for one with characters beyond Latin-1.
 */
const leastEncoded = 16 * 1024

/** A reply with JSON text. */
export function replyJson(
  c: HonoContext,
  status: number,
  body: string,
  headers: Readonly<HeaderPairs> = [],
): Response {
  const common = commonHeaders(c)
  const spoken = dialectOf(c)(body)
  c.set(madeHere, true)
  return new LightReply(spoken.length < leastEncoded ? spoken : Buffer.from(spoken), {
    status,
    headers: headers.length === 0 ? common : [...Object.entries(common), ...headers],
  })
}

/**
 * A successful reply with these members, compressed if it is long and the client accepts
 * compression. The caller pays for the time and for the length, also in the steps of a long one.
 *
 * @param ignored the names of parameters that the endpoint does not know
 */
export function replyMembers(
  c: HonoContext,
  members: object | undefined,
  ignored: readonly string[],
  headers: Readonly<HeaderPairs>,
): Response | Promise<Response> | Steps<Response> {
  const bill = billOf(c)
  if (hasPieces(members)) return replyPieces(c, members, ignored, headers)
  const json = bill.timed(() => success(members, ignored))
  bill.size(json.length)
  return bill.timed(() => replySuccess(c, json, headers))
}

function replySuccess(
  c: HonoContext,
  json: string,
  headers: Readonly<HeaderPairs>,
): Response | Promise<Response> {
  if (!isCompressible(json)) return replyJson(c, 200, json, headers)
  if (!acceptsGzip(c)) return replyJson(c, 200, json, [varying, ...headers])
  return replyCompressed(c, json, headers)
}

async function replyCompressed(
  c: HonoContext,
  json: string,
  headers: Readonly<HeaderPairs>,
): Promise<Response> {
  const bytes = await compress(dialectOf(c)(json))
  c.set(madeHere, true)
  // HEAD gets this header as well, like all compressed replies.
  const own: HeaderPairs = [
    varying,
    ['Content-Encoding', 'gzip'],
    ['Content-Length', String(bytes.length)],
  ]
  const all = [...Object.entries(commonHeaders(c)), ...own, ...headers]
  return new LightReply(new Uint8Array(bytes), { headers: all })
}

const varying: HeaderPairs[number] = ['Vary', 'Accept-Encoding']

/** A successful reply in pieces, compressed if the client accepts that. */
function* replyPieces(
  c: HonoContext,
  members: object,
  ignored: readonly string[],
  headers: Readonly<HeaderPairs>,
): Steps<Response> {
  const isCompressed = acceptsGzip(c)
  const inDialect = dialectOf(c)
  const pieces = successPieces(members, ignored)
  const spoken = pieces.map((piece) => (typeof piece === 'string' ? inDialect(piece) : piece))
  const chunks = isCompressed ? yield* gzipBytes(spoken) : plainBytes(spoken)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  billOf(c).size(length)
  const common = Object.entries(commonHeaders(c))
  const own: HeaderPairs = [varying, ['Content-Length', String(length)]]
  if (isCompressed) own.push(['Content-Encoding', 'gzip'])
  c.set(madeHere, true)
  return new LightReply(streamOf(chunks), { headers: [...common, ...own, ...headers] })
}

/** The size of the parts that are passed on, in bytes. */
const passedAtOnce = 64 * 1024

/**
 * Passes the chunks on as fast as the client reads them: long ones without copying, short ones
 * together.
 */
function streamOf(chunks: readonly Buffer[]): ReadableStream<Uint8Array> {
  const left = chunks.values()
  return new ReadableStream({
    pull(controller) {
      const some: Buffer[] = []
      let size = 0
      for (const chunk of left) {
        some.push(chunk)
        size += chunk.length
        if (size >= passedAtOnce) break
      }
      const [first] = some
      if (!first) controller.close()
      else controller.enqueue(some.length === 1 ? first : Buffer.concat(some))
    },
  })
}

const madeHere = 'json'

/** Whether `replyJson` made the response to this request. */
export function isJsonReply(c: HonoContext): boolean {
  return c.get(madeHere) === true
}

/** The headers of every reply: private to its caller, and only ever JSON. */
export function commonHeaders(c: HonoContext): Readonly<Record<string, string>> {
  return { ...fixedHeaders(c), 'X-Request-Id': traceOf(c).id, ...billOf(c).headers() }
}

/** Those of them that are the same for every reply to requests with the same headers. */
export function fixedHeaders(c: HonoContext): Readonly<Record<string, string>> {
  const { always, api } = protectionOf(c)
  return {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...always,
    ...(c.req.path.startsWith('/api/') && api),
  }
}
