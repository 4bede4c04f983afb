import { inline, link } from './format.ts'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (match, ten, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? match
      const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten)
      return code > 31 && code < 0x110000 && !(code > 0xd7ff && code < 0xe000)
        ? String.fromCodePoint(code)
        : ''
    },
  )
}

/** The value of an attribute in the text of a tag. */
function attribute(tag: string, name: string): string | undefined {
  const [, quoted, single] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag) ?? []
  const value = quoted ?? single
  return value === undefined ? undefined : decoded(value)
}

const blocks = /^\/?(?:p|div|br|tr|ul|ol|table|h[1-6]|blockquote|section)$/

/** The longest HTML that is read, in UTF-16 code units. */
const longestHtml = 20_000

/** The text of a foreign fragment of HTML as Markdown: lines, list items, links and images. */
export function fromHtml(source: string): string {
  const parts = source.slice(0, longestHtml).split(/(<[^<>]{1,5000}>)/)
  let href: string | undefined
  let label = ''
  let markdown = ''
  const add = (text: string) => {
    if (href === undefined) markdown += text
    else label += text
  }
  for (const part of parts) {
    const [, name = ''] = /^<(\/?[a-z][a-z\d]*)/i.exec(part) ?? []
    const tag = name.toLowerCase()
    if (tag === '') {
      if (!part.startsWith('<')) add(decoded(part))
      else if (!/^<[!?]/.test(part)) add(decoded(part))
    } else if (tag === 'a') {
      href = attribute(part, 'href') ?? ''
      label = ''
    } else if (tag === '/a' && href !== undefined) {
      const target = href
      href = undefined
      add(link(label || target, target))
    } else if (tag === 'img') {
      add(link(attribute(part, 'alt') || 'image', attribute(part, 'src')))
    } else if (tag === 'li') add('\n* ')
    else if (blocks.test(tag)) add('\n')
  }
  if (href !== undefined) markdown += inline(label)
  return markdown
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
