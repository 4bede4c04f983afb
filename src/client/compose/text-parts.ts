import { isCallLabel } from '#client/calls/calls.ts'
import { readFences } from './fences.ts'
import { type Edit, insertion, type SelectedText } from './text-edits.ts'

/**
 * The text of a message in three parts, which together are the text: quotes of messages at its start,
 * what is written, and links at its end that stand alone in their lines. The box draws the first and
 * the last as what they will be, and has only the middle to type in; drafts and servers see one text.
 */
export interface TextParts {
  /** Quotes, each with its last line's end, if that has one. */
  readonly head: string
  readonly body: string
  /** Links, with the end of the line before them. */
  readonly tail: string
}

/** A quote at the start of a text. */
export interface QuotePart {
  /** As written, with the end of its last line. */
  readonly source: string
  readonly senderName: string
  /** Undefined where the mention is without. */
  readonly senderId: number | undefined
  /** The line that says who said it, and where. */
  readonly line: string
  /** The quoted Markdown. */
  readonly content: string
}

const quoteLine = /^@_\*\*([^*|\n]+)(?:\|(\d+))?\*\* \[[^[\]\n]*\]\([^()\s]*\):$/
const quoteMarks = /^(`{3,}|~{3,})quote$/

const loneLink = /^!?\[([^[\]\n]*)\]\(([^()\s]*)\)$/

/** A picture somewhere else, such as a GIF, which the server shows below its link. */
const pictureAddress = /^https?:\/\/[^?#]+\.(?:gif|webp|png|jpe?g)(?:[?#]|$)/i

/**
 * Whether a line is a link to an uploaded file, a picture or a call, or the place of a file that is on
 * its way.
 */
function isAttached(line: string): boolean {
  const [, label = '', target] = loneLink.exec(line) ?? []
  if (target === undefined) return false
  if (target === '') return / \([a-z0-9]{1,6}\)$/.test(label)
  return target.startsWith('/user_uploads/') || pictureAddress.test(target) || isCallLabel(label)
}

export function partsOf(text: string): TextParts {
  const { length } = quotesIn(text)
  const rest = text.slice(length)
  const at = tailAt(rest)
  return { head: text.slice(0, length), body: rest.slice(0, at), tail: rest.slice(at) }
}

/** The text with another body: what is around it gets lines of its own. */
export function withBody({ head, tail }: TextParts, body: string): string {
  const lead = head === '' || head.endsWith('\n') || body + tail === '' ? head : `${head}\n`
  const links = tail.startsWith('\n') ? tail.slice(1) : tail
  return lead + body + (body === '' || links === '' ? links : `\n${links}`)
}

/** The quotes at the start of a text, and how long they are together. */
export function quotesIn(text: string): {
  readonly quotes: readonly QuotePart[]
  readonly length: number
} {
  const quotes: QuotePart[] = []
  let length = 0
  for (let quote = quoteAt(text, 0); quote; quote = quoteAt(text, length)) {
    quotes.push(quote)
    length += quote.source.length
  }
  return { quotes, length }
}

function quoteAt(text: string, at: number): QuotePart | undefined {
  if (!text.startsWith('@_**', at)) return undefined
  const [line, marksAt] = lineAt(text, at)
  const [, senderName, id] = quoteLine.exec(line) ?? []
  const [opening, contentAt] = lineAt(text, marksAt)
  const [, marks] = quoteMarks.exec(opening) ?? []
  if (senderName === undefined || marks === undefined) return undefined
  for (let from = contentAt; from < text.length; ) {
    const [each, next] = lineAt(text, from)
    if (each === marks) {
      const content = text.slice(contentAt, Math.max(contentAt, from - 1))
      const senderId = id === undefined ? undefined : Number(id)
      return { source: text.slice(at, next), senderName, senderId, line, content }
    }
    from = next
  }
  return undefined
}

/** A line without its end, and where the next one begins. */
function lineAt(text: string, at: number): readonly [line: string, next: number] {
  const end = text.indexOf('\n', at)
  return end < 0 ? [text.slice(at), text.length] : [text.slice(at, end), end + 1]
}

/** Where the links at the end begin: with the end of the line before them. */
function tailAt(text: string): number {
  let at = text.length
  for (let end = text.trimEnd().length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    if (!isAttached(text.slice(start, end))) break
    at = start
    end = text.slice(0, start).trimEnd().length
  }
  return at > 0 && at < text.length ? at - 1 : at
}

/** The links at the end of a text. */
export function tailLinks(text: string): readonly {
  readonly name: string
  /** Where it leads; empty for a file that is on its way. */
  readonly path: string
  readonly source: string
}[] {
  return partsOf(text)
    .tail.split('\n')
    .flatMap((source) => {
      const [, name = '', path] = loneLink.exec(source) ?? []
      return path === undefined ? [] : [{ name, path, source }]
    })
}

/** A text as it is sent: a block of code that is still open would contain the links below it. */
export function finished(text: string): string {
  const { head, body, tail } = partsOf(text)
  if (tail === '') return text.trimEnd()
  let closed = body
  const last = readFences(`${body}\n `.split('\n')).at(-1)?.open ?? []
  for (const { marks } of last.toReversed()) closed = `${closed.trimEnd()}\n${marks}`
  return withBody({ head, body, tail }, closed).trimEnd()
}

/**
 * Inserts a block where it is drawn as what it is: a quote above what was written without one, a link
 * to a file or call at the end. Others stand where the caret is.
 */
export function blockInsertion(selected: SelectedText, inserted: string): Edit {
  const { text, start, end } = selected
  const own = partsOf(inserted)
  const { head, body } = partsOf(text)
  const isQuote = own.head !== '' && own.body.trim() === '' && (head === '' || body === '')
  const isLink = own.tail !== '' && own.head + own.body === ''
  if (!isQuote && !isLink) return insertion(selected, inserted, true)
  const at = isQuote ? head.length : text.length
  const edit = insertion({ text, start: at, end: at }, inserted, true)
  // What is selected stays so.
  const moved = (offset: number) => (offset >= at && isQuote ? offset + edit.insert.length : offset)
  return { ...edit, start: moved(start), end: moved(end) }
}
