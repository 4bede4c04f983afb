import { sentSentence } from '#translations/translate.ts'
import { badRequest } from './errors.ts'

/**
 * The parts of a multipart body.
 *
 * @param type the `Content-Type`, with the boundary
 * @throws BAD_REQUEST malformed, or more than `most` parts
 */
export async function readMultipart(
  body: Uint8Array<ArrayBuffer>,
  type: string,
  most: number,
): Promise<FormData> {
  requireFewParts(body, type, most)
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw badRequest('The multipart body is malformed.')
  }
}

/** Counts the parts before they are taken apart. @throws BAD_REQUEST */
function requireFewParts(body: Uint8Array, type: string, most: number): void {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = `--${quoted ?? bare ?? ''}`
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let at = bytes.indexOf(boundary)
  for (let parts = 0; at >= 0; parts++) {
    if (parts > most) throw tooManyParameters(most)
    at = bytes.indexOf(boundary, at + boundary.length)
  }
}

/** @param most how many a request may have */
export function tooManyParameters(most: number): Error {
  return badRequest(
    sentSentence('The request has too many parameters (limit: {count}).', { count: most }),
  )
}
