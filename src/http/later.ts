import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'
import { type ApiError, badRequest } from '#errors.ts'
import { dialectOf } from './dialect.ts'
import { logRequest, traceOf } from './log.ts'
import { answerJson, commonHeaders, failure, failureJson, success } from './reply.ts'

/** Where an answer goes that comes later. Only the first one counts. */
interface Waiting {
  answer(members: object): void
  fail(error: ApiError): void
}

/** A reply that waits for something to happen. `wait` returns how to give it up unanswered. */
export class Later {
  readonly wait: (waiting: Waiting) => () => void

  constructor(wait: (waiting: Waiting) => () => void) {
    this.wait = wait
  }
}

/** Whether the answer is not known yet, but goes to the connection by itself. */
export function comesLater(response: Response): boolean {
  return response === RESPONSE_ALREADY_SENT
}

/**
 * Lets a request wait. There may be thousands of those at a time, each renewed with every event:
 * nothing is kept for one but its connection, and its answer goes straight there.
 */
export function answerLater(
  server: Context,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  later: Later,
  ignored: readonly string[],
): Response | Promise<Response> {
  const outgoing = c.req.method === 'GET' ? c.env?.outgoing : undefined
  if (!outgoing) return answerWithoutSocket(c, later, ignored)
  const trace = traceOf(c)
  const headers = commonHeaders(c)
  const spelled = dialectOf(c)
  const write = (status: number, json: string) => {
    if (outgoing.destroyed || outgoing.headersSent) return
    const body = spelled(json)
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    outgoing.end(body)
    logRequest(server, trace, status)
  }
  const giveUp = later.wait({
    answer: (members) => write(200, success(members, ignored)),
    fail: (error) => write(error.status, failureJson(error)),
  })
  outgoing.once('close', giveUp)
  return RESPONSE_ALREADY_SENT
}

function answerWithoutSocket(
  c: HonoContext,
  later: Later,
  ignored: readonly string[],
): Promise<Response> {
  const { signal } = c.req.raw
  return new Promise((resolve) => {
    const giveUp = later.wait({
      answer: (members) => resolve(answerJson(c, 200, success(members, ignored))),
      fail: (error) => resolve(failure(c, error)),
    })
    signal.addEventListener('abort', () => {
      giveUp()
      resolve(failure(c, badRequest('The request was aborted.')))
    })
  })
}
