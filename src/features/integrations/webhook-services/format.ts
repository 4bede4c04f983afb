import { quoteBlock } from '#platform/markdown/quotes.ts'
import { longerMarks } from '#shared/code-marks.ts'
import { cleanText } from './text.ts'

/** The longest titles and quotes, in characters. */
const longestTitle = 200
const longestQuote = 1500

/** Makes mentions silent, so that people in other services cannot notify users of this server. */
export function silenced(text: string): string {
  return text.replace(/@(?=\*)/g, '@_')
}

/**
 * Escapes text from another service for use within a line: no notifying mentions, no links of its
 * own, no fences, and no unbalanced code marks or brackets.
 */
export function inline(text: string, most = longestTitle): string {
  const line = cut(
    cleanText(text.slice(0, 8 * most))
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  )
    .replace(/`{3,}|~{3,}/g, "'")
    .replace(/\${2,}/g, '$')
  const marks = line.match(/`/g)?.length ?? 0
  const closed = balanced(silenced(marks % 2 === 0 ? line : line.replaceAll('`', "'")))
  return closed.replaceAll('](', '] (')
}

/** Unbalanced brackets would end a link too early. */
function balanced(line: string): string {
  let open = 0
  for (const char of line) {
    if (char === '[') open++
    if (char === ']') open--
    if (open < 0) break
  }
  return open === 0 ? line : line.replaceAll('[', '(').replaceAll(']', ')')
}

/** A link, or only its label if the URL is not an HTTP URL. */
export function link(label: string, address: string | null | undefined): string {
  const text = inline(label)
  const href = webAddress(address)
  return href === undefined || text === '' ? text : `[${text}](${href})`
}

/** Foreign text as a part of the path or query of an address, or with `/` as several parts. */
export function urlPart(text: string, keepsSlashes = false): string {
  const part = cut(cleanText(text), longestTitle)
  return keepsSlashes ? encodeURI(part) : encodeURIComponent(part)
}

/** The longest address of a link, in UTF-16 code units. */
const longestAddress = 2000

/** A URL escaped for a Markdown link; undefined if it is not an HTTP URL, or very long. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || address.length > longestAddress) return undefined
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const href = isPlain.test(address) ? address : new URL(address).href
  return href.replace(/[()[\]`<>]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

/** Characters that neither a URL nor Markdown needs escaped. */
const isPlain = /^[\w\-.~:/?#@!$&'*+,;=%()[\]]+$/

/** A name as inline code, so that its characters are not read as Markdown. */
export function code(name: string): string {
  const text = cleanText(name.slice(0, 8 * longestTitle))
    .replace(/[\s`]+/g, ' ')
    .trim()
  return `\`${cut(text, longestTitle)}\``
}

/** A line followed by the beginning of a text as a quote; the line alone if the text is empty. */
export function quoting(line: string, text: string | null | undefined): string {
  const quote = quoted(text)
  return quote === '' ? `${line}.` : `${line}:\n\n${quote}`
}

/** The beginning of a text as a quote, on lines of its own; empty if the text is. */
export function quoted(text: string | null | undefined): string {
  const words = cleanText(text ?? '')
    .replaceAll('\r\n', '\n')
    .trim()
  return words === '' ? '' : quoteBlock(withClosedFences(cut(words, longestQuote)))
}

/** A text as a block of code. @param language for highlighting; empty: none */
export function codeBlock(text: string, language = '', most = longestQuote): string {
  const laidOut = cleanText(text.slice(0, 8 * most))
    .replaceAll('\r\n', '\n')
    .replace(/^\n+/, '')
    .trimEnd()
  // A fence must be longer than any run of backticks in the text, and must fit into the message.
  const shown = cut(
    laidOut.replace(/`{20,}/g, () => '`'.repeat(20)),
    most,
  )
  const marks = longerMarks(shown, 3)
  return `${marks}${language === '' ? '' : ` ${language}`}\n${shown}\n${marks}`
}

/** A list item with a name in bold; empty if there is no value. @param value Markdown */
export function bullet(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `* **${inline(name, 80)}**: ${value}`
}

/** Lines without the empty ones. */
export function lines(...all: readonly (string | undefined | false)[]): string {
  return all.filter(Boolean).join('\n')
}

/** Paragraphs without the empty ones. */
export function paragraphs(...all: readonly (string | undefined | false)[]): string {
  return all.filter(Boolean).join('\n\n')
}

/** The most items of a list that are shown. */
const mostItems = 20

/** The first items of a list, and a note of how many more there are. */
export function listed<T>(
  items: readonly T[],
  line: (item: T) => string,
  most = mostItems,
): string {
  const shown = items.slice(0, most).map(line)
  const more = items.length - most
  return [...shown, ...(more > 0 ? [`* and ${more} more`] : [])].join('\n')
}

/** A moment as each reader's client shows it; undefined if it is none. @param time ISO, or ms */
export function timestamp(time: string | number | undefined): string | undefined {
  if (time === undefined || time === '') return undefined
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year > 1970 && year < 10_000 ? `<time:${date.toISOString()}>` : undefined
}

/** @param most the limit in characters; a longer text ends in an ellipsis */
export function cut(text: string, most: number, end = '…'): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters.slice(0, most - end.length).join('')}${end}`
}

/**
 * Closes the fences that a text leaves open, since they would contain whatever follows it. Fences
 * in lists and the like, whose ends are harder to find, are no longer fences afterwards.
 */
export function withClosedFences(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text
  const open: { marks: string; isCode: boolean }[] = []
  const kept = text.split('\n').map((line) => {
    const last = open.at(-1)
    if (last && line.trimEnd() === last.marks) {
      open.pop()
      return line
    }
    if (last?.isCode) return line
    const [, marks, language] = /^(`{3,}|~{3,})([^`~]*)$/.exec(line) ?? []
    if (marks === undefined) return line.replace(/`{3,}|~{3,}/g, "'''")
    open.push({ marks, isCode: !/^\s*(quoted?|spoiler)\b/i.test(language ?? '') })
    return line
  })
  return [...kept, ...open.reverse().map(({ marks }) => marks)].join('\n')
}
