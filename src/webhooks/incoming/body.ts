import { badRequest } from '#errors.ts'
import type { RequestFacts } from '#http/reply.ts'

/** How deep a payload may nest; those of real services stay far below. */
const maxDepth = 100

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON that a service posted: as it is, or in the field `payload` of a form.
 *
 * @throws BAD_REQUEST nothing, no JSON, bad UTF-8, or nested too deeply
 */
export function readPayload({ body, header }: Pick<RequestFacts, 'body' | 'header'>): unknown {
  const type = (header('content-type') ?? '').toLowerCase()
  const text = decodeUtf8(body)
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const source = isForm ? new URLSearchParams(text).get('payload') : text
  if (source === null || source.trim() === '') throw badRequest('The payload is missing.')
  let payload: unknown
  try {
    payload = JSON.parse(source)
  } catch {
    throw badRequest('The payload is not valid JSON.')
  }
  requireShallow(payload)
  return payload
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return strictUtf8.decode(body)
  } catch {
    throw badRequest('The payload is not valid UTF-8.')
  }
}

/** Without recursion: depth is what this is about. */
function requireShallow(payload: unknown): void {
  let level = [payload]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw badRequest('The payload is nested too deeply.')
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const member of Object.values(value)) next.push(member)
    }
    level = next
  }
}
