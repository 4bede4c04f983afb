import type { MailOptions } from './addresses.ts'
import { isForwarded, wordsOf } from './body.ts'
import { markdownOf } from './html-markdown.ts'
import type { Letter } from './letter.ts'

type WordsOptions = Pick<MailOptions, 'includeQuotes' | 'includeFooter' | 'preferHtml'>

/** The words of a letter in each form that its recipients want, made once. */
export function createWords(letter: Letter): (options: WordsOptions) => Promise<string> {
  const known = new Map<string, Promise<string>>()
  return (options) => {
    const { includeQuotes, includeFooter, preferHtml } = options
    const key = [includeQuotes, includeFooter, preferHtml].join()
    const words = known.get(key) ?? wordsIn(letter, options)
    known.set(key, words)
    return words
  }
}

async function wordsIn(letter: Letter, options: WordsOptions): Promise<string> {
  const { text = '', html = '', subject } = letter
  const includeQuotes = options.includeQuotes || isForwarded(subject)
  const wanted = { includeQuotes, includeFooter: options.includeFooter }
  const isHtml = html !== '' && (options.preferHtml || text.trim() === '')
  if (!isHtml) return wordsOf(text, wanted)
  return wordsOf(await markdownOf(html, includeQuotes), wanted)
}
