import type { Context as HonoContext } from 'hono'
import { ApiError, badRequest } from '#errors.ts'
import { type RawParams, requireCleanText } from './decode.ts'
import type { Endpoint } from './endpoint.ts'

/** Files of a multipart request, by the name of their part. */
export type Files = ReadonlyMap<string, File>

export interface Input {
  readonly params: RawParams
  readonly files: Files
  /** The body of an endpoint that takes it as it is; empty for every other. */
  readonly body: Uint8Array
}

/** The largest body of an endpoint that takes no files, in bytes. */
export const defaultBodyLimit = 4 * 1024 * 1024

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Collects a request's parameters: the query string and a form or multipart body alike, for every
 * method, as the union of all clients sends them (clients.md §0.1). Path parameters win over
 * others of the same name.
 *
 * @throws BAD_REQUEST for bad UTF-8, NUL characters, or one name with two values
 * @throws REQUEST_TOO_LARGE past `bodyLimit` bytes
 */
export async function readInput(
  c: HonoContext,
  path: Readonly<Record<string, string>>,
  bodyLimit: number,
  rawBody: Endpoint['rawBody'] = false,
): Promise<Input> {
  const params = new Map<string, string>()
  const files = new Map<string, File>()
  const query = c.req.url.indexOf('?')
  if (query >= 0) addPairs(params, c.req.url.slice(query + 1).replace(/#.*/, ''))
  const body = rawBody === true ? await readWithin(c, bodyLimit) : noBody
  if (!rawBody && c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    await addBody(c, params, files, bodyLimit)
  }
  for (const [name, value] of Object.entries(path)) {
    requireCleanText(name, value)
    params.set(name, value)
  }
  return { params, files, body }
}

const noBody = new Uint8Array()

/** @throws REQUEST_TOO_LARGE past `limit` bytes */
async function readWithin(c: HonoContext, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(c.req.header('content-length') ?? '0')
  if (length > limit) throw tooLarge(limit)
  return await readBytes(c, limit)
}

async function addBody(
  c: HonoContext,
  params: Map<string, string>,
  files: Map<string, File>,
  limit: number,
): Promise<void> {
  const length = Number(c.req.header('content-length') ?? '0')
  if (length > limit) throw tooLarge(limit)
  const type = (c.req.header('content-type') ?? '').toLowerCase()
  if (type.startsWith('multipart/form-data')) {
    for (const [name, value] of await readMultipart(c, limit)) {
      if (typeof value === 'string') addOne(params, name, value)
      else files.set(name, value)
    }
    return
  }
  const body = await readBytes(c, limit)
  if (body.byteLength === 0) return
  // Whatever a client calls its form, a form is what the API takes.
  if (type.startsWith('application/json')) {
    throw badRequest('Parameters must be form-encoded, not a JSON body.')
  }
  addPairs(params, decodeUtf8(body))
}

/** The body's bytes; a chunked body is cut off where it passes the limit. */
async function readBytes(c: HonoContext, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (c.req.header('content-length') !== undefined) {
    return new Uint8Array(await c.req.arrayBuffer())
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of c.req.raw.body ?? []) {
    size += part.byteLength
    if (size > limit) throw tooLarge(limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function readMultipart(c: HonoContext, limit: number): Promise<FormData> {
  const body = await readBytes(c, limit)
  const type = c.req.header('content-type') ?? ''
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw badRequest('The multipart body is malformed.')
  }
}

function addPairs(params: Map<string, string>, source: string): void {
  for (const pair of source.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    addOne(params, unescapeForm(name), equals < 0 ? '' : unescapeForm(pair.slice(equals + 1)))
  }
}

function addOne(params: Map<string, string>, name: string, value: string): void {
  requireCleanText(name, name)
  requireCleanText(name, value)
  const before = params.get(name)
  if (before !== undefined && before !== value) {
    throw badRequest(`Argument "${name}" was sent more than once.`)
  }
  params.set(name, value)
}

function unescapeForm(source: string): string {
  const spaced = source.includes('+') ? source.replaceAll('+', ' ') : source
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
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
  return new ApiError('REQUEST_TOO_LARGE', `The request is larger than ${limit} bytes.`)
}
