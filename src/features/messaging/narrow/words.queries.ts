import type { NarrowSubject } from '#platform/events/types.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { openScratch } from '#platform/store/scratch.ts'
import { indexedText, searchText, searchTokenizer } from '#platform/store/search-text.ts'
import type { Read } from '#platform/store/store.ts'
import { completions, type Forms, type Phrase, searchPhrases } from './search.ts'

/** The words of a text in their order, as in the search index: without accents and endings. */
type Words = readonly string[]

/** A text with the positions of each of its words. */
interface IndexedText {
  readonly words: Words
  readonly positions: ReadonlyMap<string, readonly number[]>
}

/** Splits prepared texts into words as `messages_fts` does, so that both always agree. */
const tokenizer = perDatabase(() => {
  const scratch = openScratch()
  scratch.exec(`
    CREATE VIRTUAL TABLE texts USING fts5(text, ${searchTokenizer});
    CREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance')`)
  const insert = scratch.prepare<[number, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)')
  const list = scratch
    .prepare<[], [text: number, position: number, word: string]>(
      'SELECT doc, offset, term FROM words',
    )
    .raw()
  return (texts: readonly string[]): Words[] => {
    const found: string[][] = texts.map(() => [])
    scratch.exec('BEGIN')
    try {
      for (const [i, text] of texts.entries()) insert.run(i, text)
      for (const [text, position, word] of list.iterate()) {
        const words = found[text]
        if (words) words[position] = word
      }
    } finally {
      scratch.exec('ROLLBACK')
    }
    return found
  }
})

/**
 * The phrases of a search text. The index has words without their endings, so the beginning of a
 * word has further forms: `deploym*` is `deployment` as well, which is there as `deploy`.
 */
export function phrasesOf(read: Read, searched: string): Forms[] {
  return searchPhrases(searched).map((phrase) => [phrase, ...otherForms(read, phrase)])
}

function otherForms(read: Read, { text, isBeginning }: Phrase): Phrase[] {
  const completed = isBeginning ? completions(text) : []
  if (completed.length === 0) return []
  const [[beginning = ''] = [], ...ends] = tokenizer(read)(
    [text, ...completed].map(searchText),
  ).map((words) => words.slice(-1))
  const forms = new Map<string, Phrase>()
  for (const [i, [end = '']] of ends.entries()) {
    const form = completed[i]
    if (form === undefined || end.startsWith(beginning)) continue
    forms.set(end, { text: form, isBeginning: false })
  }
  return [...forms.values()]
}

/** A form of a phrase, split into its words. */
interface FormWords {
  readonly words: Words
  readonly isBeginning: boolean
}

/** A phrase: any of its forms may occur. */
export type PhraseWords = readonly FormWords[]

/** The phrases that have words, each once, split into their words. */
export function phraseWords(read: Read, phrases: readonly Forms[]): PhraseWords[] {
  const split = tokenizer(read)
  const found = phrases.map((forms) => {
    const words = split(forms.map(({ text }) => searchText(text)))
    return forms.map(({ isBeginning }, i) => ({ words: words[i] ?? [], isBeginning }))
  })
  const some = found.filter((forms) => forms.some(({ words }) => words.length > 0))
  return [...new Map(some.map((forms) => [JSON.stringify(forms), forms])).values()]
}

/** The message that is being dispatched: it is matched against all queues with a search. */
const latest = perDatabase((): { id: number; texts: readonly IndexedText[] } => ({
  id: 0,
  texts: [],
}))

/**
 * Whether a search finds a new message: each phrase occurs in its content or in its topic. The
 * message is split into words once for all queues.
 *
 * @param phrases only a few words; none: matches nothing
 */
export function isFoundIn(
  read: Read,
  message: NarrowSubject,
  phrases: readonly PhraseWords[],
): boolean {
  const known = latest(read)
  if (known.id !== message.id) {
    known.texts = tokenizer(read)([
      indexedText(message.content, message.renderedContent),
      indexedText(message.topic),
    ]).map(indexed)
    known.id = message.id
  }
  return (
    phrases.length > 0 &&
    phrases.every((forms) => known.texts.some((text) => forms.some((form) => has(text, form))))
  )
}

function indexed(words: Words): IndexedText {
  const positions = new Map<string, number[]>()
  for (const [i, word] of words.entries()) {
    const known = positions.get(word)
    if (known) known.push(i)
    else positions.set(word, [i])
  }
  return { words, positions }
}

/** Looks for the phrase around each place of its rarest word. */
function has(
  { words, positions }: IndexedText,
  { words: phrase, isBeginning }: FormWords,
): boolean {
  let places: readonly number[] | undefined
  let before = 0
  for (const [i, word] of phrase.entries()) {
    const isBegun = isBeginning && i === phrase.length - 1
    const found = isBegun ? placesOf(positions, word) : positions.get(word)
    if (!found) return false
    if (places && places.length <= found.length) continue
    places = found
    before = i
  }
  return places?.some((place) => startsAt(words, phrase, place - before, isBeginning)) ?? false
}

/** Where words begin like this; undefined: none does. */
function placesOf(
  positions: IndexedText['positions'],
  beginning: string,
): readonly number[] | undefined {
  const found = [...positions].filter(([word]) => word.startsWith(beginning))
  return found.length > 0 ? found.flatMap(([, places]) => places) : undefined
}

function startsAt(words: Words, phrase: Words, start: number, isBeginning: boolean): boolean {
  for (const [i, wanted] of phrase.entries()) {
    const word = words[start + i]
    const isBegun = isBeginning && i === phrase.length - 1
    if (isBegun ? !word?.startsWith(wanted) : word !== wanted) return false
  }
  return true
}
