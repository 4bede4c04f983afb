import { randomUUID } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'

/** The facts of a request that the log needs. */
interface Trace {
  /** Also sent in the reply, as `X-Request-Id`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly startedAt: number
}

const key = 'trace'

/** Gives a request an ID and records its start time. */
export function startTrace(c: HonoContext): Trace {
  const { method, path } = c.req
  const trace = { id: randomUUID(), method, path, startedAt: performance.now() }
  c.set(key, trace)
  return trace
}

export function traceOf(c: HonoContext): Trace {
  return c.get(key) as Trace
}

/** Tokens in URLs that grant access: links to invitations, exports, password resets ... */
const secret = /[0-9a-f]{32,}/gi

/** Logs one structured line per request, without parameters and with secrets in the path masked. */
export function logRequest({ log }: Pick<Context, 'log'>, trace: Trace, status: number): void {
  if (!log.isLevelEnabled('info')) return
  const { id, method, path, startedAt } = trace
  const ms = Math.round(performance.now() - startedAt)
  log.info({ request: id, method, path: path.replace(secret, '***'), status, ms })
}
