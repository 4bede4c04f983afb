import { longerMarks } from '#messages/quoting.ts'
import { limits } from '#realm/limits.ts'
import { cleanText } from '#webhooks/text.ts'
import { cut } from './markdown.ts'
import type { Note } from './note.ts'

/** What the fence of the code takes, at most: it has to outnumber the marks in the text. */
const fenceRoom = 200

/**
 * Any JSON, laid out as code.
 *
 * @source the documentation of the integration "JSON formatter"
 */
export function jsonNote(payload: unknown): Note {
  const laidOut = cleanText(JSON.stringify(payload, null, 2)).replace(/`{20,}/g, '`'.repeat(20))
  const shown = cut(laidOut, limits.messageLength - fenceRoom)
  const marks = longerMarks(shown, 3)
  return { topic: 'JSON', content: `${marks} json\n${shown}\n${marks}`, event: null }
}
