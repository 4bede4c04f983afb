import type { Context as HonoContext } from 'hono'
import { uploadJson } from '#features/files/uploads/actions.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, badRequest, notLoggedIn } from '#platform/errors.ts'
import { authenticateReader, requireAllowed } from '#platform/http/authenticate.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { App } from '#platform/http/mount.ts'
import { failure, type HeaderPairs, success } from '#platform/http/reply.ts'
import { readMetadata, replyTus, type TusReceiver, type TusUpload } from '#platform/http/tus.ts'
import { sentSentence } from '#translations/translate.ts'
import { appendPart, beginUpload, endUpload, findOwnResumable, finishUpload } from './actions.ts'
import type { ResumableUpload } from './queries.ts'

const path = '/api/v1/tus'

/**
 * Uploads in several requests: a client that loses the connection continues where it stopped, even
 * after a restart of the server. The reply to the last part is that of `POST /user_uploads`.
 *
 * @source Zulip API, "API changelog" (feature level 295)
 */
export function mountResumableUploads(app: App, server: SystemContext): void {
  app.all(path, (c) => reply(c, server, beginning))
  app.all(`${path}/:id{[0-9a-f]+}`, (c) => {
    const id = c.req.param('id')
    return reply(c, server, (caller) => continuing(caller, id))
  })
}

/** Lets web apps of any origin read the headers. */
const headers: HeaderPairs = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, ' +
      'Upload-Length, Upload-Metadata, Upload-Offset',
  ],
]

function reply(
  c: HonoContext,
  server: SystemContext,
  receiver: (caller: Caller) => TusReceiver<Upload>,
): Promise<Response> {
  return replyTus(c, {
    mostBytes: server.config.maxFileUploadMib * 1024 * 1024,
    headers,
    enter() {
      const caller = authenticateReader(c, server)
      if (!caller) throw notLoggedIn()
      requireAllowed(caller)
      return receiver(caller)
    },
    failure: (error, pairs) => failure(c, error, pairs),
  })
}

type Upload = ResumableUpload & TusUpload

const located = (upload: ResumableUpload): Upload => ({
  ...upload,
  location: `${path}/${upload.id}`,
})

function beginning(caller: Caller): TusReceiver<Upload> {
  return {
    ...receiving(caller),
    async begin(length, { header }) {
      if (length === 0) throw badRequest(sentSentence('The file is empty.'))
      return located(await caller.store.write((tx) => beginUpload(tx, caller, header, length)))
    },
  }
}

function continuing(caller: Caller, id: string): TusReceiver<Upload> {
  return {
    ...receiving(caller),
    find() {
      const upload = findOwnResumable(caller.store, caller.user.id, id)
      return upload && located(upload)
    },
  }
}

/** What is done with an upload on either path. */
function receiving(caller: Caller): TusReceiver<Upload> {
  const { server, store } = caller
  return {
    async append(upload, offset, part) {
      if (offset !== upload.received) return undefined
      const now = await server.files.putFor(part, upload.length - upload.received, (stored) =>
        store.write((tx) => appendPart(tx, upload, stored)),
      )
      return now && located(now)
    },
    async finish(upload) {
      const file = await finishUpload(caller, upload, readMetadata(upload.metadata)?.fileName ?? '')
      if (!file) throw new ApiError('NOT_FOUND', sentSentence('The file has been deleted.'))
      return success(uploadJson(file), [])
    },
    end: (upload) => store.write((tx) => endUpload(tx, upload)),
  }
}
