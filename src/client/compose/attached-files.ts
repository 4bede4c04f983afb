import { quotesIn, tailLinks } from './text-parts.ts'

/** What a text links to and the box draws below it. */
export interface AttachedFile {
  readonly name: string
  /** An address on this server, or of a call or picture elsewhere. */
  readonly path: string
  /** The link as written in the text. */
  readonly source: string
}

const links = /!?\[([^[\]\n]*)\]\((\/user_uploads\/[^()\s?#]+)\)/g

/**
 * The files that the source of a message links to, and the calls and pictures that it has at its end,
 * each once, in the order of the text. Those of its quotes are not its own.
 */
export function attachedFiles(text: string): readonly AttachedFile[] {
  const files = new Map<string, AttachedFile>()
  const own = text.slice(quotesIn(text).length)
  for (const [source, name = '', path = ''] of own.matchAll(links)) {
    if (!files.has(path)) files.set(path, { name, path, source })
  }
  for (const link of tailLinks(own)) {
    if (link.path !== '' && !files.has(link.path)) files.set(link.source, link)
  }
  return [...files.values()]
}
