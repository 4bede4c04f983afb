import type { Content, Reference } from '#features/organization/imports/stream.ts'
import { longerMarks } from '#shared/code-marks.ts'

/** A text that is being built: pieces of Markdown, and references between them. */
export type Pieces = readonly (string | Reference)[]

/** The content of a message: without spaces around it, and as a string if it has no references. */
export function contentOf(pieces: Pieces): Content {
  const merged: (string | Reference)[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (typeof piece === 'string' && typeof last === 'string')
      merged[merged.length - 1] = last + piece
    else if (piece !== '') merged.push(piece)
  }
  const first = merged[0]
  if (typeof first === 'string') merged[0] = first.replace(/^\s*\n/, '')
  const last = merged.at(-1)
  if (typeof last === 'string') merged[merged.length - 1] = last.trimEnd()
  const kept = merged.filter((piece) => piece !== '')
  if (!kept.every((piece) => typeof piece === 'string')) return kept
  return withoutNeedlessEscapes(kept.join(''))
}

/** What can only be Markdown in pairs: the sign, and how `escaped` writes it. */
const paired = { '*': '&#42;', '`': '&#96;' } as const

/** A sign that stands alone in a text needs no escape, which people would see when they edit it. */
function withoutNeedlessEscapes(text: string): string {
  let mended = text
  for (const [sign, written] of Object.entries(paired)) {
    const at = mended.indexOf(written)
    if (at < 0 || mended.includes(sign) || mended.includes(written, at + 1)) continue
    // At the beginning of a line it would be the mark of a list.
    const [margin = ''] = /(?<![>\s])[>\s]+$/.exec(mended.slice(0, at)) ?? []
    if (margin.length === at || margin.includes('\n')) continue
    mended = mended.replace(written, () => sign)
  }
  return mended
}

/** Whether a text has visible content. */
export const isEmpty = (pieces: Pieces) =>
  pieces.every((piece) => typeof piece === 'string' && piece.trim() === '')

/** Texts below each other, without empty ones. */
export function lined(texts: readonly Pieces[]): Pieces {
  return texts
    .filter((text) => !isEmpty(text))
    .flatMap((text, i) => (i === 0 || endsLine(text) ? text : ['\n', ...text]))
}

const endsLine = ([first]: Pieces) => typeof first === 'string' && first.startsWith('\n')

/**
 * A text sent under a name other than that of its account, with `more` below it. Where there is no text
 * at all, there is no name either.
 */
export function saidAs(name: string, text: Pieces, more: readonly Pieces[]): Pieces {
  const label = marked(escaped(name.replace(/\s+/g, ' ')), '**')
  const whole = lined([text, ...more])
  if (label.trim() === '' || isEmpty(whole)) return whole
  const first = text.find((piece) => piece !== '')
  const isBlock = typeof first === 'string' && startsBlock.test(first)
  return isEmpty(text) || isBlock ? lined([[label], whole]) : [label, ': ', ...whole]
}

/** Code, quotes, headings, lists and tables, which must begin a line. */
const startsBlock = /^\s*(?:`{3}|~{3}|[>|]|#{1,6}\s|[*+-]\s|\d+[.)]\s)/

/** A text whose lines all begin with a mark, such as `> `. */
export function prefixed(pieces: Pieces, mark: string, next = mark): Pieces {
  const marked = pieces.map((piece) =>
    typeof piece === 'string' ? piece.replaceAll('\n', () => `\n${next}`) : piece,
  )
  return [mark, ...marked]
}

/** A text between marks such as `**`, which must touch its words and stay on one line. */
export function marked(text: string, mark: string): string {
  const words = text.trim()
  if (words === '' || words.includes('\n')) return text
  const start = text.length - text.trimStart().length
  const end = start + words.length
  return `${text.slice(0, start)}${mark}${words}${mark}${text.slice(end)}`
}

/**
 * Text in which nothing becomes Markdown by accident. This Markdown has no backslash escapes, so
 * special characters are written as HTML entities, which the renderer keeps.
 */
export function escaped(text: string): string {
  return text
    .replace(/&(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});)/g, '&amp;')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '&#42;')
    .replace(/`/g, '&#96;')
    .replace(/~~/g, '&#126;~')
    .replace(/\$\$/g, '&#36;$')
    .replaceAll('](', '&#93;(')
    .replace(/<(?=time:)/g, '&lt;')
    .replace(/^([^\S\n\r\u2028\u2029]*)>/gm, '$1&gt;')
    .replace(/^([^\S\n\r\u2028\u2029]*)#(?=#{0,5}\s)/gm, '$1&#35;')
    .replace(/@(?=_?&#42;)/g, '&#64;')
}

/** Markdown of elsewhere without the syntax that only has a meaning here. */
export function withoutOwnSyntax(text: string): string {
  return text
    .replace(/@(?=_?\*)/g, '&#64;')
    .replace(/#(?=\*\*)/g, '&#35;')
    .replaceAll('$$', '&#36;$')
    .replaceAll('<time:', '&lt;time:')
}

/** Code in a line. */
export function inlineCode(code: string): string {
  if (code.trim() === '') return code
  if (code.includes('\n')) return fenced(code)
  const marks = longerMarks(code, 1)
  return marks.length === 1 ? `\`${code}\`` : `${marks} ${code} ${marks}`
}

/** A block of code, with marks that it does not contain. */
export function fenced(code: string, language = ''): string {
  const marks = longerMarks(code, 3)
  return `\n${marks}${/^[\w+#-]{0,40}$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${marks}\n`
}

/** A link to a page; only its text if it leads to none. */
export function linkTo(url: string, text = ''): string {
  const shown = text.replace(/\s+/g, ' ').trim()
  if (!/^(https?|mailto|tel):/i.test(url) || /[\s<>]/.test(url)) return escaped(shown || url)
  const bare = url.replace(/^(mailto|tel):/i, '')
  return shown === '' || shown === url || shown === bare ? bare : labelled(url, shown)
}

function labelled(url: string, text: string): string {
  const address = url.replaceAll('(', '%28').replaceAll(')', '%29')
  return `[${escaped(text).replace(/[[\]]/g, bracket)}](${address})`
}

/**
 * Pieces in which a bare address is no part of what it touches: where words would hide its beginning or
 * end, it becomes its own label.
 */
export function setApart(pieces: Pieces): Pieces {
  const said = pieces.filter((piece) => piece !== '')
  return said.map((piece, i) => {
    if (typeof piece !== 'string' || !/^https?:\/\/\S+$/i.test(piece)) return piece
    const before = said[i - 1] ?? ''
    const after = said.slice(i + 1, i + 4)
    const touches =
      (typeof before === 'string' && /[^\s`'"(,:<[{*~|>\u0080-\uffff]$/.test(before)) ||
      /^[!:;?),.*~|\]}]*[\w#$%&(+/=@[\\^-]/.test(textOf(after))
    return touches ? labelled(piece, piece) : piece
  })
}

/** The beginning of a text that pieces become: each reference becomes a link or a mention. */
const textOf = (pieces: Pieces) =>
  pieces.map((each) => (typeof each === 'string' ? each : '[')).join('')

const bracket = (sign: string) => (sign === '[' ? '&#91;' : '&#93;')

/** The beginning of a text on one line, for the name of a topic. */
export function snippetOf(pieces: Pieces, most: number): string {
  const text = pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'text' in piece ? (piece.text ?? '') : ''))
    .join('')
    .replace(/\[([^[\]\n]*)\]\((?:https?|mailto|tel):[^()\s]*\)/gi, '$1')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/<time:([^<>]*)>/g, '$1')
    .replace(/[*`~]+|^[>#]+ /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  const points = [...text]
  return points.length <= most
    ? text
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
