import { contentDisposition } from '#features/files/uploads/names.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { streamFile } from '#platform/http/downloads.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { sentSentence } from '#translations/translate.ts'
import { exportFileName, exportFolder } from './json.ts'
import { findExportByToken } from './queries.ts'

/** Serves exports without authentication: the secret token is in the URL. */
export function mountExports(app: App, server: SystemContext): void {
  app.get(`${exportFolder}/:token{[0-9a-f]{32}}/${exportFileName}`, async (c) => {
    const { store, files } = server
    const token = c.req.param('token')
    const realmExport = findRealm(store) && findExportByToken(store, token)
    if (!realmExport) server.rateLimits.guesses.wrongKey(token, clientAddress(server, c))
    const size = realmExport?.fileHash ? await files.size(realmExport.fileHash) : undefined
    if (!realmExport?.fileHash || size === undefined) {
      throw new ApiError('NOT_FOUND', sentSentence('File not found.'))
    }
    const whole = { start: 0, end: size - 1 }
    const body = streamFile(c, server, realmExport.fileHash, whole)
    return new LightReply(body, {
      headers: {
        'Content-Type': 'application/gzip',
        'Content-Length': String(size),
        'Content-Disposition': contentDisposition('attachment', exportFileName),
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    })
  })
}
