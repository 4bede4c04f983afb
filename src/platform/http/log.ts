import { randomFillSync } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import type { Logger } from 'pino'
import { rounded } from '#platform/log/slow.ts'
import type { Meters } from '#platform/metrics/meters.ts'

/** The cost of a request: times in milliseconds. */
export interface Spent {
  /** Waiting for its turn while other requests had theirs. */
  turnMs: number
  /** In its handler and in the functions of its writes, with nothing else going on. */
  workMs: number
  /** From its writes until they are on disk, with other writes of the same commits. */
  commitMs: number
  /** The size of its body and its reply. */
  bytes: number
}

/** The facts of a request that the log needs. */
export interface Trace {
  /** Also sent in the reply, as `X-Request-Id`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly startedAt: number
  readonly spent: Spent
}

const key = 'trace'

/** Gives a request an ID and records its start time. */
export function startTrace(c: HonoContext): Trace {
  const trace = newTrace(c.req.method, c.req.path)
  c.set(key, trace)
  return trace
}

export function newTrace(method: string, path: string): Trace {
  const spent = { turnMs: 0, workMs: 0, commitMs: 0, bytes: 0 }
  return { id: newId(), method, path, startedAt: performance.now(), spent }
}

/** Shorter than anything secret, which logs never show. */
const idBytes = 12
/** Random bytes for the next IDs. */
const drawn = Buffer.alloc(512 * idBytes)
let used = drawn.length

/** Not a UUID: Node puts that together from twenty strings, which are all kept while a poll waits. */
function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const from = used
  used += idBytes
  return drawn.toString('hex', from, used)
}

export function traceOf(c: HonoContext): Trace {
  return c.get(key) as Trace
}

/** Tokens in URLs that grant access: links to invitations, exports, password resets ... */
const secret = /[0-9a-f]{32,}/gi

/** A request is logged as slow if the server itself took this long, in milliseconds. */
const slowMs = 500

interface LoggedReply {
  readonly trace: Trace
  /** The pattern of the path that was matched. */
  readonly route: string
  readonly status: number
  /** Whether it waited for something to happen. */
  readonly isLater?: boolean
}

/**
 * Counts a request, and logs one structured line, without parameters and with secrets in the path
 * masked; if it was slow, logs another line with the cause.
 */
export function logRequest(
  { log, meters }: { readonly log: Logger; readonly meters: Meters },
  { trace, route, status, isLater = false }: LoggedReply,
): void {
  const { id, method, path, startedAt, spent } = trace
  const ms = performance.now() - startedAt
  meters.request({ method, route, status, ms: isLater ? undefined : ms })
  const { turnMs, workMs, commitMs } = spent
  if (turnMs + workMs + commitMs >= slowMs) {
    const times = rounded({ ms, turnMs, workMs, commitMs })
    log.warn({ request: id, method, route, status, ...times, bytes: spent.bytes }, 'slow request')
  }
  if (!log.isLevelEnabled('info')) return
  log.info({ request: id, method, path: path.replace(secret, '***'), status, ms: Math.round(ms) })
}
