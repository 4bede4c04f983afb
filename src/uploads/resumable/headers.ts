import type { Context as HonoContext } from 'hono'

/** Whether a header holds a whole number as the protocol writes it; undefined: it does not. */
export function wholeNumber(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/**
 * What the header `Upload-Metadata` says: keys, each with its Base64 value if it has one.
 *
 * @returns undefined for what is not in this form, or says something twice
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

/** What a client calls its file: `filename`, or `name` as some do. */
export function fileNameIn(metadata: ReadonlyMap<string, string>): string {
  return metadata.get('filename') ?? metadata.get('name') ?? ''
}

/** What the request is to be taken for: some clients can only post. @source tus 1.0 */
export function methodOf(c: HonoContext): string {
  const { method } = c.req
  // Of others not: a read needs less proof of where it comes from.
  return method === 'POST' ? (c.req.header('x-http-method-override') ?? method) : method
}
