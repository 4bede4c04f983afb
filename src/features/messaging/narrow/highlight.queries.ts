import { perDatabase } from '#platform/store/per-database.ts'
import { openScratch } from '#platform/store/scratch.ts'
import { searchTokenizer, type TracedText, traceSearchText } from '#platform/store/search-text.ts'
import type { Read } from '#platform/store/store.ts'
import { highlightQuery } from './search.ts'
import { phrasesOf } from './words.queries.ts'

/** Mark a match in the output of FTS5; they never occur in the text itself. */
const matchStart = '\u0001'
const matchEnd = '\u0002'

/** A word that no text has, so that no phrase goes from one text to the next. */
const border = '\uf8ff'
const between = `\n${border}\n`

/**
 * A scratch table with the tokenizer of `messages_fts`, so that the highlighted words are those
 * that the search found, whatever their accents and word endings.
 */
const marker = perDatabase(() => {
  const scratch = openScratch()
  scratch.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, ${searchTokenizer})`)
  const insert = scratch.prepare<[string]>('INSERT INTO texts (text) VALUES (?)')
  const find = scratch
    .prepare<[string, string, string], string>(
      'SELECT highlight(texts, 0, ?, ?) FROM texts WHERE texts MATCH ?',
    )
    .pluck()
  return (texts: readonly string[], query: string): string[] => {
    scratch.exec('BEGIN')
    try {
      // All in one row: each row would cost more than its words.
      insert.run(texts.join(between))
      const marked = find.get(matchStart, matchEnd, query.replaceAll(border, ' '))
      return marked?.split(between) ?? []
    } finally {
      scratch.exec('ROLLBACK')
    }
  }
})

/**
 * Wraps the matches of a search in `<span class="highlight">`, in each of these pieces of HTML.
 * Wraps only text, never part of a tag, an entity or a formula.
 *
 * @param searched search texts as users type them; highlights any of their words and phrases
 * @source Zulip API, "Get messages", `match_content`
 */
export function highlight(
  read: Read,
  htmls: readonly string[],
  searched: readonly string[],
): string[] {
  // Many messages have the same topic.
  const unlike = [...new Set(htmls)]
  const pages = unlike.map(toPage)
  const traced = pages.flatMap(({ text, joined }) => [text, ...joined]).map(traceSearchText)
  const marked = marker(read)(
    traced.map(({ text }) => text),
    highlightQuery(searched.flatMap((text) => phrasesOf(read, text))),
  )
  const found = traced.map((text, i) => [...matches(marked[i] ?? '', text)])
  const shown = new Map<string, string>()
  for (const [i, { joined, parts }] of pages.entries()) {
    const ranges = merged(found.splice(0, 1 + joined.length).flat())
    shown.set(unlike[i] ?? '', wrap(parts, ranges))
  }
  return htmls.map((html) => shown.get(html) ?? html)
}

/** A tag, an entity or a run of text; `length` is its number of characters in the page's text. */
interface Part {
  readonly html: string
  readonly length: number
  readonly isText: boolean
}

interface Page {
  readonly parts: readonly Part[]
  /** The text to search; tags and entities become line breaks, since they end a word. */
  readonly text: string
  /** The same, but with words that go on after a tag, such as one that is half in bold; if any. */
  readonly joined: readonly string[]
}

/** Tags of parts of a line, inside which a word may go on, and what is no letter to the search. */
const insideWords = /^<\/?(?:strong|em|del|a|code)\b/
const softHyphen = '\u00ad'
const goingOn = /[\p{L}\p{N}\p{M}]\u00ad+[\p{L}\p{N}]/u

/** What has a meaning of its own in what is marked. */
const reserved = new RegExp(`[${matchStart}${matchEnd}${border}]`, 'g')

function toPage(html: string): Page {
  const parts: Part[] = []
  let text = ''
  let joined = ''
  let isInMath = false
  for (const [piece] of html.matchAll(/<[^<>]*>|&#?\w+;|[^<&]+|[<&]/g)) {
    if (piece.startsWith('<math')) isInMath = true
    if (piece.startsWith('</math')) isInMath = false
    const isText = !isInMath && !/^[<&]/.test(piece)
    const shown = isText ? piece.replaceAll(reserved, ' ') : '\n'
    parts.push({ html: piece, length: shown.length, isText })
    text += shown
    joined += insideWords.test(piece) ? softHyphen : shown
  }
  const goesOn = joined.includes(softHyphen) && goingOn.test(joined)
  return { parts, text, joined: goesOn ? [joined] : [] }
}

/** The matches in their order, each character once. */
function merged(found: readonly [from: number, to: number][]): [from: number, to: number][] {
  const ranges: [from: number, to: number][] = []
  for (const [from, to] of found.toSorted((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}

/** The positions of the matches on the page, as `[from, to)`. */
function* matches(marked: string, { origin }: TracedText): Generator<[from: number, to: number]> {
  if (!marked.includes(matchStart)) return
  let marks = 0
  let from = 0
  for (let i = 0; i < marked.length; i++) {
    const char = marked[i]
    if (char === matchStart) from = i - marks
    if (char === matchEnd) yield origin(from, i - marks)
    if (char === matchStart || char === matchEnd) marks += 1
  }
}

/** @param ranges of which those that are passed are removed */
function wrap(parts: readonly Part[], ranges: [number, number][]): string {
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

/** @param at where the text begins on the page @param ranges matches that end after that */
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

/** Leaves spaces at the edges outside, because a phrase may continue after a tag. */
function wrapMatch(text: string): string {
  return text.replace(/\S(?:.*\S)?/s, '<span class="highlight">$&</span>')
}
