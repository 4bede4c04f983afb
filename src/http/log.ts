import { randomUUID } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'

/** What the log says of a request. */
interface Trace {
  /** Also in the answer, as `X-Request-Id`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly startedAt: number
}

const key = 'trace'

/** Notes when a request came and gives it an id. */
export function startTrace(c: HonoContext): Trace {
  const { method, path } = c.req
  const trace = { id: randomUUID(), method, path, startedAt: performance.now() }
  c.set(key, trace)
  return trace
}

export function traceOf(c: HonoContext): Trace {
  return c.get(key) as Trace
}

/** What opens something for whoever knows it: links of invitations, of mail, of exports ... */
const secret = /[0-9a-f]{32,}/gi

/** One structured line for each request, without its parameters and secrets in its path. */
export function logRequest({ log }: Pick<Context, 'log'>, trace: Trace, status: number): void {
  if (!log.isLevelEnabled('info')) return
  const { id, method, path, startedAt } = trace
  const ms = Math.round(performance.now() - startedAt)
  log.info({ request: id, method, path: path.replace(secret, '***'), status, ms })
}
