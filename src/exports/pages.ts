import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import type { App } from '#http/mount.ts'
import { findRealm } from '#realm/queries.ts'
import { contentDisposition } from '#uploads/names.ts'
import { exportFileName, exportFolder } from './json.ts'
import { findExportByToken } from './queries.ts'

/** Exports, for whoever has the address, which only administrators are told. */
export function mountExports(app: App, server: Context): void {
  app.get(`${exportFolder}/:token{[0-9a-f]{32}}/${exportFileName}`, async (c) => {
    const { store, files } = server
    const made = findRealm(store) && findExportByToken(store, c.req.param('token'))
    const size = made?.fileHash ? await files.size(made.fileHash) : undefined
    if (!made?.fileHash || size === undefined) throw new ApiError('NOT_FOUND', 'File not found.')
    return c.body(files.stream(made.fileHash), 200, {
      'Content-Type': 'application/gzip',
      'Content-Length': String(size),
      'Content-Disposition': contentDisposition('attachment', exportFileName),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
  })
}
