import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { HistorySource } from '#features/organization/exports/history/source.ts'
import { textEntry } from '#features/organization/exports/history/spool.ts'
import type { TarEntry } from '#features/organization/exports/tar.ts'
import { openScratchFile } from '#platform/store/scratch.ts'
import { longestWord, searchWords } from '#platform/store/search-text.ts'
import { digits } from './search-script.ts'

/*
 * The index of an archive's search. Scripts hold it, since a page on a disk may load nothing else:
 *
 * - `index.js`: how many messages there are, and the first word of each script of words;
 * - `w1.js`, ...: words in order, each with the numbers of its messages;
 * - `m1.js`, ...: what results show, of as many messages each.
 */

/** A message as its index needs it. */
export interface SearchedMessage {
  readonly id: number
  /** What is searched. */
  readonly texts: readonly string[]
  /** What people read. */
  readonly text: string
  /** The names of the channel and the topic, or of the people. */
  readonly place: string
  /** The page that shows it, from the archive's top folder. */
  readonly page: string
  readonly sender: string
  /** In seconds since the epoch. */
  readonly sentAt: number
}

/** How many messages a script has whose texts results show. */
const messagesInPart = 100
/** How much of a text results can show. */
const longestText = 2000
/** How many numbers of messages are in memory before they are sorted away. */
const mostInMemory = 500_000
/** About how many characters of words a script has. */
const wordsInPart = 48 * 1024
/** After how many milliseconds others get their turn. */
const longestTurn = 5

/**
 * The files of the index.
 *
 * @param messages by ID
 */
export async function* searchIndex(
  { folder, signal }: Pick<HistorySource, 'folder' | 'signal'>,
  messages: Iterable<SearchedMessage>,
): AsyncGenerator<TarEntry> {
  const sorted = new SortedWords(join(folder, 'words.db'))
  let since = performance.now()
  const rest = async () => {
    if (performance.now() - since < longestTurn) return
    await setImmediate()
    signal.throwIfAborted()
    since = performance.now()
  }
  try {
    let count = 0
    let part: SearchedMessage[] = []
    const partEntry = () => scriptEntry(`m${Math.ceil(count / messagesInPart)}`, shownPart(part))
    for (const message of messages) {
      part.push(message)
      const words = new Set(message.texts.flatMap(searchWords))
      for (const word of words) sorted.add(word, count)
      count += 1
      if (part.length === messagesInPart) {
        yield partEntry()
        part = []
      }
      if (sorted.size > mostInMemory) for (const _ of sorted.flush()) await rest()
      await rest()
    }
    if (part.length > 0) yield partEntry()
    for (const _ of sorted.flush()) await rest()

    const firsts: string[] = []
    let words: string[] = []
    let length = 0
    for (const [word, numbers] of sorted.all()) {
      if (words.length === 0) firsts.push(word)
      words.push(word, numbers)
      length += word.length + numbers.length
      if (length > wordsInPart) {
        yield scriptEntry(`w${firsts.length}`, words)
        words = []
        length = 0
      }
      await rest()
    }
    if (words.length > 0) yield scriptEntry(`w${firsts.length}`, words)
    yield scriptEntry('index', { count, firsts, messagesInPart, longestWord })
  } finally {
    sorted.close()
  }
}

/** A script that gives the search page a value. */
function scriptEntry(name: string, value: unknown): TarEntry {
  return textEntry(`search/${name}.js`, `archive.put("${name}", ${JSON.stringify(value)})\n`)
}

/** What results show of messages; names that occur again and again are there once. */
function shownPart(messages: readonly SearchedMessage[]) {
  const names: string[] = []
  const known = new Map<string, number>()
  const numberOf = (name: string) => {
    const number = known.get(name) ?? names.push(name) - 1
    known.set(name, number)
    return number
  }
  const rows = messages.map(({ id, page, place, sender, sentAt, text }) => [
    id,
    numberOf(page),
    numberOf(place),
    numberOf(sender),
    sentAt,
    text.slice(0, longestText).toWellFormed(),
  ])
  return { names, rows }
}

/** Numbers of messages by word, sorted in a file so that memory is enough for any number. */
class SortedWords {
  readonly #db
  readonly #insert
  #run = 0
  #words = new Map<string, number[]>()
  /** How many numbers are in memory. */
  size = 0

  constructor(file: string) {
    this.#db = openScratchFile(file)
    this.#db.exec(
      `CREATE TABLE words (word TEXT, run INTEGER, first INTEGER, last INTEGER, more TEXT,
        PRIMARY KEY (word, run)) WITHOUT ROWID; BEGIN`,
    )
    this.#insert = this.#db.prepare<[string, number, number, number, string]>(
      'INSERT INTO words VALUES (?, ?, ?, ?, ?)',
    )
  }

  /** @param number larger than the one before */
  add(word: string, number: number): void {
    const numbers = this.#words.get(word)
    if (numbers) numbers.push(number)
    else this.#words.set(word, [number])
    this.size += 1
  }

  /** Writes what is in memory to the file, in steps. */
  *flush(): Generator<void> {
    this.#run += 1
    for (const [word, [first = 0, ...more]] of this.#words) {
      let last = first
      let text = ''
      for (const number of more) {
        text += encoded(number - last)
        last = number
      }
      this.#insert.run(word, this.#run, first, last, text)
      yield
    }
    this.#words.clear()
    this.size = 0
  }

  /** Each word with all its numbers, in the order of code points. */
  *all(): Generator<[string, string]> {
    const rows = this.#db
      .prepare<[], Row>('SELECT word, first, last, more FROM words ORDER BY word, run')
      .iterate()
    let word: string | undefined
    let numbers = ''
    let last = 0
    for (const row of rows) {
      if (row.word !== word) {
        if (word !== undefined) yield [word, numbers]
        word = row.word
        numbers = ''
        last = -1
      }
      numbers += encoded(row.first - last) + row.more
      last = row.last
    }
    if (word !== undefined) yield [word, numbers]
  }

  close(): void {
    this.#db.close()
  }
}

interface Row {
  readonly word: string
  readonly first: number
  readonly last: number
  readonly more: string
}

/** A number as one digit for each five bits, the lowest first; all but the last one are above 31. */
function encoded(number: number): string {
  let text = ''
  let left = number
  for (; left > 31; left >>>= 5) text += digits[32 + (left & 31)]
  return text + digits[left]
}
