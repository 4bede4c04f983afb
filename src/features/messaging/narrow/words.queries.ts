import type { NarrowSubject } from '#platform/events/types.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { openScratch } from '#platform/store/scratch.ts'
import { searchText, searchTokenizer } from '#platform/store/search-text.ts'
import type { Read } from '#platform/store/write.ts'
import { searchPhrases } from './search.ts'

/** The words of a text in their order, as in the search index: without accents and endings. */
type Words = readonly string[]

/** A text with the positions of each of its words. */
interface Indexed {
  readonly words: Words
  readonly positions: ReadonlyMap<string, readonly number[]>
}

/** Splits texts into words as `messages_fts` does, so that both always agree. */
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
      for (const [i, text] of texts.entries()) insert.run(i, searchText(text))
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

/** The phrases of a search text that have words, each once, split into their words. */
export function phraseWords(read: Read, searched: string): Words[] {
  const phrases = tokenizer(read)(searchPhrases(searched)).filter(({ length }) => length > 0)
  return [...new Map(phrases.map((words) => [words.join(' '), words])).values()]
}

/** The message that is being dispatched: it is matched against all queues with a search. */
const latest = perDatabase((): { id: number; texts: readonly Indexed[] } => ({ id: 0, texts: [] }))

/**
 * Whether a search finds a new message: each phrase occurs in its content or in its topic. The
 * message is split into words once for all queues.
 *
 * @param phrases only a few words; none: matches nothing
 */
export function isFoundIn(read: Read, message: NarrowSubject, phrases: readonly Words[]): boolean {
  const known = latest(read)
  if (known.id !== message.id) {
    known.texts = tokenizer(read)([message.content, message.topic]).map(indexed)
    known.id = message.id
  }
  return (
    phrases.length > 0 && phrases.every((phrase) => known.texts.some((text) => has(text, phrase)))
  )
}

function indexed(words: Words): Indexed {
  const positions = new Map<string, number[]>()
  for (const [i, word] of words.entries()) {
    const known = positions.get(word)
    if (known) known.push(i)
    else positions.set(word, [i])
  }
  return { words, positions }
}

/** Looks for the phrase around each place of its rarest word. */
function has({ words, positions }: Indexed, phrase: Words): boolean {
  let places: readonly number[] | undefined
  let before = 0
  for (const [i, word] of phrase.entries()) {
    const found = positions.get(word)
    if (!found) return false
    if (places && places.length <= found.length) continue
    places = found
    before = i
  }
  return places?.some((place) => startsAt(words, phrase, place - before)) ?? false
}

function startsAt(words: Words, phrase: Words, start: number): boolean {
  for (let i = 0; i < phrase.length; i++) if (words[start + i] !== phrase[i]) return false
  return true
}
