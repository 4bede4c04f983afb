import { badRequest } from '#platform/errors.ts'
import type { RequestFacts } from '#platform/http/reply.ts'
import { scanJson } from '#platform/json-scan.ts'

/** The deepest nesting of a payload, and the most brackets and commas; real ones have far fewer. */
const payloadLimits = { depth: 100, marks: 200_000 } as const

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON of a request, from its body or from the form field `payload`.
 *
 * @throws BAD_REQUEST a missing payload, invalid JSON or UTF-8, too deep nesting or too many values
 */
export function readPayload({ body, header }: Pick<RequestFacts, 'body' | 'header'>): unknown {
  const type = (header('content-type') ?? '').toLowerCase()
  const text = decodeUtf8(body)
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const source = isForm ? new URLSearchParams(text).get('payload') : text
  if (source === null || source.trim() === '') throw badRequest('The payload is missing.')
  const excess = scanJson(source, payloadLimits)
  if (excess === 'deep') throw badRequest('The payload is nested too deeply.')
  if (excess === 'many') throw badRequest('The payload contains too many values.')
  try {
    return JSON.parse(source)
  } catch {
    throw badRequest('The payload is not valid JSON.')
  }
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return strictUtf8.decode(body)
  } catch {
    throw badRequest('The payload is not valid UTF-8.')
  }
}
