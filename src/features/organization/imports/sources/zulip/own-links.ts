import type { Content, Reference } from '#features/organization/imports/stream.ts'
import { encodeHashComponent } from '#shared/place-links.ts'
import type { Directory } from './directory.ts'

const narrowLink =
  /https?:\/\/[^\s/<>()[\]]{1,255}(\/#narrow\/(?:stream|channel)\/(\d{1,15})-([^\s/<>()[\]]{1,400})[^\s<>()[\]]{0,600})/g

/**
 * Converts links to the old server. An export does not contain its address, so a link counts as its
 * own if it has the ID and the name of a channel.
 */
export function withOwnLinks(content: string, { channels }: Directory): Content {
  if (!content.includes('/#narrow/')) return content
  const parts: (string | Reference)[] = []
  let end = 0
  for (const found of content.matchAll(narrowLink)) {
    const [whole, path = '', id, slug] = found
    const name = channels.get(Number(id))?.name.replaceAll(' ', '-')
    if (name === undefined || encodeHashComponent(name) !== slug) continue
    parts.push(content.slice(end, found.index), { path })
    end = found.index + whole.length
  }
  return parts.length === 0 ? content : [...parts, content.slice(end)]
}
