import { findReadable } from '#features/files/attachments/access.ts'
import { findUploadPicture } from '#features/files/thumbnails/queries.ts'
import { ApiError } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, text } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'

/** @source Zulip API, "API changelog" (feature level 479) */
export const getThumbnailStatus = endpoint({
  method: 'get',
  path: '/thumbnail/status/:realm_id/:filename{.+}',
  summary: 'Check whether the thumbnails of an uploaded image are ready.',
  reply: {
    has_thumbnail: shape.noted(
      shape.boolean,
      'False while they are being made, and for files that are not images.',
    ),
  },
  errors: ['NOT_FOUND'],
  params: { realm_id: int(), filename: text(1000) },
  run({ store, user }, p) {
    const file = findReadable(store, user, `${p.realm_id}/${p.filename}`)
    if (!file)
      throw new ApiError('NOT_FOUND', sentSentence('File not found'), {}, { parameter: 'filename' })
    return { has_thumbnail: findUploadPicture(store, file.id)?.state === 'ready' }
  },
})
