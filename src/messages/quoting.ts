import { directMessagesUrl, messageUrl } from '#markdown/links.ts'
import type { Place } from './place.ts'
import type { Message } from './queries.ts'

/** More backticks than there are in a row in the text. */
export function longerMarks(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1)
  return '`'.repeat(Math.max(least, ...runs))
}

/**
 * Markdown that quotes a text, whatever is in it.
 *
 * @param most in Unicode code points; of a longer text, only its beginning is quoted
 */
export function quoteBlock(text: string, most = Number.POSITIVE_INFINITY): string {
  const characters = text.length > most ? [...text] : undefined
  const shown = characters && characters.length > most ? `${cut(characters, most)}…` : text
  const marks = longerMarks(shown, 3)
  return `${marks} quote\n${shown}\n${marks}`
}

function cut(characters: readonly string[], most: number): string {
  return characters.slice(0, Math.max(0, most - 1)).join('')
}

/** The address of a message as browsers take it. */
export function absoluteUrl(message: Message, place: Place, realmUrl: string): string {
  const { channel, people } = place
  const path = channel
    ? messageUrl(channel, message.topic, message.id)
    : directMessagesUrl(
        people.map(({ id }) => id),
        message.id,
      )
  return realmUrl + path
}
