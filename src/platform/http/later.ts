import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context as HonoContext } from 'hono'
import { routePath } from 'hono/route'
import type { Context } from '#platform/context.ts'
import { type ApiError, badRequest } from '#platform/errors.ts'
import { dialectOf } from './dialect.ts'
import { logRequest, traceOf } from './log.ts'
import { answerJson, commonHeaders, failure, failureJson, success } from './reply.ts'

/** Receives a reply that comes later. Only the first call has an effect. */
interface Waiting {
  answer(members: object): void
  fail(error: ApiError): void
}

/** A reply that waits for something to happen. `wait` returns a function that cancels it. */
export class Later {
  readonly wait: (waiting: Waiting) => () => void

  constructor(wait: (waiting: Waiting) => () => void) {
    this.wait = wait
  }
}

/** Whether the reply will be written to the connection later. */
export function comesLater(response: Response): boolean {
  return response === RESPONSE_ALREADY_SENT
}

/**
 * Lets a request wait. Thousands may wait at a time, each renewed with every event, so this keeps
 * only the connection of each, and writes the reply directly to it.
 *
 * @param refusal the error to reply with instead, if the caller has lost access while waiting
 */
export function answerLater(
  server: Context,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  later: Later,
  ignored: readonly string[],
  refusal: () => ApiError | undefined,
): Response | Promise<Response> {
  const outgoing = c.req.method === 'GET' ? c.env?.outgoing : undefined
  if (!outgoing) return answerWithoutSocket(c, later, ignored, refusal)
  const trace = traceOf(c)
  const route = routePath(c)
  const headers = commonHeaders(c)
  const inDialect = dialectOf(c)
  const write = (status: number, json: string) => {
    if (outgoing.destroyed || outgoing.headersSent) return
    const body = inDialect(json)
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    outgoing.end(body)
    logRequest(server, { trace, route, status, isLater: true })
  }
  const fail = (error: ApiError) => write(error.status, failureJson(error))
  const answer = (members: object) => write(200, success(members, ignored))
  const giveUp = later.wait(refusing({ answer, fail }, refusal))
  outgoing.once('close', giveUp)
  return RESPONSE_ALREADY_SENT
}

/** Asks, at the moment of the reply, whether the caller may still have it. */
function refusing({ answer, fail }: Waiting, refusal: () => ApiError | undefined): Waiting {
  return {
    answer(members) {
      const refused = refusal()
      if (refused) fail(refused)
      else answer(members)
    },
    fail: (error) => fail(refusal() ?? error),
  }
}

function answerWithoutSocket(
  c: HonoContext,
  later: Later,
  ignored: readonly string[],
  refusal: () => ApiError | undefined,
): Promise<Response> {
  const { signal } = c.req.raw
  return new Promise((resolve) => {
    const fail = (error: ApiError) => resolve(failure(c, error))
    const answer = (members: object) => resolve(answerJson(c, 200, success(members, ignored)))
    const giveUp = later.wait(refusing({ answer, fail }, refusal))
    signal.addEventListener('abort', () => {
      giveUp()
      resolve(failure(c, badRequest('The request was aborted.')))
    })
  })
}
