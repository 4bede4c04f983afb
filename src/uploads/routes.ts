import { findReadable } from '#attachments/access.ts'
import { requireRoom } from '#attachments/actions.ts'
import { ApiError } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { int, text } from '#http/params.ts'
import { multipartOverhead } from '#http/receive-file.ts'
import { noted, string } from '#shape.ts'
import { addUpload, examine, uploadJson, uploadReply } from './adding.ts'
import { temporaryPath } from './links.ts'

/** @source the API description's "Upload a file"; api-changes §3a */
export const uploadFile = endpoint({
  method: 'post',
  path: '/user_uploads',
  summary: 'Upload a file, for the caller alone until a message links to it.',
  description:
    'Large files can also be sent in several requests, by the tus protocol 1.0 at `/api/v1/tus`.',
  reply: uploadReply,
  file: 'The file, at most `max_file_upload_size_mib` large.',
  rawBody: 'streamed',
  params: {},
  async run(caller, _params, request) {
    const { store, server } = caller
    // As far as its size is said before it arrives, and again in the write, when it is known.
    const announced = Number(request.header('content-length') ?? 0) - multipartOverhead
    requireRoom(store, caller, Math.max(announced, 0))
    const received = await request.receiveFile(server.config.maxFileUploadMib * 1024 * 1024)
    const arrived = await examine(server.files, received)
    return uploadJson(await store.write((tx) => addUpload(tx, caller, arrived)))
  },
})

/** @source the API description's "Get public temporary URL" */
export const getTemporaryUrl = endpoint({
  method: 'get',
  path: '/user_uploads/:realm_id/:filename{.+}',
  summary: 'Make an address from which anyone can fetch a file for a minute.',
  reply: { url: noted(string, 'Below the address of the server.') },
  errors: ['NOT_FOUND'],
  params: { realm_id: int(), filename: text(1000) },
  run({ store, user }, p) {
    const file = findReadable(store, user, `${p.realm_id}/${p.filename}`)
    if (!file) throw new ApiError('NOT_FOUND', 'File not found')
    return { url: temporaryPath(store, file) }
  },
})
