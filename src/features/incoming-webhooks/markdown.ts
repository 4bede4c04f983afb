import { quoteBlock } from '#features/messages/quoting.ts'
import { cleanText } from './text.ts'

/** The longest titles and quotes, in characters. */
const longestTitle = 200
const longestQuote = 1500

/** Makes mentions silent, so that people in other services cannot notify users of this server. */
function silenced(text: string): string {
  return text.replace(/@(?=\*)/g, '@_')
}

/**
 * Escapes text from another service for use within a line: no notifying mentions, no unbalanced
 * code marks or brackets.
 */
export function inline(text: string, most = longestTitle): string {
  const line = cut(cleanText(text).replace(/\s+/g, ' ').trim(), most)
  const marks = line.match(/`/g)?.length ?? 0
  return balanced(silenced(marks % 2 === 0 ? line : line.replaceAll('`', "'")))
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

/** A URL escaped for a Markdown link; undefined if it is not an HTTP URL. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const { href } = new URL(address)
  return href.replaceAll('(', '%28').replaceAll(')', '%29')
}

/** A name as inline code, so that its characters are not read as Markdown. */
export function code(name: string): string {
  const text = cleanText(name)
    .replace(/[\s`]+/g, ' ')
    .trim()
  return `\`${cut(text, longestTitle)}\``
}

/** A line followed by the beginning of a text as a quote; the line alone if the text is empty. */
export function quoting(line: string, text: string | null | undefined): string {
  const words = cleanText(text ?? '')
    .replaceAll('\r\n', '\n')
    .trim()
  return words === '' ? `${line}.` : `${line}:\n\n${quoteBlock(words, longestQuote)}`
}

/** @param most the limit in characters; a longer text ends in an ellipsis */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
