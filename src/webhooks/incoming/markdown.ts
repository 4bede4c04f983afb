import { quoteBlock } from '#messages/quoting.ts'
import { cleanText } from '#webhooks/text.ts'

/** How much of a title, and of what somebody wrote, is shown, in characters. */
const longestTitle = 200
const longestQuote = 1500

/** Mentions that notify nobody: whoever writes in another service does not call people here. */
function silenced(text: string): string {
  return text.replace(/@(?=\*)/g, '@_')
}

/** Foreign text as part of a line: no mention, and nothing that breaks what stands around it. */
export function inline(text: string, most = longestTitle): string {
  const line = cut(cleanText(text).replace(/\s+/g, ' ').trim(), most)
  const marks = line.match(/`/g)?.length ?? 0
  return balanced(silenced(marks % 2 === 0 ? line : line.replaceAll('`', "'")))
}

/** Brackets that do not come in pairs would end a link too early. */
function balanced(line: string): string {
  let open = 0
  for (const char of line) {
    if (char === '[') open++
    if (char === ']') open--
    if (open < 0) break
  }
  return open === 0 ? line : line.replaceAll('[', '(').replaceAll(']', ')')
}

/** A link, or its label alone where the address is none of the web. */
export function link(label: string, address: string | null | undefined): string {
  const text = inline(label)
  const href = webAddress(address)
  return href === undefined || text === '' ? text : `[${text}](${href})`
}

/** An address as it can stand between parentheses; undefined for what is no address of the web. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const { href } = new URL(address)
  return href.replaceAll('(', '%28').replaceAll(')', '%29')
}

/** A name as code, in which nothing is Markdown: branches, tags, files. */
export function code(name: string): string {
  const text = cleanText(name)
    .replace(/[\s`]+/g, ' ')
    .trim()
  return `\`${cut(text, longestTitle)}\``
}

/** A line that introduces what somebody wrote, and its beginning; the line alone for nothing. */
export function quoting(line: string, text: string | null | undefined): string {
  const words = cleanText(text ?? '')
    .replaceAll('\r\n', '\n')
    .trim()
  return words === '' ? `${line}.` : `${line}:\n\n${quoteBlock(words, longestQuote)}`
}

/** @param most in characters; a longer text ends in an ellipsis */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
