import { findReadable } from '#features/files/attachments/access.ts'
import { receiving } from '#features/files/attachments/arrivals.actions.ts'
import { ApiError } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, text } from '#platform/http/params.ts'
import { multipartOverhead } from '#platform/http/receive-file.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import { addUpload, examine, uploadJson, uploadReply } from './actions.ts'
import { temporaryPath } from './links.queries.ts'

/** @source Zulip API, "Upload a file" */
export const uploadFile = endpoint({
  method: 'post',
  path: '/user_uploads',
  summary: 'Upload a file, which only the caller can read until a message links to it.',
  description:
    'Large files can also be sent in several requests, with the tus 1.0 protocol at `/api/v1/tus`.',
  reply: uploadReply,
  file: 'The file, of at most `max_file_upload_size_mib` MiB.',
  rawBody: 'streamed',
  params: {},
  async run(caller, _params, request) {
    const { store, server } = caller
    const limit = server.config.maxFileUploadMib * 1024 * 1024
    const announced = Number(request.header('content-length') ?? 0) - multipartOverhead
    return await receiving(caller, Math.max(announced, 0), (arrival) =>
      request.receiveFile({ limit, count: arrival.count }, async (received) => {
        const arrived = await examine(server.files, received)
        const { reserved } = arrival
        return uploadJson(await store.write((tx, user) => addUpload(tx, user, arrived, reserved)))
      }),
    )
  },
})

/** @source Zulip API, "Get public temporary URL" */
export const getTemporaryUrl = endpoint({
  method: 'get',
  path: '/user_uploads/:realm_id/:filename{.+}',
  summary: 'Get a temporary URL from which anyone can fetch a file for a minute.',
  reply: { url: shape.noted(shape.string, 'The URL, relative to the server.') },
  errors: ['NOT_FOUND'],
  params: { realm_id: int(), filename: text(1000) },
  run({ store, user }, p) {
    const file = findReadable(store, user, `${p.realm_id}/${p.filename}`)
    if (!file)
      throw new ApiError('NOT_FOUND', sentSentence('File not found'), {}, { parameter: 'filename' })
    return { url: temporaryPath(store, file) }
  },
})
