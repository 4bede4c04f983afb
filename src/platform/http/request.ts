import type { Context as HonoContext } from 'hono'
import { ApiError, badRequest } from '#platform/errors.ts'
import { readMultipart, tooManyParameters } from '#platform/multipart.ts'
import { sentSentence } from '#translations/translate.ts'
import { type RawParams, requireCleanText } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import type { Files } from './request-files.ts'

export interface Input {
  readonly params: RawParams
  readonly files: Files
  /** The raw body, for endpoints with `rawBody: true`; otherwise empty. */
  readonly body: Uint8Array
}

/** The smallest and the largest limit of a form, in bytes. */
const formLimits = { least: 64 * 1024, most: 1024 * 1024 } as const

/** The most parameters of a request; clients send no more than there are settings. */
const mostPairs = 500

/** The longest name of a parameter, in UTF-16 code units. */
const longestName = 200

/**
 * The largest body of an endpoint, in bytes: what it declares, or else as much as its parameters
 * take with every character escaped.
 */
export function bodyLimitOf({ bodyLimit, params }: Pick<Endpoint, 'bodyLimit' | 'params'>): number {
  const forms = Object.values(params).map(({ size }) => size.form + longestName)
  const sum = forms.reduce((all, form) => all + form, 0)
  const rounded = Math.ceil(sum / formLimits.least) * formLimits.least
  return bodyLimit ?? Math.min(Math.max(rounded, formLimits.least), formLimits.most)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Receives a request and collects its parameters.
 *
 * @param path the path parameters
 * @param bodyLimit the largest body, in bytes
 * @throws as `receiveBody` and `parseInput`
 */
export async function readInput(
  c: HonoContext,
  path: Readonly<Record<string, string>>,
  bodyLimit: number,
): Promise<Input> {
  return await parseInput(c, path, await receiveBody(c, bodyLimit))
}

/**
 * Waits for the body of a request. GET and HEAD have none, and the body of a file is left for
 * streaming.
 *
 * @param limit in bytes
 * @throws REQUEST_TOO_LARGE
 */
export function receiveBody(
  c: HonoContext,
  limit: number,
  rawBody: Endpoint['rawBody'] = false,
): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
  return hasBody(c, rawBody) ? readWithin(c, limitFor(c, limit, rawBody)) : noBody
}

/** How much of a body the server will hold at most, in bytes, as far as its headers tell. */
export function expectedBytes(
  c: HonoContext,
  limit: number,
  rawBody: Endpoint['rawBody'] = false,
): number {
  if (!hasBody(c, rawBody)) return 0
  const most = limitFor(c, limit, rawBody)
  const length = c.req.header('content-length')
  if (length !== undefined) return Math.min(Number(length), most)
  return c.req.header('transfer-encoding') === undefined ? 0 : most
}

function hasBody({ req }: HonoContext, rawBody: Endpoint['rawBody']): boolean {
  return rawBody === true || (!rawBody && req.method !== 'GET' && req.method !== 'HEAD')
}

function limitFor(c: HonoContext, limit: number, rawBody: Endpoint['rawBody']): number {
  return rawBody || isMultipart(c) ? limit : Math.min(limit, formLimits.most)
}

function typeOf(c: HonoContext): string {
  return (c.req.header('content-type') ?? '').toLowerCase()
}

const isMultipart = (c: HonoContext) => typeOf(c).startsWith('multipart/form-data')

/**
 * Collects a request's parameters. Clients differ in where they put them, so the query string and
 * a form or multipart body both count. Path parameters override others of the same name.
 *
 * @param path the path parameters
 * @throws BAD_REQUEST bad UTF-8, NUL characters, or one name with two values
 * @throws REQUEST_TOO_LARGE the query
 */
export function parseInput(
  c: HonoContext,
  path: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
  rawBody: Endpoint['rawBody'] = false,
): Promise<Input> | Input {
  const params = new Map<string, string>()
  const files = new Map<string, File>()
  const query = c.req.url.indexOf('?')
  if (c.req.url.length - query > formLimits.most) throw tooLarge(formLimits.most)
  if (query >= 0) {
    const source = c.req.url.slice(query + 1)
    const hash = source.indexOf('#')
    addPairs(params, (hash < 0 ? source : source.slice(0, hash)).replaceAll('+', ' '))
  }
  const isForm = hasBody(c, false) && !rawBody
  const finished = (): Input => {
    for (const [name, value] of Object.entries(path)) {
      requireCleanText(name, value)
      params.set(name, value)
    }
    return { params, files, body: rawBody ? body : noBody }
  }
  if (isForm && isMultipart(c)) return addMultipart(c, params, files, body).then(finished)
  if (isForm) addForm(c, params, body)
  return finished()
}

const noBody = new Uint8Array()
const plus = 0x2b
const space = 0x20

/** @param limit in bytes @throws REQUEST_TOO_LARGE */
function readWithin(c: HonoContext, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = c.req.header('content-length')
  if (Number(length ?? '0') > limit) throw tooLarge(limit)
  // Not `c.req.arrayBuffer()`, which would keep the body as long as the request.
  return length === undefined
    ? receiveBytes(c, limit)
    : c.req.raw.arrayBuffer().then((buffer) => new Uint8Array(buffer), endedEarly)
}

async function addMultipart(
  c: HonoContext,
  params: Map<string, string>,
  files: Map<string, File>,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  for (const [name, value] of await readMultipart(
    body,
    c.req.header('content-type') ?? '',
    mostPairs,
  )) {
    if (typeof value === 'string') addOne(params, name, value)
    else files.set(name, value)
  }
}

/** An object without members in JSON is no parameters; in bytes, with some white space. */
const longestEmptyObject = 100

function addForm(c: HonoContext, params: Map<string, string>, body: Uint8Array<ArrayBuffer>): void {
  if (body.byteLength === 0) return
  // Any other content type counts as a form: some clients send none or a wrong one.
  if (typeOf(c).startsWith('application/json')) {
    if (body.length <= longestEmptyObject && /^\s*\{\s*\}\s*$/.test(decodeUtf8(body))) return
    throw badRequest('Parameters must be form-encoded, not a JSON body.')
  }
  for (let i = 0; i < body.length; i++) if (body[i] === plus) body[i] = space
  addPairs(params, decodeUtf8(body))
}

/**
 * Receives a chunked body.
 *
 * @throws REQUEST_TOO_LARGE once it exceeds `limit` bytes; as `endedEarly`
 */
async function receiveBytes(c: HonoContext, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of c.req.raw.body ?? []) {
      size += part.byteLength
      if (size > limit) throw tooLarge(limit)
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    endedEarly()
  }
  return Buffer.concat(parts)
}

/** @throws BAD_REQUEST the client went away before the end of the body */
function endedEarly(): never {
  throw badRequest('The body of the request ended early.')
}

function addPairs(params: Map<string, string>, source: string): void {
  const pairs = source.split('&', mostPairs + 1)
  if (pairs.length > mostPairs) throw tooManyParameters(mostPairs)
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    addOne(params, unescapeForm(name), equals < 0 ? '' : unescapeForm(pair.slice(equals + 1)))
  }
}

function addOne(params: Map<string, string>, name: string, value: string): void {
  if (name.length > longestName) {
    throw badRequest(`The name of a parameter is too long (limit: ${longestName} characters)`)
  }
  requireCleanText(name, name)
  requireCleanText(name, value)
  const before = params.get(name)
  if (before !== undefined && before !== value) {
    throw badRequest(`Argument "${name}" was sent more than once.`, { parameter: name })
  }
  params.set(name, value)
}

/** @param source with spaces for the plus signs */
function unescapeForm(source: string): string {
  if (!source.includes('%')) return source
  try {
    return decodeURIComponent(source)
  } catch {
    throw badRequest('The request is not valid UTF-8.')
  }
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return strictUtf8.decode(body)
  } catch {
    throw badRequest('The request is not valid UTF-8.')
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError(
    'REQUEST_TOO_LARGE',
    sentSentence('The request is too large (limit: {count} bytes).', { count: limit }),
  )
}
