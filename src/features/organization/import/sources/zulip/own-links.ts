import type { Content, Reference } from '#features/organization/import/stream.ts'
import { encodeHashComponent } from '#platform/markdown/links.ts'
import type { Directory } from './directory.ts'

const narrowLink =
  /https?:\/\/[^\s/<>()[\]]{1,255}(\/#narrow\/(?:stream|channel)\/(\d{1,15})-([^\s/<>()[\]]{1,400})[^\s<>()[\]]{0,600})/g

/**
 * Leads links to the old server here. An export does not say where that was: a link is one of its own if
 * it names a channel by the ID and the name that this channel has.
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
