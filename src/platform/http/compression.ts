import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { Context as HonoContext } from 'hono'
import { holdsSecret } from '#platform/compressible.ts'
import { gzipBytes, ownLevel, type Piece, plainBytes } from '#platform/shared-replies/bytes.ts'
import { atOnce } from '#platform/steps.ts'
import { LightReply } from './light/reply.ts'

/** Shorter texts take a packet or two, whether compressed or not; in characters. */
const leastLength = 2048
/**
 * The main thread compresses texts up to this length in less than a millisecond; in characters.
 */
const mostAtOnce = 64 * 1024

const gzipElsewhere = promisify(gzip)

/** @source RFC 9110, section 12.5.3, "Accept-Encoding": a weight of 0 means "not acceptable" */
const gzipAccepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

export function acceptsGzip(c: HonoContext): boolean {
  return gzipAccepted.test(c.req.header('accept-encoding') ?? '')
}

/** Whether a reply with this text depends on what the client accepts. */
export function isCompressible(json: string): boolean {
  return json.length >= leastLength && !holdsSecret(json)
}

/**
 * A text without secrets that is not a reply of the API, compressed if the client accepts that.
 */
export function replyText(
  c: HonoContext,
  text: Piece,
  headers: Readonly<Record<string, string>>,
): Response {
  const isCompressed = acceptsGzip(c)
  const bytes = Buffer.concat(isCompressed ? atOnce(gzipBytes([text])) : plainBytes([text]))
  return new LightReply(new Uint8Array(bytes), {
    headers: {
      ...headers,
      Vary: 'Accept-Encoding',
      'Content-Length': String(bytes.length),
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
  })
}

/** The compressed text; long ones are compressed in another thread. */
export function compress(json: string): Buffer | Promise<Buffer> {
  return json.length <= mostAtOnce
    ? gzipSync(json, { level: ownLevel })
    : gzipElsewhere(json, { level: ownLevel })
}
