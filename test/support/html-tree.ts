import type { MarkdownWriter } from '#shared/markdown-writer.ts'

const piece = /<(\/?)([a-z][a-z\d]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/gi
const attributes = /([\w-]+)(?:="([^"]*)")?/g
const empty = new Set(['br', 'hr', 'img', 'input'])

/** Writes HTML of the server, in which each element has its end, such as that of messages. */
export function writeHtml(html: string, writer: MarkdownWriter): void {
  for (const [, end, name = '', inTag = '', text] of html.matchAll(piece)) {
    const tag = name.toLowerCase()
    if (text !== undefined) writer.text(decoded(text))
    else if (end) writer.close()
    else {
      const values = new Map<string, string>()
      for (const [, key = '', value = ''] of inTag.matchAll(attributes)) {
        values.set(key, decoded(value))
      }
      writer.open(tag, (key) => values.get(key) ?? '')
      if (empty.has(tag)) writer.close()
    }
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  copy: '©',
  nbsp: '\u00a0',
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (found, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? found
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
