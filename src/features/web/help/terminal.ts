import { anchorOf } from './anchors.ts'

/**
 * Finds a page, or else a part of one, and makes it readable in a terminal.
 *
 * @param pages Markdown, by name
 * @param topic the name of a page, the anchor of a heading, or both with `#` between them
 * @returns undefined: there is none
 */
export function findTopic(
  pages: Readonly<Record<string, string>>,
  topic: string,
): string | undefined {
  const [name = '', anchor] = topic.split('#')
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  if (page !== undefined) {
    const found = anchor === undefined ? page : partOf(page, anchor)
    return found === undefined ? undefined : readable(found)
  }
  for (const each of Object.values(pages)) {
    const part = partOf(each, topic)
    if (part !== undefined) return readable(part)
  }
  return undefined
}

/** A heading of a page, with what is below it. */
function partOf(page: string, anchor: string): string | undefined {
  return page.split(/^(?=## )/m).find((part) => {
    const heading = /^## (.+)$/m.exec(part)?.[1]
    return heading !== undefined && part.startsWith('## ') && anchorOf(heading) === anchor
  })
}

/** Without the marks that only a browser shows, and with links as commands to see where they lead. */
function readable(markdown: string): string {
  const text = markdown
    .replaceAll(/^<!-- .* -->\n/gm, '')
    .replaceAll(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (_, words: string, address: string) =>
      linked(words.replaceAll(/\s+/g, ' '), address),
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
  return `${text.trim()}\n`
}

function linked(words: string, address: string): string {
  const [, name, anchor] = /^([\w-]+)\.md(?:#(.+))?$/.exec(address) ?? []
  if (name !== undefined) {
    return `${words} (parley help ${name}${anchor === undefined ? '' : `#${anchor}`})`
  }
  if (/^https?:/.test(address)) return words === address ? address : `${words} (${address})`
  return address.startsWith('#') ? `${words} (parley help ${address.slice(1)})` : words
}
