import { badRequest } from '#platform/errors.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { scanJson } from '#platform/json-scan.ts'
import { readMultipart } from '#platform/multipart.ts'

/** The deepest nesting of a payload, and the most brackets and commas; real ones have far fewer. */
const payloadLimits = { depth: 100, marks: 60_000 } as const

/** The most fields of a form. */
const mostFields = 500

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** The fields of a form in which services put JSON. */
const jsonFields = ['payload', 'payload_json', 'data'] as const

/** Malformed JSON, made by the service or a template in it. */
export class MalformedPayload extends Error {}

/**
 * Reads the body of a service's request. JSON is recognised whatever its `Content-Type`, as many
 * services send a wrong one; the fields of a form are a payload of texts, unless one of them is
 * JSON.
 *
 * @param takesText whether plain text is also a payload
 * @returns undefined if the body is empty
 * @throws BAD_REQUEST invalid UTF-8, too deep nesting or too many values
 * @throws MalformedPayload invalid JSON
 */
export async function readPayload(
  { body, header }: Pick<RequestFacts, 'body' | 'header'>,
  takesText: boolean,
): Promise<unknown> {
  const type = header('content-type') ?? ''
  if (/^multipart\/form-data/i.test(type)) {
    const parts = [...(await readMultipart(new Uint8Array(body), type, mostFields))]
    const texts = parts.filter((part): part is [string, string] => typeof part[1] === 'string')
    return payloadOf(texts)
  }
  const text = decodeUtf8(body)
  if (text.trim() === '') return undefined
  const isForm = /^application\/x-www-form-urlencoded/i.test(type)
  if (/^\s*[[{]/.test(text)) return takesText ? (jsonOrText(text) ?? text) : parseJson(text)
  if (isForm) return payloadOf([...new URLSearchParams(text)].slice(0, mostFields))
  return takesText ? text : parseJson(text)
}

function payloadOf(fields: readonly (readonly [name: string, value: string])[]): unknown {
  const all = new Map(fields)
  const source = jsonFields.map((name) => all.get(name)).find((text) => /^\s*[[{]/.test(text ?? ''))
  if (source !== undefined) return parseJson(source)
  return all.size === 0 ? undefined : Object.fromEntries(all)
}

/** The JSON of a text, or nothing if it is malformed. */
function jsonOrText(source: string): unknown {
  try {
    return parseJson(source)
  } catch (error) {
    if (error instanceof MalformedPayload) return undefined
    throw error
  }
}

function parseJson(source: string): unknown {
  const excess = scanJson(source, payloadLimits)
  if (excess === 'deep') throw badRequest('The payload is nested too deeply.')
  if (excess === 'many') throw badRequest('The payload contains too many values.')
  try {
    return JSON.parse(source)
  } catch {
    throw new MalformedPayload('The payload is not valid JSON.')
  }
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return strictUtf8.decode(body)
  } catch {
    throw badRequest('The payload is not valid UTF-8.')
  }
}
