import { randomBytes } from 'node:crypto'
import { findReadable } from '#attachments/access.ts'
import { addFile, requireRoom } from '#attachments/actions.ts'
import { ApiError } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { int, text } from '#http/params.ts'
import { multipartOverhead } from '#http/receive-file.ts'
import { requireRealm } from '#realm/queries.ts'
import { noted, string } from '#shape.ts'
import { addPicture, mayBePicture, pictureIn } from '#thumbnails/actions.ts'
import { temporaryPath } from './links.ts'
import { cleanFileName, contentTypeOf, pathName } from './names.ts'

/** @source the API description's "Upload a file"; api-changes §3a */
export const uploadFile = endpoint({
  method: 'post',
  path: '/user_uploads',
  summary: 'Upload a file, for the caller alone until a message links to it.',
  reply: {
    url: noted(string, 'Where it is, below the address of the server.'),
    uri: noted(string, 'The same under its old name.'),
    filename: noted(string, 'What to call it, such as in the text of a link.'),
  },
  file: 'The file, at most `max_file_upload_size_mib` large.',
  rawBody: 'streamed',
  params: {},
  async run(caller, _params, request) {
    const { store, server } = caller
    // As far as its size is said before it arrives, and again in the write, when it is known.
    const announced = Number(request.header('content-length') ?? 0) - multipartOverhead
    requireRoom(store, caller, Math.max(announced, 0))
    const received = await request.receiveFile(server.config.maxFileUploadMib * 1024 * 1024)
    const name = cleanFileName(received.name)
    const contentType = contentTypeOf(name)
    const isPicture = mayBePicture(contentType, received.size)
    const bytes = isPicture ? await server.files.read(received.hash) : undefined
    const picture = bytes && pictureIn(bytes)
    const added = await store.write((tx) => {
      const file = addFile(tx, caller, {
        pathId: `${requireRealm(tx).id}/${randomPart()}/${pathName(name)}`,
        name,
        contentType,
        fileHash: received.hash,
        size: received.size,
      })
      if (picture) addPicture(tx, file.id, picture)
      return file
    })
    const url = `/user_uploads/${added.pathId}`
    return { url, uri: url, filename: added.name }
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

/** Nobody guesses it, and a folder of all files would not hold them all at one level. */
function randomPart(): string {
  const random = randomBytes(13).toString('hex')
  return `${random.slice(0, 2)}/${random.slice(2)}`
}
