import { longerMarks } from './code-marks.ts'

/**
 * Writes Markdown from the elements and texts of a document, in order. It has one frame for each
 * open element, and needs no tree: a few kilobytes of hostile HTML can make one of millions of
 * elements. Its time is linear in the length of the texts if the nesting is limited, which the
 * caller ensures, who also leaves out what readers cannot see.
 */
export interface MarkdownWriter {
  /**
   * Begins an element. An element that Markdown does not have is replaced by its contents.
   *
   * @param tag in lower case
   * @param attribute its attributes; '' for those that it does not have
   */
  open(tag: string, attribute?: Attribute): void
  /** Ends the element that was begun last. Elements without contents, such as `br`, end as well. */
  close(): void
  /** Adds text with the white space of HTML, where a run counts as one space. */
  text(text: string): void
  /** Ends all open elements. @returns everything that was written */
  finish(): string
}

/** Options of a writer. */
export interface MarkdownStyle {
  /** Escapes a text outside code. */
  readonly plain?: (text: string) => string
  /** What an item begins with, in a list without numbers. */
  readonly bullet?: '*' | '-'
  /**
   * Whether headings, tables and pictures stay what they are. Otherwise headings are bold lines,
   * tables have a line for each row, and pictures are left out.
   */
  readonly isRich?: boolean
}

type Attribute = (name: string) => string

interface Frame {
  readonly tag: string
  readonly attribute: Attribute
  /** What it contains so far, as Markdown. */
  content: string
  /** The marks around its words; '' for most elements. */
  readonly mark: string
  /** The number of the next item, in a list with numbers. */
  number: number
  /** Whether it is a list, with items. Elsewhere items are paragraphs. */
  readonly isList: boolean
  readonly isQuote: boolean
  readonly table: Table | undefined
  /** The programming language of a block of code. */
  language: string
}

interface Table {
  caption: string
  readonly rows: string[][]
  /** Whether it only arranges blocks on a page. */
  isLayout: boolean
}

const paragraphs = new Set(
  `p div section article aside nav header footer main figure figcaption table form fieldset dl dt dd
  address center caption blockquote ul ol`.split(/\s+/),
)
const verbatims = new Set(['pre', 'code', 'tt', 'kbd', 'samp'])
const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}
/** Deeper lists and quotes are written as paragraphs: each level goes over its lines again. */
const mostNested = 8
/** Longer prefixes do not come from quotes and lists. */
const longestPrefix = 40

export function createMarkdownWriter(style?: MarkdownStyle): MarkdownWriter {
  return new FrameWriter(style)
}

class FrameWriter implements MarkdownWriter {
  readonly #bullet: '*' | '-'
  readonly #isRich: boolean
  readonly #plain: (text: string) => string
  readonly #root = newFrame('')
  readonly #open: Frame[] = [this.#root]
  /**
   * Blocks of code. Each is represented by a line with its number between NULs, which `text` never
   * writes.
   */
  readonly #blocksOfCode: { readonly text: string; readonly language: string }[] = []
  /** How many elements are open whose text stays as it is. */
  #verbatim = 0
  #nested = 0

  constructor(style: MarkdownStyle = {}) {
    const { bullet = '*', isRich = false, plain = (text: string) => text } = style
    this.#bullet = bullet
    this.#isRich = isRich
    this.#plain = plain
  }

  open(tag: string, attribute?: Attribute): void {
    const mayNest = this.#verbatim === 0 && this.#nested < mostNested
    const frame = newFrame(tag, attribute, mayNest)
    if (verbatims.has(tag)) this.#verbatim++
    if (frame.isList || frame.isQuote) this.#nested++
    if (tag === 'tr') this.#tableAround()?.rows.push([])
    if (tag === 'code') {
      const around = this.#open.findLast((other) => other.tag === 'pre')
      if (around) around.language ||= frame.language
    }
    this.#open.push(frame)
  }

  close(): void {
    if (this.#open.length === 1) return
    const frame = this.#open.pop() ?? this.#root
    if (verbatims.has(frame.tag)) this.#verbatim--
    if (frame.isList || frame.isQuote) this.#nested--
    const made = this.#verbatim > 0 ? frame.content : this.#written(frame)
    const parent = this.#innermost()
    if (!parent.isList) parent.content += made
    else if (frame.tag === 'li' || made.trim() !== '') addItem(parent, frame, made, this.#bullet)
  }

  text(text: string): void {
    const frame = this.#innermost()
    // Between items, lists have only the white space of the source.
    if (frame.isList) return
    frame.content += this.#verbatim > 0 ? text.replaceAll('\0', '') : this.#plain(oneBlank(text))
  }

  finish(): string {
    while (this.#open.length > 1) this.close()
    const text = tidy(this.#root.content)
    this.#root.content = ''
    return text.replace(/^([^\0\n\r\u2028\u2029]*)\0(\d+)\0/gm, (_, prefix: string, i: string) => {
      const { text: inner = '', language = '' } = this.#blocksOfCode[Number(i)] ?? {}
      return fenced(inner, language, prefix)
    })
  }

  #innermost() {
    return this.#open.at(-1) ?? this.#root
  }

  #tableAround() {
    return this.#open.findLast(({ table }) => table)?.table
  }

  #written(frame: Frame): string {
    const { tag, content, mark } = frame
    if (mark) return marked(content, mark)
    if (/^h[1-6]$/.test(tag)) return block(this.#heading(tag, content))
    if (frame.isQuote) return block(tidy(content).replace(/^/gm, '> '))
    if (frame.table) return block(this.#writtenTable(frame.table, content))
    if (tag === 'caption') return block(this.#caption(content))
    if (paragraphs.has(tag)) return block(content)
    switch (tag) {
      case 'hr':
        return block('---')
      case 'a':
        return link(content, frame.attribute('href'))
      case 'img':
        return this.#picture(frame)
      case 'pre':
        return block(this.#blockOfCode(frame))
      case 'code':
      case 'tt':
      case 'kbd':
      case 'samp':
        return code(oneBlank(content))
      case 'td':
      case 'th':
        return this.#cell(content)
      case 'tr':
        return content.includes('\n\n') ? block(content) : `${oneLine(content)}\n`
      default:
        return content
    }
  }

  #heading(tag: string, content: string): string {
    if (!this.#isRich) return marked(content, '**')
    const words = oneLine(content)
    return words === '' ? '' : `${'#'.repeat(Number(tag[1]))} ${words}`
  }

  #blockOfCode({ content, language }: Frame): string {
    const table = this.#tableAround()
    if (table) table.isLayout = true
    this.#blocksOfCode.push({ text: content.replace(/^\n+/, '').trimEnd(), language })
    return `\0${this.#blocksOfCode.length - 1}\0`
  }

  #picture({ attribute }: Frame): string {
    const [name, source] = [attribute('alt'), attribute('src')]
    if (!this.#isRich) return ''
    // A picture of an emoji becomes the emoji.
    const isEmoji = /(?:^|\s)emoji(?:\s|$)/.test(attribute('class')) || /^:\w+:$/.test(name)
    // A link inside a link is none.
    if (isEmoji || this.#open.some(({ tag }) => tag === 'a')) return name
    return /^https?:/i.test(source) ? link(oneLine(name) || source, source) : ''
  }

  #caption(content: string): string {
    const table = this.#tableAround()
    if (table) table.caption = oneLine(content)
    return content
  }

  /** @returns the cell, followed by a space unless it has blocks */
  #cell(content: string): string {
    const table = this.#tableAround()
    if (this.#isRich) table?.rows.at(-1)?.push(oneLine(content))
    const words = content.trim()
    return table?.isLayout || words.includes('\n\n') ? block(words) : `${words} `
  }

  #writtenTable({ caption, isLayout, rows }: Table, content: string): string {
    const outer = this.#tableAround()
    if (outer) outer.isLayout = true
    const isTable = this.#isRich && !isLayout && rows.some(({ length }) => length > 1)
    return isTable ? `${caption}\n\n${tableOf(rows)}` : content
  }
}

function newFrame(tag: string, attribute: Attribute = () => '', mayNest = false): Frame {
  return {
    tag,
    attribute,
    content: tag === 'br' ? '\n' : '',
    mark: markOf(tag, attribute),
    number: tag === 'ol' ? Number.parseInt(attribute('start') || '1', 10) || 1 : 1,
    isList: mayNest && (tag === 'ul' || tag === 'ol'),
    isQuote: mayNest && tag === 'blockquote',
    table: tag === 'table' ? { caption: '', rows: [], isLayout: false } : undefined,
    language: tag === 'pre' || tag === 'code' ? languageOf(attribute('class')) : '',
  }
}

function markOf(tag: string, attribute: Attribute): string {
  // Documents of office programs put everything into a <b> that says it is not bold.
  if (tag === 'b') return /font-weight:\s*normal/i.test(attribute('style')) ? '' : '**'
  if (tag !== 'span') return marks[tag] ?? ''
  const style = attribute('style')
  const bold = /font-weight:\s*(?:bold|[6-9]00)/i.test(style) ? '**' : ''
  return /font-style:\s*italic/i.test(style) ? `${bold}*` : bold
}

function languageOf(classes: string): string {
  return /\b(?:language|lang|highlight-source)-([\w+#-]{1,40})/.exec(classes)?.[1] ?? ''
}

/**
 * Adds an element of a list: an item, or a list beside the items, whose lines continue the item
 * before.
 */
function addItem(list: Frame, child: Frame, made: string, bullet: string): void {
  const isContinued = child.isList && list.content !== ''
  const sign = list.tag === 'ol' ? `${list.number}. ` : `${bullet} `
  if (!isContinued) list.number++
  const [first = '', ...rest] = tidy(made).split('\n')
  const lines = [
    `${isContinued ? '  ' : sign}${first}`,
    ...rest.filter(Boolean).map((line) => `  ${line}`),
  ]
  list.content += `${list.content === '' ? '' : '\n'}${lines.join('\n')}`
}

const block = (text: string) => (text.trim() === '' ? '' : `\n\n${text.trim()}\n\n`)

const oneBlank = (text: string) => text.replace(/[\s\u00a0\0]+/g, ' ')

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Without spaces around lines, and with at most one empty line in a row. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map(tidyLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** HTML puts at most one space before a line; more are the indentation of a list. */
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
  const words = text.trim()
  if (words === '') return text
  const sign = longerMarks(words, 1)
  return sign.length === 1 ? `\`${words}\`` : `${sign} ${words} ${sign}`
}

/** Code between marks that it does not contain. @param prefix the marks of quotes and lists around it */
function fenced(text: string, language: string, prefix: string): string {
  const fence = longerMarks(text, 3)
  const isMarks = prefix.length <= longestPrefix && /^(> | {2}|[*-] |\d+\. )*$/.test(prefix)
  const next = isMarks ? prefix.replace(/[*-] |(?<!\d)\d+\. /g, '  ') : ''
  const lines = [...text.split('\n'), fence].map((line) => (next + line).trimEnd())
  return [prefix + fence + language, ...lines].join('\n')
}

function link(words: string, href: string): string {
  const shown = oneLine(words)
  if (!/^(https?|mailto):/i.test(href)) return words
  const url = href.replace(/[\s()<>]/g, (sign) => encodeURIComponent(sign).replace(/[()]/g, paren))
  const bare = url.replace(/^mailto:/i, '')
  if (shown === '') return ''
  if (shown === bare || shown === href || `${shown}/` === bare) return bare
  return `[${shown.replace(/[[\]]/g, '')}](${url})`
}

const paren = (sign: string) => (sign === '(' ? '%28' : '%29')

function tableOf(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const lineOf = (cells: readonly string[]) =>
    `|${Array.from({ length: width }, (_, i) => ` ${(cells[i] ?? '').replaceAll('|', '\\|')} |`).join('')}`
  const [head = [], ...rest] = rows.filter(({ length }) => length > 0)
  return [lineOf(head), `|${' --- |'.repeat(width)}`, ...rest.map(lineOf)].join('\n')
}
