import { badRequest } from '#platform/errors.ts'
import type { Note } from './declaration.ts'
import type { Fields } from './fields.ts'

/**
 * A message with the text and topic that were configured in the service.
 *
 * @throws BAD_REQUEST the topic or the text is missing, or no text
 */
export function writtenNote(payload: Fields): Note {
  const text = (...names: readonly string[]) => {
    const value = names.map((name) => (payload.value as Record<string, unknown>)[name])
    const found = value.find((one) => typeof one === 'string')
    return typeof found === 'string' && found.trim() !== '' ? found : undefined
  }
  if (typeof payload.value !== 'object' || payload.value === null) payload.object('')
  const topic = text('topic', 'subject')
  const content = text('content', 'body')
  if (topic === undefined) throw badRequest("The payload has no valid member 'topic'.")
  if (content === undefined) throw badRequest("The payload has no valid member 'content'.")
  return { topic, content }
}
