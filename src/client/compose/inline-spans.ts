/** A part of a line of text in which nothing is formatted. */
export interface Span {
  /** `label` is the text of a link, in which only links are none. */
  readonly place: 'code' | 'math' | 'target' | 'token' | 'address' | 'label'
  /** With its marks. */
  readonly outerFrom: number
  readonly outerTo: number
  /** Between its marks. */
  readonly from: number
  readonly to: number
}

const tokens = /@_?(?:\*\*[^*\n]+\*\*|\*[^*\n]+\*)|#\*\*[^*\n]+\*\*|<time:[^<>\n]*>/y
const addresses = /(?:https?:\/\/|www\.)[^\s<>"]*/y

/**
 * The span around an offset of a paragraph. What is still being typed in the line of the offset, such
 * as code without its second mark, reaches to the end of the line.
 *
 * @param isCaret whether the end of an address belongs to it, because it can be typed on
 */
export function spanAt(text: string, offset: number, isCaret: boolean): Span | undefined {
  let at = 0
  while (at < offset) {
    if (text[at] === '\\') {
      at += 2
      continue
    }
    const span = spanFrom(text, at, offset)
    if (!span) {
      at++
      continue
    }
    const isInside = offset < span.outerTo || (isCaret && offset === span.outerTo && isTyped(span))
    if (isInside) return span
    at = span.place === 'label' ? span.to : span.outerTo
  }
  return undefined
}

/** All spans of a paragraph, of what has an end. Those within the text of a link come behind it. */
export function spansIn(text: string): readonly Span[] {
  const spans: Span[] = []
  for (let at = 0; at < text.length; ) {
    const span = text[at] === '\\' ? undefined : spanFrom(text, at, -1)
    if (span) spans.push(span)
    if (!span) at += text[at] === '\\' ? 2 : 1
    else at = span.place === 'label' ? span.from : span.outerTo
  }
  return spans
}

const isTyped = ({ place }: Span) => place === 'address'

function spanFrom(text: string, at: number, offset: number): Span | undefined {
  switch (text[at]) {
    case '`':
      return codeFrom(text, at, offset)
    case '$':
      return mathFrom(text, at, offset)
    case '[':
      return labelFrom(text, at)
    case ']':
      return text[at + 1] === '(' && text.lastIndexOf('[', at) > text.lastIndexOf('\n', at)
        ? targetFrom(text, at + 1, offset)
        : undefined
    case '@':
    case '#':
    case '<':
      return wholeFrom(text, at, tokens, 'token')
    case 'h':
    case 'w':
      return wholeFrom(text, at, addresses, 'address')
    default:
      return undefined
  }
}

function codeFrom(text: string, at: number, offset: number): Span {
  const size = runAt(text, at)
  const from = at + size
  // Two marks with the caret between them are code that is still empty.
  if (size % 2 === 0 && size < 6 && offset === at + size / 2) {
    return { place: 'code', outerFrom: at, outerTo: from, from: offset, to: offset }
  }
  let close = text.indexOf('`', from)
  while (close >= 0) {
    const length = runAt(text, close)
    if (length === size) {
      return { place: 'code', outerFrom: at, outerTo: close + size, from, to: close }
    }
    close = text.indexOf('`', close + length)
  }
  return openSpan('code', { text, at, from, offset })
}

function mathFrom(text: string, at: number, offset: number): Span | undefined {
  if (text[at + 1] !== '$' || /[\w$]/.test(text[at - 1] ?? '')) return undefined
  const from = at + 2
  if (text.startsWith('$$$$', at) && offset === from) {
    return { place: 'math', outerFrom: at, outerTo: at + 4, from, to: from }
  }
  if (/[\s_$]/.test(text[from] ?? ' ')) return undefined
  const [inner] = /^(?:\\.|[^$\\\n])*/.exec(text.slice(from)) ?? ['']
  const to = from + inner.length
  if (text.startsWith('$$', to)) {
    return { place: 'math', outerFrom: at, outerTo: to + 2, from, to }
  }
  return openSpan('math', { text, at, from, offset })
}

function labelFrom(text: string, at: number): Span | undefined {
  const [, label] = /^\[([^[\]\n]*)\]\(/.exec(text.slice(at, at + 2000)) ?? []
  if (label === undefined) return undefined
  const [from, to] = [at + 1, at + 1 + label.length]
  // The marks of code in it go before the link.
  return label.includes('`')
    ? undefined
    : { place: 'label', outerFrom: at, outerTo: to + 1, from, to }
}

function targetFrom(text: string, at: number, offset: number): Span {
  const from = at + 1
  let depth = 1
  let to = from
  for (; to < text.length && text[to] !== '\n'; to++) {
    if (text[to] === '(') depth++
    if (text[to] === ')' && --depth === 0) {
      return { place: 'target', outerFrom: at, outerTo: to + 1, from, to }
    }
  }
  return openSpan('target', { text, at, from, offset })
}

function wholeFrom(
  text: string,
  at: number,
  pattern: RegExp,
  place: 'token' | 'address',
): Span | undefined {
  if (/[\w\\]/.test(text[at - 1] ?? '')) return undefined
  pattern.lastIndex = at
  const [whole] = pattern.exec(text) ?? []
  if (whole === undefined) return undefined
  const outerTo = at + whole.length
  return { place, outerFrom: at, outerTo, from: at, to: outerTo }
}

interface OpenSpan {
  readonly text: string
  readonly at: number
  readonly from: number
  readonly offset: number
}

/** Something without its end. Before the line of the offset, its marks are text. */
function openSpan(place: Span['place'], { text, at, from, offset }: OpenSpan): Span {
  const lineEnd = text.indexOf('\n', at)
  const to = lineEnd < 0 ? text.length : lineEnd
  const isHere = offset >= from && offset <= to
  return { place, outerFrom: at, outerTo: isHere ? to + 1 : from, from, to }
}

function runAt(text: string, at: number): number {
  let end = at
  while (text[end] === '`') end++
  return end - at
}
