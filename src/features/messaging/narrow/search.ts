import { searchText } from '#platform/store/search-text.ts'

/** A word or a quoted phrase of a search. */
export interface Phrase {
  readonly text: string
  /** Its last word may be the beginning of one: typed as `word*`. */
  readonly isBeginning: boolean
}

/** A phrase, and others of which any may occur instead. */
export type Forms = readonly [Phrase, ...Phrase[]]

/**
 * A search as an FTS5 query: every phrase must occur, in any order. Each becomes a quoted string, so
 * that users cannot type query syntax; a word with punctuation inside becomes a phrase of its parts,
 * and so does one in a script without spaces. Text without words matches nothing.
 */
export function searchQuery(phrases: readonly Forms[]): string {
  const all = phrases.filter(hasWords)
  const words = all.filter(({ length }) => length === 1)
  // FTS5 passes over a phrase in which it sees no word only between phrases without AND.
  const together = unique(words.map(anyOf)).join(' ')
  const groups = unique(all.filter(({ length }) => length > 1).map(anyOf))
  return [...(together === '' ? [] : [together]), ...groups].join(' AND ') || '""'
}

/** The same for highlighting: any of the phrases matches. */
export function highlightQuery(phrases: readonly Forms[]): string {
  return unique(phrases.filter(hasWords).map(anyOf)).join(' OR ') || '""'
}

/** The words and quoted phrases of a search text, as typed. */
export function searchPhrases(text: string): Phrase[] {
  const found = text.matchAll(/"([^"]*)"|[^\s"]+/g)
  return Array.from(found, ([whole, inner]) => {
    const beginning = inner === undefined ? beginningOf(whole) : undefined
    return { text: beginning ?? inner ?? whole, isBeginning: beginning !== undefined }
  })
}

/** The word without its star; undefined for a single letter, which begins too many words. */
function beginningOf(word: string): string | undefined {
  return /^([^*]*[\p{L}\p{N}\p{M}]{2})\*$/u.exec(word)?.[1]
}

function hasWords([{ text }]: Forms): boolean {
  return /[\p{L}\p{N}\p{Co}\p{M}]/u.test(searchText(text))
}

function anyOf(forms: Forms): string {
  const quoted = forms.map(({ text, isBeginning }) => {
    return `"${searchText(text).replaceAll('"', ' ')}"${isBeginning ? '*' : ''}`
  })
  return quoted.length === 1 ? quoted.join() : `(${quoted.join(' OR ')})`
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** English endings, which the index leaves out; those inside others are not listed. */
const endings =
  'ing ings ied ies ed edly ment ments ements ness ation ations ational ator ization ized izing izer ' +
  'ality ability ibility ivity able ible ably ably ance ence ancy ency ant ent ently ful fully fulness ' +
  'ous ously ousness ive ively iveness ical ically icity icate ism ist istic er ers eer al ally ions'

/** Words that begin like this and end as English words do, with the letters that are missing. */
export function completions(beginning: string): string[] {
  const [word = ''] = /(?<![a-z])[a-z]{3,}$/i.exec(beginning) ?? []
  const wholes = endings.split(' ').flatMap((ending) => {
    const rests = [ending]
    for (let taken = 1; taken < ending.length; taken++) {
      if (word.toLowerCase().endsWith(ending.slice(0, taken))) rests.push(ending.slice(taken))
    }
    return rests
  })
  return word === '' ? [] : unique(wholes).map((rest) => beginning + rest)
}
