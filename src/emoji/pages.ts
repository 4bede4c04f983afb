import { createHash } from 'node:crypto'
import type { Context } from '#context.ts'
import type { App } from '#http/mount.ts'
import { servedPicture } from '#images/served.ts'
import { iconPng } from '#realm/icon.ts'
import { findEmojiPicture } from './queries.ts'
import { emojiData } from './unicode.ts'
import { emojiDataPath, emojiUrl, extraEmojiPath } from './urls.ts'

/**
 * What clients need to show emoji: the names of the built-in ones, the picture of the extra one and
 * the organization's own pictures. All without credentials.
 *
 * @source clients.md §1.1 `server_emoji_data_url`, §4
 */
export function mountEmoji(app: App, server: Context): void {
  app.get(emojiDataPath, (c) => {
    const { body, tag } = namesFile()
    c.header('Cache-Control', 'public, max-age=86400')
    c.header('ETag', tag)
    c.header('Access-Control-Allow-Origin', '*')
    if (c.req.header('if-none-match') === tag) return c.body(null, 304)
    return c.body(body, 200, { 'Content-Type': 'application/json' })
  })
  app.get(extraEmojiPath, () => servedPicture(iconPng(72), 'image/png'))
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
