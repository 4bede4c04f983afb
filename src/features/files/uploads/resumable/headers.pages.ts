import type { Context as HonoContext } from 'hono'

/** A header's value as a non-negative integer; undefined if it is missing or invalid. */
export function wholeNumber(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/**
 * Parses an `Upload-Metadata` header: keys, each with an optional Base64 value.
 *
 * @returns undefined for an invalid header or a repeated key
 * @source tus 1.0, "Upload-Metadata"
 */
export function readMetadata(header: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>()
  if (header.trim() === '') return values
  for (const pair of header.split(',')) {
    const [key = '', value = '', more] = pair.trim().split(' ')
    const isFine = key !== '' && more === undefined && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
    if (!isFine || values.has(key)) return undefined
    values.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return values
}

/** The client's name for the file: `filename`, or `name` in some clients. */
export function fileNameIn(metadata: ReadonlyMap<string, string>): string {
  return metadata.get('filename') ?? metadata.get('name') ?? ''
}

/**
 * The effective method of a request, as some clients can only send POST.
 *
 * @source tus 1.0, "X-HTTP-Method-Override"
 */
export function methodOf(c: HonoContext): string {
  const { method } = c.req
  // Only a POST may override its method, because GET requests skip the CSRF check.
  return method === 'POST' ? (c.req.header('x-http-method-override') ?? method) : method
}
