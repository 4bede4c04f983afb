import type { DefaultTreeAdapterMap } from 'parse5'

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

/** Elements without text for readers. */
const dropped = new Set(
  'script style head title template noscript iframe object svg math select textarea'.split(' '),
)
const paragraphs = new Set(
  'p div section article header footer main table form fieldset dl dt dd address center'.split(' '),
)
const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}
/** Of longer mails the beginning is read, in UTF-16 code units. */
const longestHtml = 200_000
/** Deeper lists and quotes are read as paragraphs. */
const mostNested = 8
/** Deeper elements are read as text: nobody nests so deep by hand. */
const deepest = 100

/**
 * The text of an HTML mail as Markdown. Pictures and everything that runs are left out.
 *
 * @param includeQuotes whether the mail that this one answers stays
 */
export async function markdownOf(html: string, includeQuotes: boolean): Promise<string> {
  // It takes 15 ms to load, which most servers need not spend.
  const { parse } = await import('parse5')
  /** Whether everything that follows belongs to the mail that is answered. */
  let isOver = false
  let nesting = 0
  /** Blocks of code, in whose place their number stands between NULs, which no HTML contains. */
  const codes: string[] = []

  function all(nodes: readonly Node[], depth: number): string {
    return nodes.map((node) => one(node, depth)).join('')
  }

  function one(node: Node, depth: number): string {
    if (isOver) return ''
    if ('value' in node) return inline(node.value)
    if (!('tagName' in node) || dropped.has(node.tagName) || isHidden(node)) return ''
    if (!includeQuotes && isQuote(node)) return ''
    if (!includeQuotes && beginsOriginal(node)) {
      isOver = true
      return ''
    }
    return depth > deepest ? inline(textOf(node)) : element(node, depth + 1)
  }

  function element(node: Element, depth: number): string {
    const { tagName } = node
    const mark = marks[tagName]
    if (mark) return marked(all(node.childNodes, depth), mark)
    if (/^h[1-6]$/.test(tagName)) return block(marked(all(node.childNodes, depth), '**'))
    if (paragraphs.has(tagName)) return block(all(node.childNodes, depth))
    switch (tagName) {
      case 'br':
        return '\n'
      case 'hr':
        return block('---')
      case 'a':
        return link(all(node.childNodes, depth), attribute(node, 'href'))
      case 'code':
      case 'tt':
        return code(inline(textOf(node)))
      case 'pre':
        codes.push(textOf(node).replace(/^\n+/, '').trimEnd())
        return block(`\0${codes.length - 1}\0`)
      case 'blockquote':
        return nested(
          () => block(tidy(all(node.childNodes, depth)).replace(/^/gm, '> ')),
          node,
          depth,
        )
      case 'ul':
      case 'ol':
        return nested(() => block(list(node, depth)), node, depth)
      case 'td':
      case 'th':
        return `${all(node.childNodes, depth).trim()} `
      case 'tr':
        return `${all(node.childNodes, depth).replace(/\n+/g, ' ').trim()}\n`
      default:
        return all(node.childNodes, depth)
    }
  }

  /** Each level of lists and quotes goes over their lines again. */
  function nested(make: () => string, node: Element, depth: number): string {
    if (nesting === mostNested) return block(all(node.childNodes, depth))
    nesting++
    const made = make()
    nesting--
    return made
  }

  function list(node: Element, depth: number): string {
    let number = Number.parseInt(attribute(node, 'start') || '1', 10) || 1
    const items = node.childNodes.filter((child) => 'tagName' in child)
    return items
      .map((item) => {
        const sign = node.tagName === 'ol' ? `${number++}.` : '*'
        const [first = '', ...rest] = tidy(one(item, depth)).split('\n')
        return [`${sign} ${first}`, ...rest.filter(Boolean).map((line) => `  ${line}`)].join('\n')
      })
      .join('\n')
  }

  const text = tidy(all(parse(html.slice(0, longestHtml)).childNodes, 0))
  return text.replace(/\0(\d+)\0/g, (_, i: string) => `\`\`\`\n${codes[Number(i)] ?? ''}\n\`\`\``)
}

const block = (text: string) => (text.trim() === '' ? '' : `\n\n${text.trim()}\n\n`)

const inline = (text: string) => text.replace(/[\s\u00a0\0]+/g, ' ')

/** Without blanks around lines, and with at most one empty line in a row. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map(tidyLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** HTML puts one blank at most before a line; more are the indentation of a list. */
function tidyLine(line: string): string {
  const whole = line.trimEnd()
  const own = whole.startsWith(' ') && !whole.startsWith('  ') ? whole.slice(1) : whole
  return own.replace(/(?<=\S) {2,}/g, ' ')
}

/** Marks must touch the words, and stay on one line. */
function marked(text: string, mark: string): string {
  const words = text.trim()
  if (words === '' || words.includes('\n')) return text
  const start = text.length - text.trimStart().length
  const end = start + words.length
  return `${text.slice(0, start)}${mark}${words}${mark}${text.slice(end)}`
}

function code(text: string): string {
  return text.trim() === '' || /[`\n]/.test(text) ? text : `\`${text.trim()}\``
}

function link(words: string, href: string): string {
  const shown = words.replace(/\s+/g, ' ').trim()
  if (!/^(https?|mailto):/i.test(href)) return words
  const url = href.replace(/[\s()<>]/g, (sign) => encodeURIComponent(sign).replace(/[()]/g, paren))
  const bare = url.replace(/^mailto:/i, '')
  if (shown === '' || shown === bare || shown === href) return shown === '' ? '' : bare
  return `[${shown.replace(/[[\]]/g, '')}](${url})`
}

const paren = (sign: string) => (sign === '(' ? '%28' : '%29')

/** The text in an element, however deep it is. */
function textOf(element: Element): string {
  const waiting: Node[] = [element]
  let text = ''
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('value' in node) text += node.value
    else if ('tagName' in node && !dropped.has(node.tagName)) {
      if (node.tagName === 'br') text += '\n'
      waiting.push(...[...node.childNodes].reverse())
    }
  }
  return text
}

function attribute(node: Element, name: string): string {
  return node.attrs.find((each) => each.name === name)?.value ?? ''
}

function isHidden(node: Element): boolean {
  return /display\s*:\s*none/i.test(attribute(node, 'style'))
}

/** The mail that is answered, as Gmail, Apple Mail, Thunderbird and Yahoo mark it. */
function isQuote(node: Element): boolean {
  const classes = attribute(node, 'class').split(/\s+/)
  return (
    classes.some((name) =>
      /^(gmail_quote(_container)?|gmail_attr|moz-cite-prefix|yahoo_quoted)$/.test(name),
    ) ||
    (node.tagName === 'blockquote' && attribute(node, 'type') === 'cite')
  )
}

/** Where Outlook puts the mail that is answered. */
function beginsOriginal(node: Element): boolean {
  return /^(divRplyFwdMsg|appendonsend|x_divRplyFwdMsg|OLK_SRC_BODY_SECTION|reply-intro)$/.test(
    attribute(node, 'id'),
  )
}
