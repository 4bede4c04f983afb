/** A file of the server that a text links to. */
export interface AttachedFile {
  readonly name: string
  /** Its address on this server. */
  readonly path: string
  /** The link as written in the text. */
  readonly source: string
}

const links = /!?\[([^[\]\n]*)\]\((\/user_uploads\/[^()\s?#]+)\)/g

/** The files that a message's source links to, each once, in the order of the text. */
export function attachedFiles(text: string): readonly AttachedFile[] {
  const files = new Map<string, AttachedFile>()
  for (const [source, name = '', path = ''] of text.matchAll(links)) {
    if (!files.has(path)) files.set(path, { name, path, source })
  }
  return [...files.values()]
}

/** The part of a text to remove with one of its links: the line, if it is alone there. */
export function partToRemove(text: string, source: string): string {
  const isLine = text.startsWith(`${source}\n`) || text.includes(`\n${source}\n`)
  return isLine ? `${source}\n` : source
}
