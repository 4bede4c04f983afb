/**
 * Writes Markdown from the elements and texts of a document, in order. It has one frame for each
 * open element. Its time is linear in the length of the texts if the nesting is limited, which the
 * caller ensures.
 */
export interface MarkdownWriter {
  /**
   * Begins an element. An element that Markdown does not have is replaced by its contents. `br` and
   * `hr` have no contents and no end.
   *
   * @param tag in lower case
   * @param attribute its attributes; '' for those that it does not have
   */
  open(tag: string, attribute?: (name: string) => string): void
  /** Ends the element that was begun last. */
  close(): void
  /** Adds text with the white space of HTML, where a run counts as one space. */
  text(text: string): void
  /** Ends all open elements. @returns everything that was written */
  finish(): string
}

interface Frame {
  readonly tag: string
  /** What it contains so far, as Markdown. */
  content: string
  readonly href: string
  /** The number of the next item, in a list with numbers. */
  number: number
  /** Whether it is a list, with items. Elsewhere items are paragraphs. */
  readonly isList: boolean
  readonly isQuote: boolean
}

const paragraphs = new Set(
  `p div section article aside nav header footer main figure figcaption table form fieldset dl dt dd
  address center caption`.split(/\s+/),
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
/** Deeper lists and quotes are written as paragraphs: each level goes over its lines again. */
const mostNested = 8
/** Longer prefixes do not come from quotes and lists. */
const longestPrefix = 40

/** @param plain escapes a text outside code */
export function createMarkdownWriter(plain = (text: string) => text): MarkdownWriter {
  const root = newFrame('')
  const open: Frame[] = [root]
  /**
   * Blocks of code. Each is represented by a line with its number between NULs, which `text` never
   * writes.
   */
  const codes: string[] = []
  /** How many elements are open whose text stays as it is. */
  let verbatim = 0
  let nested = 0
  const innermost = () => open.at(-1) ?? root

  function add(made: string): void {
    const frame = innermost()
    // Between items, lists have only the white space of the source.
    if (!frame.isList) frame.content += made
  }

  function close(): void {
    if (open.length === 1) return
    const frame = open.pop() ?? root
    if (isVerbatim(frame)) verbatim--
    if (frame.isList || frame.isQuote) nested--
    const made = verbatim > 0 ? frame.content : written(frame)
    const parent = innermost()
    if (parent.isList) addItem(parent, frame, made)
    else parent.content += made
  }

  function written(frame: Frame): string {
    const { tag, content } = frame
    const mark = marks[tag]
    if (mark) return marked(content, mark)
    if (/^h[1-6]$/.test(tag)) return block(marked(content, '**'))
    if (frame.isQuote) return block(tidy(content).replace(/^/gm, '> '))
    if (frame.isList || paragraphs.has(tag) || /^(blockquote|ul|ol)$/.test(tag)) {
      return block(content)
    }
    switch (tag) {
      case 'a':
        return link(content, frame.href)
      case 'code':
      case 'tt':
        return code(oneBlank(content))
      case 'pre':
        codes.push(content.replace(/^\n+/, '').trimEnd())
        return block(`\0${codes.length - 1}\0`)
      case 'td':
      case 'th':
        return `${content.trim()} `
      case 'tr':
        return `${content.replace(/\n+/g, ' ').trim()}\n`
      default:
        return content
    }
  }

  return {
    open(tag, attribute = () => '') {
      if (tag === 'br') add('\n')
      else if (tag === 'hr') add(verbatim > 0 ? '' : block('---'))
      if (tag === 'br' || tag === 'hr') return
      const mayNest = verbatim === 0 && nested < mostNested
      const frame = newFrame(tag, attribute, mayNest)
      if (isVerbatim(frame)) verbatim++
      if (frame.isList || frame.isQuote) nested++
      open.push(frame)
    },
    close,
    text(text) {
      add(verbatim > 0 ? text.replaceAll('\0', '') : plain(oneBlank(text)))
    },
    finish() {
      while (open.length > 1) close()
      const text = tidy(root.content)
      root.content = ''
      return text.replace(/^([^\0\n]*)\0(\d+)\0/gm, (_, prefix: string, i: string) =>
        fenced(codes[Number(i)] ?? '', prefix),
      )
    },
  }
}

function newFrame(tag: string, attribute = (_: string) => '', mayNest = false): Frame {
  return {
    tag,
    content: '',
    href: tag === 'a' ? attribute('href') : '',
    number: tag === 'ol' ? Number.parseInt(attribute('start') || '1', 10) || 1 : 1,
    isList: mayNest && (tag === 'ul' || tag === 'ol'),
    isQuote: mayNest && tag === 'blockquote',
  }
}

const isVerbatim = ({ tag }: Frame) => tag === 'pre' || tag === 'code' || tag === 'tt'

/**
 * Adds an element of a list: an item, or a list beside the items, whose lines continue the item
 * before.
 */
function addItem(list: Frame, child: Frame, made: string): void {
  const isContinued = child.isList && list.content !== ''
  const sign = list.tag === 'ol' ? `${list.number}. ` : '* '
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
  return text.trim() === '' || text.includes('`') ? text : `\`${text.trim()}\``
}

/** Code between marks that it does not contain. @param prefix the marks of quotes and lists around it */
function fenced(text: string, prefix: string): string {
  const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 2) ?? 2
  const fence = '`'.repeat(longest + 1)
  const isMarks = prefix.length <= longestPrefix && /^(> | {2}|\* |\d+\. )*$/.test(prefix)
  const next = isMarks ? prefix.replace(/\* |\d+\. /g, '  ') : ''
  const lines = [...text.split('\n'), fence].map((line) => (next + line).trimEnd())
  return [prefix + fence, ...lines].join('\n')
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
