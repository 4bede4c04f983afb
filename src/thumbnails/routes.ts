import { findReadable } from '#attachments/access.ts'
import { ApiError } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { int, text } from '#http/params.ts'
import { boolean, noted } from '#shape.ts'
import { findUploadPicture } from './queries.ts'

/** @source api-changes §2a (level 479) */
export const getThumbnailStatus = endpoint({
  method: 'get',
  path: '/thumbnail/status/:realm_id/:filename{.+}',
  summary: 'Say whether the thumbnails of an uploaded picture are there.',
  reply: {
    has_thumbnail: noted(boolean, 'False while they are made, and for what is no picture.'),
  },
  errors: ['NOT_FOUND'],
  params: { realm_id: int(), filename: text(1000) },
  run({ store, user }, p) {
    const file = findReadable(store, user, `${p.realm_id}/${p.filename}`)
    if (!file) throw new ApiError('NOT_FOUND', 'File not found')
    return { has_thumbnail: findUploadPicture(store, file.id)?.state === 'ready' }
  },
})
