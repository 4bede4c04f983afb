import type { Context as HonoContext } from 'hono'
import { uploadJson } from '#features/files/uploads/actions.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError, notLoggedIn } from '#platform/errors.ts'
import { TooLong } from '#platform/files/store.ts'
import { authenticateReader, requireAllowed } from '#platform/http/authenticate.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { App } from '#platform/http/mount.ts'
import { receivedChunks } from '#platform/http/received-chunks.ts'
import { failure, type HeaderPairs, success } from '#platform/http/reply.ts'
import { appendPart, beginUpload, endUpload, findOwnResumable, finishUpload } from './actions.ts'
import { fileNameIn, methodOf, readMetadata, wholeNumber } from './headers.pages.ts'
import type { ResumableUpload } from './queries.ts'

const path = '/api/v1/tus'
const version = '1.0.0'
const partType = 'application/offset+octet-stream'

/**
 * Uploads in several requests: a client that loses the connection continues where it stopped, even
 * after a restart of the server. The reply to the last part is that of `POST /user_uploads`.
 *
 * @source https://tus.io/protocols/resumable-upload (1.0; creation, creation-with-upload,
 *   expiration, termination)
 * @source Zulip API, "API changelog" (feature level 295)
 */
export function mountResumableUploads(app: App, server: SystemContext): void {
  app.all(path, (c) => answer(c, server, undefined))
  app.all(`${path}/:id{[0-9a-f]+}`, (c) => answer(c, server, c.req.param('id')))
}

async function answer(
  c: HonoContext,
  server: SystemContext,
  id: string | undefined,
): Promise<Response> {
  const method = methodOf(c)
  if (method === 'OPTIONS') return reply(204, capabilities(server))
  if (c.req.header('tus-resumable') !== version) {
    return refuse(412, `This server speaks version ${version} of tus.`, [['Tus-Version', version]])
  }
  try {
    const caller = authenticateReader(c, server)
    if (!caller) throw notLoggedIn()
    requireAllowed(caller)
    if (id === undefined) return method === 'POST' ? await begin(c, caller) : wrongMethod('POST')
    const upload = findOwnResumable(caller.store, caller.user.id, id)
    if (!upload) return refuse(404, 'There is no such upload.')
    if (method === 'HEAD') return state(upload)
    if (method === 'PATCH') return await receivePart(c, caller, upload)
    if (method === 'DELETE') {
      await caller.store.write((tx) => endUpload(tx, upload))
      return reply(204)
    }
    return wrongMethod('HEAD, PATCH, DELETE')
  } catch (error) {
    if (error instanceof ApiError) return failure(c, error, [['Tus-Resumable', version]])
    throw error
  }
}

function capabilities({ config }: Context): HeaderPairs {
  return [
    ['Tus-Version', version],
    ['Tus-Extension', 'creation,creation-with-upload,expiration,termination'],
    ['Tus-Max-Size', String(mostBytes(config))],
  ]
}

function mostBytes(config: Context['config']): number {
  return config.maxFileUploadMib * 1024 * 1024
}

async function begin(c: HonoContext, caller: Caller): Promise<Response> {
  const length = wholeNumber(c.req.header('upload-length'))
  if (length === undefined) return refuse(400, 'Upload-Length must be the size of the file.')
  if (length === 0) return refuse(400, 'The file is empty.')
  if (length > mostBytes(caller.server.config)) return refuse(413, 'The file is too large.')
  const metadata = c.req.header('upload-metadata') ?? ''
  if (!readMetadata(metadata)) return refuse(400, 'Upload-Metadata is malformed.')
  const upload = await caller.store.write((tx) => beginUpload(tx, caller, metadata, length))
  const location: HeaderPairs = [['Location', `${path}/${upload.id}`]]
  const isPart = c.req.header('content-type') === partType
  if (isPart) return await receive(c, caller, upload, 201, location)
  return reply(201, [...location, ...progress(upload)])
}

async function receivePart(
  c: HonoContext,
  caller: Caller,
  upload: ResumableUpload,
): Promise<Response> {
  if (c.req.header('content-type') !== partType) {
    return refuse(415, `A part must have the Content-Type ${partType}.`)
  }
  const offset = wholeNumber(c.req.header('upload-offset'))
  if (offset === undefined) return refuse(400, 'Upload-Offset must be the offset of the part.')
  if (offset !== upload.received) return wrongOffset()
  return await receive(c, caller, upload, 204)
}

/** Stores the request's body as the next part, up to where the connection was lost. */
async function receive(
  c: HonoContext,
  caller: Caller,
  upload: ResumableUpload,
  status: 201 | 204,
  headers: HeaderPairs = [],
): Promise<Response> {
  const room = upload.length - upload.received
  const announced = wholeNumber(c.req.header('content-length')) ?? 0
  if (announced > room) return tooLong()
  try {
    const { files } = caller.server
    const now = await files.putFor(receivedChunks(c.req.raw.body), room, (part) =>
      caller.store.write((tx) => appendPart(tx, upload, part)),
    )
    if (!now) return wrongOffset()
    return now.received === now.length
      ? await finish(caller, now, status === 201 ? 201 : 200, headers)
      : reply(status, [...headers, ...progress(now)])
  } catch (error) {
    if (error instanceof TooLong) return tooLong()
    throw error
  }
}

async function finish(
  caller: Caller,
  upload: ResumableUpload,
  status: 200 | 201,
  headers: HeaderPairs = [],
): Promise<Response> {
  const name = fileNameIn(readMetadata(upload.metadata) ?? new Map())
  const file = await finishUpload(caller, upload, name)
  if (!file) return refuse(404, 'The file has been deleted.')
  const json = success(uploadJson(file), [])
  return reply(
    status,
    [...headers, ...progress(upload), ['Content-Type', 'application/json']],
    json,
  )
}

function state(upload: ResumableUpload): Response {
  return reply(200, [
    ...progress(upload),
    ['Upload-Length', String(upload.length)],
    ...(upload.metadata === '' ? [] : [['Upload-Metadata', upload.metadata] as [string, string]]),
    ['Cache-Control', 'no-store'],
  ])
}

function progress({ received, expiresAt }: ResumableUpload): HeaderPairs {
  return [
    ['Upload-Offset', String(received)],
    ['Upload-Expires', new Date(expiresAt * 1000).toUTCString()],
  ]
}

function wrongOffset(): Response {
  return refuse(409, 'This part does not begin at the end of the upload.')
}

function tooLong(): Response {
  return refuse(413, 'The part goes beyond the end of the file.')
}

function wrongMethod(allowed: string): Response {
  return refuse(405, 'Method Not Allowed', [['Allow', allowed]])
}

const codes = { 404: 'NOT_FOUND', 405: 'METHOD_NOT_ALLOWED', 413: 'REQUEST_TOO_LARGE' } as const

/** An error with the HTTP status that the protocol prescribes. */
function refuse(
  status: 400 | 404 | 405 | 409 | 412 | 413 | 415,
  msg: string,
  headers: HeaderPairs = [],
): Response {
  const code = status in codes ? codes[status as keyof typeof codes] : 'BAD_REQUEST'
  const body = JSON.stringify({ result: 'error', msg, code })
  return reply(status, [...headers, ['Content-Type', 'application/json']], body)
}

/** Lets web apps of any origin read these headers. */
const readable =
  'Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, ' +
  'Upload-Length, Upload-Metadata, Upload-Offset'

function reply(status: number, headers: HeaderPairs = [], body: string | null = null): Response {
  return new Response(body, {
    status,
    headers: [
      ['Tus-Resumable', version],
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', readable],
      ...headers,
    ],
  })
}
