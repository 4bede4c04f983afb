import { fenceFor } from '#client/commands/quoting.ts'
import { parseInert } from '#client/messages/message-html.ts'

/** Converts pasted HTML to Markdown. Constructs that messages cannot show become text. */

interface Context {
  /** The prefix of each line: of quotes and list items. */
  readonly isPre: boolean
  readonly listDepth: number
}

const skipped = new Set([
  'SCRIPT',
  'STYLE',
  'HEAD',
  'TITLE',
  'META',
  'LINK',
  'TEMPLATE',
  'NOSCRIPT',
])
const blocks = new Set([
  'P',
  'DIV',
  'SECTION',
  'ARTICLE',
  'HEADER',
  'FOOTER',
  'MAIN',
  'ASIDE',
  'NAV',
  'FIGURE',
  'FIGCAPTION',
  'ADDRESS',
  'DL',
  'DT',
  'DD',
  'TR',
])

/**
 * HTML as Markdown. Undefined if it contains no more than its plain text.
 *
 * @param plain the plain text that was copied with it
 */
export function htmlToMarkdown(html: string, plain: string): string | undefined {
  const { body } = parseInert(html)
  // Code editors copy each token in a span of its own: only the plain text matters.
  if (isFromCodeEditor(body)) return undefined
  const markdown = tidy(childrenOf(body, { isPre: false, listDepth: 0 }))
  return markdown === '' || markdown === plain.trim() ? undefined : markdown
}

function isFromCodeEditor(body: HTMLElement): boolean {
  const first = body.firstElementChild
  return /monospace|Menlo|Consolas|Courier/i.test(first?.getAttribute('data-style') ?? '')
}

function childrenOf(node: Node, context: Context): string {
  return [...node.childNodes].map((child) => markdownOf(child, context)).join('')
}

function markdownOf(node: Node, context: Context): string {
  if (node.nodeType === Node.TEXT_NODE) return textOf(node.nodeValue ?? '', context)
  if (!(node instanceof Element) || skipped.has(node.tagName)) return ''
  const inner = (inside: Partial<Context> = {}) => childrenOf(node, { ...context, ...inside })
  switch (node.tagName) {
    case 'BR':
      return '\n'
    case 'HR':
      return '\n\n---\n\n'
    case 'B':
    case 'STRONG':
      // Documents of office programs wrap everything into a <b> that says it is not bold.
      return /font-weight:\s*normal/.test(node.getAttribute('data-style') ?? '')
        ? inner()
        : around(inner(), '**')
    case 'I':
    case 'EM':
      return around(inner(), '*')
    case 'S':
    case 'DEL':
    case 'STRIKE':
      return around(inner(), '~~')
    case 'CODE':
    case 'KBD':
    case 'SAMP':
    case 'TT':
      return context.isPre ? (node.textContent ?? '') : code(node.textContent ?? '')
    case 'PRE':
      return preformatted(node)
    case 'BLOCKQUOTE':
      return quote(inner())
    case 'A':
      return anchor(node, inner())
    case 'IMG':
      return picture(node)
    case 'UL':
    case 'OL':
      return list(node, context)
    case 'TABLE':
      return table(node, context)
    case 'SPAN':
      return span(node, inner)
  }
  if (/^H[1-6]$/.test(node.tagName)) {
    return `\n\n${'#'.repeat(Number(node.tagName[1]))} ${oneLine(inner())}\n\n`
  }
  const isParagraph = node.tagName === 'P' || node.tagName === 'FIGURE'
  if (!blocks.has(node.tagName)) return inner()
  return isParagraph ? `\n\n${inner()}\n\n` : `\n${inner()}\n`
}

function textOf(text: string, { isPre }: Context): string {
  return isPre ? text : text.replace(/[ \t\r\n\u00a0]+/g, ' ')
}

function span(node: Element, inner: () => string): string {
  const style = node.getAttribute('data-style') ?? ''
  const isBold = /font-weight:\s*(bold|[6-9]00)/.test(style)
  const isItalic = /font-style:\s*italic/.test(style)
  const marked = isItalic ? around(inner(), '*') : inner()
  return isBold ? around(marked, '**') : marked
}

/** Marks touch the text; spaces go outside. */
function around(text: string, mark: string): string {
  const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  return middle === '' || middle.includes('\n\n') ? text : before + mark + middle + mark + after
}

function code(text: string): string {
  if (text.trim() === '') return text
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const marks = '`'.repeat(runs.includes(1) ? Math.max(...runs) + 1 : 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return marks + pad + text + pad + marks
}

function preformatted(node: Element): string {
  const text = (node.textContent ?? '').replace(/\n$/, '')
  const classes = `${node.className} ${node.querySelector('code')?.className ?? ''}`
  const [, language = ''] = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes) ?? []
  const marks = fenceFor(text)
  return `\n\n${marks}${language}\n${text}\n${marks}\n\n`
}

function quote(inner: string): string {
  const text = tidy(inner)
  if (text === '') return ''
  return `\n\n${text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`
}

function anchor(node: Element, inner: string): string {
  const href = node.getAttribute('href') ?? ''
  const text = oneLine(inner)
  if (!/^(https?:|mailto:)/i.test(href) || text === '') return inner
  if (text === href || `${text}/` === href) return href
  return `[${text.replace(/[[\]]/g, '')}](${href.replace(/\)/g, '%29').replace(/\(/g, '%28')})`
}

function picture(node: Element): string {
  const source = node.getAttribute('src') ?? ''
  const name = node.getAttribute('alt') ?? ''
  // A picture of an emoji becomes the emoji.
  if (node.classList.contains('emoji') || /^:\w+:$/.test(name)) return name
  return /^https?:/i.test(source) ? `[${oneLine(name) || source}](${source})` : ''
}

function list(node: Element, context: Context): string {
  const isNumbered = node.tagName === 'OL'
  const first = Number(node.getAttribute('start') ?? 1)
  const depth = context.listDepth
  const items = [...node.children].filter(({ tagName }) => tagName === 'LI')
  const lines = items.map((item, index) => {
    const mark = isNumbered ? `${first + index}.` : '-'
    const inner = tidy(childrenOf(item, { ...context, listDepth: depth + 1 }))
    return `${mark} ${inner.replaceAll('\n', '\n  ')}`
  })
  const text = lines.join('\n')
  return depth > 0 ? `\n${text}\n` : `\n\n${text}\n\n`
}

function table(node: Element, context: Context): string {
  const rows = [...node.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('td, th')].map((cell) =>
      oneLine(childrenOf(cell, context)).replaceAll('|', '\\|'),
    ),
  )
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const [head, ...rest] = rows
  // Tables of one column are layout.
  if (!head || width < 2) return `\n${childrenOf(node, context)}\n`
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => cells[i] ?? '').join(' | ')} |`
  const ruler = `|${' --- |'.repeat(width)}`
  return `\n\n${[line(head), ruler, ...rest.map(line)].join('\n')}\n\n`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Without spaces at the ends of lines, and with at most one empty line between others. */
function tidy(text: string): string {
  let inFence = false
  const lines = text.split('\n').map((line) => {
    if (/^\s*`{3,}/.test(line)) inFence = !inFence
    if (inFence) return line
    // Runs of spaces at the start come from the source of the page, not from a list.
    return line.replace(/ +$/, '').replace(/^ (?=\S)/, '')
  })
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '')
}
