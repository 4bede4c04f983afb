import { createHash } from 'node:crypto'
import type { SystemContext } from '#platform/context.ts'
import { emojiData } from '#platform/emoji-data/unicode.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { servedPicture } from '#platform/http/served-picture.ts'
import { iconPng } from '#platform/pages/mark.ts'
import { extraEmojiPath } from '#shared/emoji-text.ts'
import { findEmojiPicture } from './queries.ts'
import { emojiDataPath, emojiUrl } from './urls.ts'

/**
 * Serves the names of the built-in emoji and the picture of the extra one, without authentication.
 */
export function mountBuiltInEmoji(app: App): void {
  app.get(emojiDataPath, (c) => {
    const { body, tag } = namesFile()
    const headers = {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=86400',
      ETag: tag,
      'Access-Control-Allow-Origin': '*',
    }
    return c.req.header('if-none-match') === tag
      ? new LightReply(null, { status: 304, headers })
      : new LightReply(body, { headers })
  })
  app.get(extraEmojiPath, () => servedPicture(iconPng(72), 'image/png'))
}

/**
 * Serves the pictures of custom emoji, without authentication: clients load them as plain images.
 */
export function mountEmoji(app: App, server: SystemContext): void {
  app.get(emojiUrl(':file'), async (c) => {
    const found = findEmojiPicture(server.store, c.req.param('file') ?? '')
    const bytes = found && (await server.files.read(found.fileHash))
    return bytes ? servedPicture(bytes, found.contentType) : await c.notFound()
  })
}

let names: { body: string; tag: string } | undefined

function namesFile(): { body: string; tag: string } {
  if (!names) {
    const body = JSON.stringify(emojiData())
    names = { body, tag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"` }
  }
  return names
}
