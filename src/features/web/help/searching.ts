import type { HelpPage } from './rendering.ts'

/** A part of a page with all the words. */
export interface HelpResult {
  readonly title: string
  /** The heading, if it differs from the title. */
  readonly heading: string | undefined
  /** The address of the part, below this server's. */
  readonly address: string
  /** The text around the first word. */
  readonly excerpt: string
}

const mostResults = 20
const mostWords = 10
/** How much of a text is shown before and after a word. */
const around = 70

/** Words of questions that do not matter for the answer. */
const empty = new Set(
  'a an and are be can do does for from how i in is it me my of on or our put the to we what when where with you your'.split(
    ' ',
  ),
)

/** What people type, and the word that the pages use. */
const usual: Readonly<Record<string, string>> = { mail: 'email', mails: 'emails' }

/**
 * Finds the parts of pages that have all words, or else those that have the most of them, best first: words
 * in headings count most.
 *
 * @param words what someone typed, of any length
 */
export function searchHelp(pages: readonly HelpPage[], words: string): HelpResult[] {
  const all = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = all.filter((word) => !empty.has(word))
  const wanted = (telling.length > 0 ? telling : all)
    .slice(0, mostWords)
    .map((word) => (Object.hasOwn(usual, word) ? (usual[word] ?? word) : word))
  const found: { readonly words: number; readonly score: number; readonly result: HelpResult }[] =
    []
  let most = 1
  for (const { parts, path, title } of pages) {
    for (const { anchor, heading, text } of parts) {
      const [inTitle, inHeading, inText] = [title, heading, text].map((each) => each.toLowerCase())
      let score = 0
      let count = 0
      for (const word of wanted) {
        const here =
          (startsWord(inHeading, word) ? 8 : 0) +
          (startsWord(inTitle, word) ? 4 : 0) +
          (startsWord(inText, word) ? 1 : 0)
        if (here > 0) count++
        score += here
      }
      if (count < most) continue
      most = count
      found.push({
        words: count,
        score,
        result: {
          title,
          heading: anchor === '' ? undefined : heading,
          address: `/help/${path}${anchor === '' ? '' : `#${anchor}`}`,
          excerpt: excerptOf(text, wanted),
        },
      })
    }
  }
  return found
    .filter((each) => each.words === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ result }) => result)
}

function startsWord(text: string | undefined, word: string): boolean {
  if (text === undefined) return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  }
  return false
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = words.map((word) => lower.indexOf(word)).find((at) => at >= 0) ?? 0
  const from = first <= around ? 0 : text.indexOf(' ', first - around) + 1
  const rest = text.slice(from)
  const to = rest.length <= 2 * around ? rest.length : rest.lastIndexOf(' ', 2 * around)
  return `${from > 0 ? '… ' : ''}${rest.slice(0, to)}${to < rest.length ? ' …' : ''}`
}
