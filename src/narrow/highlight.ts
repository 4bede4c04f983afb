import { prepared } from '#store/prepared.ts'
import { openScratch } from '#store/scratch.ts'
import type { Read } from '#store/write.ts'
import { highlightQuery } from './search.ts'

/** What encloses a match in the text that full-text search gives back; never part of that text. */
const matchStart = '\u0001'
const matchEnd = '\u0002'

/**
 * The same tokenizer as `messages_fts` has, over texts that are kept only while they are looked
 * at: so what is highlighted is what was found, accents and word endings included.
 */
const marker = prepared(() => {
  const scratch = openScratch()
  scratch.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')`,
  )
  const insert = scratch.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)')
  const find = scratch
    .prepare<[string, string, string], [rowid: number, marked: string]>(
      'SELECT rowid, highlight(texts, 0, ?, ?) FROM texts WHERE texts MATCH ?',
    )
    .raw()
  return (texts: readonly string[], query: string): Map<number, string> => {
    scratch.exec('BEGIN')
    try {
      for (const [i, text] of texts.entries()) insert.run(i + 1, text)
      return new Map(
        find.all(matchStart, matchEnd, query).map(([rowid, text]) => [rowid - 1, text]),
      )
    } finally {
      scratch.exec('ROLLBACK')
    }
  }
})

/**
 * Wraps what was searched for in `<span class="highlight">`, in each of these pieces of HTML.
 * Only text is wrapped, never part of a tag, of an entity or of a formula.
 *
 * @param searched search texts as users type them; any of their words and phrases counts
 * @source the API description's `match_content`
 */
export function highlight(
  read: Read,
  htmls: readonly string[],
  searched: readonly string[],
): string[] {
  const pages = htmls.map(toPage)
  const marked = marker(read)(
    pages.map(({ text }) => text),
    highlightQuery(searched),
  )
  return pages.map(({ parts }, i) => wrap(parts, matches(marked.get(i) ?? '')))
}

/** A tag, an entity or a run of text, and how many characters of the page's text it stands for. */
interface Part {
  readonly html: string
  readonly length: number
  readonly isText: boolean
}

interface Page {
  readonly parts: readonly Part[]
  /** What is searched: between tags and entities, which all end a word. */
  readonly text: string
}

function toPage(html: string): Page {
  const parts: Part[] = []
  let text = ''
  let isInMath = false
  for (const [piece] of html.matchAll(/<[^>]*>|&#?\w+;|[^<&]+|[<&]/g)) {
    if (piece.startsWith('<math')) isInMath = true
    if (piece.startsWith('</math')) isInMath = false
    const isText = !isInMath && !/^[<&]/.test(piece)
    const shown = isText ? piece.replaceAll(matchStart, ' ').replaceAll(matchEnd, ' ') : '\n'
    parts.push({ html: piece, length: shown.length, isText })
    text += shown
  }
  return { parts, text }
}

/** Where the matches are in the text without its marks, as `[from, to)`, ascending. */
function* matches(marked: string): Generator<[from: number, to: number]> {
  let marks = 0
  let from = 0
  for (let i = 0; i < marked.length; i++) {
    const char = marked[i]
    if (char === matchStart) from = i - marks
    if (char === matchEnd) yield [from, i - marks]
    if (char === matchStart || char === matchEnd) marks += 1
  }
}

function wrap(parts: readonly Part[], found: Iterable<[number, number]>): string {
  const ranges = [...found]
  let html = ''
  let at = 0
  for (const part of parts) {
    const end = at + part.length
    while ((ranges[0]?.[1] ?? Infinity) <= at) ranges.shift()
    html += part.isText ? wrapText(part.html, at, ranges) : part.html
    at = end
  }
  return html
}

/** @param at where the text begins on the page @param ranges matches that end behind that */
function wrapText(text: string, at: number, ranges: readonly [number, number][]): string {
  let html = ''
  let done = 0
  for (const [from, to] of ranges) {
    if (from >= at + text.length) break
    const start = Math.max(from - at, done)
    const end = Math.min(to - at, text.length)
    html += text.slice(done, start) + wrapMatch(text.slice(start, end))
    done = end
  }
  return html + text.slice(done)
}

/** Blanks at the edges, where a phrase goes on behind a tag, stay outside. */
function wrapMatch(text: string): string {
  return text.replace(/\S(?:.*\S)?/s, '<span class="highlight">$&</span>')
}
