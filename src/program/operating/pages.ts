import { open } from 'node:fs/promises'
import { contentDisposition } from '#features/files/uploads/names.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import { streamPieces } from '#platform/http/downloads.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { sentSentence } from '#translations/translate.ts'
import { accessBackup, holdsTicket } from './backups.actions.ts'
import { requireOperator } from './rules.ts'

/**
 * Serves backups to owners in the session that has got the address, and is checked again before each
 * piece.
 */
export function mountServerBackups(app: App, server: SystemContext): void {
  app.get('/server-backups/:name', async (c) => {
    const caller = authenticateBrowser(c, server)
    const ticket = c.req.query('ticket') ?? ''
    if (!caller || !holdsTicket(caller, c.req.param('name'), ticket)) {
      throw new ApiError('NOT_FOUND', sentSentence('No such backup'))
    }
    requireOperator(server, caller.user)
    const { name, path, bytes } = await accessBackup(server.store, c.req.param('name'))
    const body = streamPieces(c, server, { start: 0, end: bytes - 1 }, async (at, length) => {
      requireOperator(server, caller.requireCurrent(server.store))
      const file = await open(path)
      try {
        const piece = Buffer.alloc(length)
        const { bytesRead } = await file.read(piece, 0, length, at)
        return piece.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    })
    return new LightReply(body, {
      headers: {
        'Content-Type': 'application/gzip',
        'Content-Length': String(bytes),
        'Content-Disposition': contentDisposition('attachment', name),
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    })
  })
}
