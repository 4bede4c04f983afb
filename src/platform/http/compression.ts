import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { Context as HonoContext } from 'hono'
import { holdsSecret } from '#platform/compressible.ts'
import { ownLevel } from '#platform/shared-json.ts'

/** A shorter text is a packet or two, compressed or not; in characters. */
const leastLength = 2048
/** The main thread takes less than a millisecond to compress as much; in characters. */
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

/** The compressed text; long ones are compressed in another thread. */
export function compress(json: string): Buffer | Promise<Buffer> {
  return json.length <= mostAtOnce
    ? gzipSync(json, { level: ownLevel })
    : gzipElsewhere(json, { level: ownLevel })
}
