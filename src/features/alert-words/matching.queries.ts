import { cached } from '#platform/store/cached.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/write.ts'

const notInWords = /[^\p{L}\p{N}_]+/u

/**
 * The first word of an alert word, lower-cased, which is its index key. Empty if the alert word
 * consists of punctuation only.
 */
export function firstWordOf(alertWord: string): string {
  return wordsOf(alertWord)[0] ?? ''
}

interface Candidate {
  readonly userId: number
  readonly wordKey: string
  readonly firstWord: string
}

const everyWord = preparedSql<Candidate>(
  'SELECT user_id AS userId, word_key AS wordKey, first_word AS firstWord FROM alert_words',
)

const all = 'all'
const byFirstWord = cached((read) => {
  const index = new Map<string, Candidate[]>()
  for (const row of everyWord(read).all({})) {
    const rows = index.get(row.firstWord)
    if (rows) rows.push(row)
    else index.set(row.firstWord, [row])
  }
  return index
})

/** Drops the cached index; every write that adds or removes an alert word must call it. */
export function forgetAlertWords(tx: Tx): void {
  byFirstWord.forget(tx, all)
}

/**
 * The users with an alert word that a text contains as a whole word, ignoring case. The cost
 * depends on the length of the text, not on the number of alert words in the organization.
 *
 * @param text the message's text as people read it
 */
export function listAlertedUsers(read: Read, text: string): number[] {
  const index = byFirstWord.get(read, all)
  if (index.size === 0) return []
  const lower = text.toLowerCase()
  const alerted = new Set<number>()
  for (const word of new Set(['', ...wordsOf(lower)])) {
    for (const { userId, wordKey } of index.get(word) ?? []) {
      if (containsWord(lower, wordKey)) alerted.add(userId)
    }
  }
  return [...alerted]
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!joins(text, at - 1, word.at(0)) && !joins(text, at + word.length, word.at(-1))) return true
  }
  return false
}

/** Whether the character at `at` and its neighbour are part of one word. */
function joins(text: string, at: number, neighbour = ''): boolean {
  const isWordPart = (character: string) => character !== '' && !notInWords.test(character)
  return isWordPart(text.charAt(at)) && isWordPart(neighbour)
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(notInWords)
    .filter((word) => word !== '')
}
