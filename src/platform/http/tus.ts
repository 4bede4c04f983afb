import type { Context as HonoContext } from 'hono'
import { ApiError } from '#platform/errors.ts'
import { TooLong } from '#platform/files/store.ts'
import { LightReply } from './light/reply.ts'
import { receivedChunks } from './received-chunks.ts'
import type { HeaderPairs } from './reply.ts'

/** An upload that has been begun. */
export interface TusUpload {
  /** The path of its own requests. */
  readonly location: string
  /** The size of the whole file, in bytes. */
  readonly length: number
  /** How much of it has arrived, in bytes. */
  readonly received: number
  /** The client's `Upload-Metadata` header. */
  readonly metadata: string
  /** In seconds since the epoch, if it expires. */
  readonly expiresAt?: number
}

/** What becomes of uploads: the methods of a path are those that its functions allow. */
export interface TusReceiver<Upload extends TusUpload> {
  /** The upload of this path, if it has one. */
  find?(): Upload | undefined
  /** @throws ApiError it is not taken */
  begin?(length: number, metadata: TusMetadata): Promise<Upload>
  /**
   * Appends a part as it arrives; if the connection breaks, what has arrived stays.
   *
   * @returns undefined: it does not begin at the end of the upload
   * @throws TooLong it goes beyond the end of the file
   */
  append(
    upload: Upload,
    offset: number,
    part: AsyncIterable<Uint8Array>,
  ): Promise<Upload | undefined>
  /** The JSON of the reply to the last part; without, it has none. @throws ApiError the file is gone */
  finish?(upload: Upload): Promise<string>
  end(upload: Upload): Promise<void>
}

export interface TusOptions<Upload extends TusUpload> {
  /** The largest file, in bytes; without, `begin` says what is too large. */
  readonly mostBytes?: number
  /** The headers of each reply. */
  readonly headers: HeaderPairs
  /** Called after the version has been checked. @throws ApiError the caller may not upload */
  enter(): TusReceiver<Upload>
  /** The reply for an error, with these headers. */
  failure(error: ApiError, headers: HeaderPairs): Response
}

const version = '1.0.0'
const partType = 'application/offset+octet-stream'

/**
 * Answers a request of an upload in several requests: a client that loses the connection continues where
 * it stopped.
 *
 * @source https://tus.io/protocols/resumable-upload (1.0; creation, creation-with-upload,
 *   expiration, termination)
 */
export async function replyTus<Upload extends TusUpload>(
  c: HonoContext,
  options: TusOptions<Upload>,
): Promise<Response> {
  const reply = replier(options.headers)
  const method = methodOf(c)
  if (method === 'OPTIONS') return reply(204, capabilities(options))
  if (c.req.header('tus-resumable') !== version) {
    return refuse(reply, 412, `This server speaks version ${version} of tus.`, [
      ['Tus-Version', version],
    ])
  }
  try {
    return await replyMethod(c, method, options, reply)
  } catch (error) {
    if (error instanceof TooLong) return tooLong(reply)
    if (error instanceof ApiError) {
      return options.failure(error, [['Tus-Resumable', version], ...options.headers])
    }
    throw error
  }
}

type Replier = (status: number, headers?: HeaderPairs, body?: string | null) => Response

const replier =
  (common: HeaderPairs): Replier =>
  (status, headers = [], body = null) =>
    new LightReply(body, { status, headers: [['Tus-Resumable', version], ...common, ...headers] })

function capabilities({ mostBytes }: Pick<TusOptions<TusUpload>, 'mostBytes'>): HeaderPairs {
  return [
    ['Tus-Version', version],
    ['Tus-Extension', 'creation,creation-with-upload,expiration,termination'],
    ...(mostBytes === undefined ? [] : [['Tus-Max-Size', String(mostBytes)] as [string, string]]),
  ]
}

async function replyMethod<Upload extends TusUpload>(
  c: HonoContext,
  method: string,
  options: TusOptions<Upload>,
  reply: Replier,
): Promise<Response> {
  const receiver = options.enter()
  if (method === 'POST' && receiver.begin) {
    return await replyBegin(c, { ...receiver, begin: receiver.begin }, options.mostBytes, reply)
  }
  const methods = [...(receiver.begin ? ['POST'] : []), ...(receiver.find ? ownMethods : [])]
  if (!methods.includes(method)) {
    return refuse(reply, 405, 'Method Not Allowed', [['Allow', methods.join(', ')]])
  }
  const upload = receiver.find?.()
  if (!upload) return refuse(reply, 404, 'There is no such upload.')
  if (method === 'HEAD') return reply(200, state(upload))
  if (method === 'PATCH') return await replyPart(c, receiver, upload, reply)
  await receiver.end(upload)
  return reply(204)
}

/** The methods of an upload's own path. */
const ownMethods = ['HEAD', 'PATCH', 'DELETE']

async function replyBegin<Upload extends TusUpload>(
  c: HonoContext,
  receiver: TusReceiver<Upload> & Required<Pick<TusReceiver<Upload>, 'begin'>>,
  mostBytes: number | undefined,
  reply: Replier,
): Promise<Response> {
  const length = wholeNumber(c.req.header('upload-length'))
  if (length === undefined) return refuse(reply, 400, 'Upload-Length must be the size of the file.')
  const metadata = readMetadata(c.req.header('upload-metadata') ?? '')
  if (!metadata) return refuse(reply, 400, 'Upload-Metadata is malformed.')
  if (mostBytes !== undefined && length > mostBytes)
    return refuse(reply, 413, 'The file is too large.')
  const upload = await receiver.begin(length, metadata)
  const location: HeaderPairs = [['Location', upload.location]]
  if (c.req.header('content-type') !== partType) {
    return reply(201, [...location, ...progress(upload)])
  }
  return await receive(c, receiver, upload, 0, reply, { status: 201, headers: location })
}

async function replyPart<Upload extends TusUpload>(
  c: HonoContext,
  receiver: TusReceiver<Upload>,
  upload: Upload,
  reply: Replier,
): Promise<Response> {
  if (c.req.header('content-type') !== partType) {
    return refuse(reply, 415, `A part must have the Content-Type ${partType}.`)
  }
  const offset = wholeNumber(c.req.header('upload-offset'))
  if (offset === undefined) {
    return refuse(reply, 400, 'Upload-Offset must be the offset of the part.')
  }
  return await receive(c, receiver, upload, offset, reply, { status: 204, headers: [] })
}

/** Takes the request's body as the next part, up to where the connection was lost. */
async function receive<Upload extends TusUpload>(
  c: HonoContext,
  receiver: TusReceiver<Upload>,
  upload: Upload,
  offset: number,
  reply: Replier,
  { status, headers }: { readonly status: 201 | 204; readonly headers: HeaderPairs },
): Promise<Response> {
  const announced = wholeNumber(c.req.header('content-length')) ?? 0
  if (offset + announced > upload.length) return tooLong(reply)
  const now = await receiver.append(upload, offset, receivedChunks(c.req.raw.body))
  if (!now) return refuse(reply, 409, 'This part does not begin at the end of the upload.')
  if (now.received < now.length || !receiver.finish) {
    return reply(status, [...headers, ...progress(now)])
  }
  const json = await receiver.finish(now)
  return reply(status === 201 ? 201 : 200, [...headers, ...progress(now), ...asJson], json)
}

function state(upload: TusUpload): HeaderPairs {
  return [
    ...progress(upload),
    ['Upload-Length', String(upload.length)],
    ...(upload.metadata === '' ? [] : [['Upload-Metadata', upload.metadata] as [string, string]]),
    ['Cache-Control', 'no-store'],
  ]
}

function progress({ received, expiresAt }: TusUpload): HeaderPairs {
  const end: HeaderPairs =
    expiresAt === undefined ? [] : [['Upload-Expires', new Date(expiresAt * 1000).toUTCString()]]
  return [['Upload-Offset', String(received)], ...end]
}

const asJson: HeaderPairs = [['Content-Type', 'application/json']]

const tooLong = (reply: Replier) => refuse(reply, 413, 'The part goes beyond the end of the file.')

const codes = { 404: 'NOT_FOUND', 405: 'METHOD_NOT_ALLOWED', 413: 'REQUEST_TOO_LARGE' } as const

/** An error with the HTTP status that the protocol prescribes. */
function refuse(
  reply: Replier,
  status: 400 | 404 | 405 | 409 | 412 | 413 | 415,
  msg: string,
  headers: HeaderPairs = [],
): Response {
  const code = status in codes ? codes[status as keyof typeof codes] : 'BAD_REQUEST'
  const body = JSON.stringify({ result: 'error', msg, code })
  return reply(status, [...headers, ...asJson], body)
}

/** A header's value as a non-negative integer; undefined if it is missing or invalid. */
function wholeNumber(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** The keys of `Upload-Metadata` and their values, and the header itself. */
export interface TusMetadata {
  readonly header: string
  /** The client's name for the file, under `filename`, or `name` in some clients; empty without one. */
  readonly fileName: string
}

/**
 * Parses an `Upload-Metadata` header: keys, each with an optional Base64 value.
 *
 * @returns undefined for an invalid header or a repeated key
 * @source tus 1.0, "Upload-Metadata"
 */
export function readMetadata(header: string): TusMetadata | undefined {
  const values = new Map<string, string>()
  for (const pair of header.trim() === '' ? [] : header.split(',')) {
    const [key = '', value = '', more] = pair.trim().split(' ')
    const isFine = key !== '' && more === undefined && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
    if (!isFine || values.has(key)) return undefined
    values.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return { header, fileName: values.get('filename') ?? values.get('name') ?? '' }
}

/**
 * The effective method of a request, as some clients can only send POST.
 *
 * @source tus 1.0, "X-HTTP-Method-Override"
 */
function methodOf(c: HonoContext): string {
  const { method } = c.req
  // Only a POST may override its method, because GET requests skip the CSRF check.
  return method === 'POST' ? (c.req.header('x-http-method-override') ?? method) : method
}
