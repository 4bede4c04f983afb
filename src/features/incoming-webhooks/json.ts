import { longerMarks } from '#features/messages/quoting.ts'
import { limits } from '#features/realm/limits.ts'
import { cut } from './markdown.ts'
import type { Note } from './note.ts'
import { cleanText } from './text.ts'

/** Room for the code fence, which must be longer than any run of backticks in the text. */
const fenceRoom = 200

/**
 * Shows any JSON as a code block.
 *
 * @source Zulip integrations, "JSON formatter"
 */
export function jsonNote(payload: unknown): Note {
  const laidOut = cleanText(JSON.stringify(payload, null, 2)).replace(/`{20,}/g, '`'.repeat(20))
  const shown = cut(laidOut, limits.messageLength - fenceRoom)
  const marks = longerMarks(shown, 3)
  return { topic: 'JSON', content: `${marks} json\n${shown}\n${marks}`, event: null }
}
