import type { ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'
import { routePath } from 'hono/route'
import type { Context } from '#platform/context.ts'
import { type ApiError, badRequest } from '#platform/errors.ts'
import { dialectOf } from './dialect.ts'
import { type HttpBindings, sentElsewhere } from './listener.ts'
import { logRequest, type Trace, traceOf } from './log.ts'
import { billOf } from './rate-limit.ts'
import { failure, failureJson, fixedHeaders, replyJson, success, wantsExtended } from './reply.ts'

/** Receives a reply that comes later. Only the first call has an effect. */
interface ReplyReceiver {
  reply(members: object): void
  fail(error: ApiError): void
}

/** How a client asks for the next reply of this kind. */
export interface RepeatedCall {
  /** The only parameter that changes: an integer of the query string. */
  readonly param: string
  /**
   * Does what the endpoint would do.
   *
   * @returns undefined if the reply cannot wait, so that the endpoint has to be asked
   */
  run(value: number): Later | undefined
}

/** A reply that waits for something to happen. `wait` returns a function that cancels it. */
export class Later {
  readonly wait: (waiting: ReplyReceiver) => () => void
  readonly again: RepeatedCall | undefined

  constructor(wait: (waiting: ReplyReceiver) => () => void, again?: RepeatedCall) {
    this.wait = wait
    this.again = again
  }
}

/** Whether the reply will be written to the connection later. */
export function comesLater(response: Response): boolean {
  return response === sentElsewhere
}

/** What the replies to a client have in common, however often it asks for the same. */
export interface ReplyForm {
  /** The pattern of the path that was matched. */
  readonly route: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly inDialect: (json: string) => string
  /** As `wantsExtended` says. */
  readonly isExtended: boolean
  /** The names of the parameters that are ignored. */
  readonly ignored: readonly string[]
}

/** A request that waits. */
export interface ParkedRequest {
  readonly server: Context
  readonly outgoing: ServerResponse
  readonly form: ReplyForm
  readonly trace: Trace
  /** The headers that say how much the caller may still ask. */
  readonly rates: Readonly<Record<string, string>>
  /** The error to reply with instead, if the caller has lost access while waiting. */
  readonly refusal: () => ApiError | undefined
}

/**
 * Lets a request wait. Thousands may wait at a time, each renewed with every event, so this keeps
 * only the connection of each, and writes the reply directly to it.
 *
 * @param refusal as of `ParkedRequest`
 * @param remember is told the form of the reply, if it will be written directly
 */
export function replyLater(
  server: Context,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  later: Later,
  ignored: readonly string[],
  refusal: () => ApiError | undefined,
  remember: (form: ReplyForm) => void,
): Response | Promise<Response> {
  const outgoing = c.req.method === 'GET' ? c.env?.outgoing : undefined
  if (!(outgoing && 'req' in outgoing)) return replyWithoutSocket(c, later, ignored, refusal)
  const form = {
    route: routePath(c),
    headers: Object.entries(fixedHeaders(c)).flat(),
    inDialect: dialectOf(c),
    isExtended: wantsExtended(c),
    ignored,
  }
  const trace = traceOf(c)
  remember(form)
  park(later, {
    server,
    outgoing: outgoing as ServerResponse,
    form,
    trace,
    rates: billOf(c).headers(),
    refusal,
  })
  return sentElsewhere
}

/** Lets a request wait, and writes the reply directly to its connection. */
export function park(later: Later, parked: ParkedRequest): void {
  parked.outgoing.on('close', later.wait(new ParkedReply(parked)))
}

/** A class, because thousands wait. */
class ParkedReply implements ReplyReceiver {
  readonly #parked: ParkedRequest

  constructor(parked: ParkedRequest) {
    this.#parked = parked
  }

  /** Asks, at the moment of the reply, whether the caller may still have it. */
  reply(members: object): void {
    const refused = this.#parked.refusal()
    if (refused) this.#refuse(refused)
    else this.#write(200, success(members, this.#parked.form.ignored))
  }

  fail(error: ApiError): void {
    this.#refuse(this.#parked.refusal() ?? error)
  }

  #refuse(error: ApiError): void {
    this.#write(error.status, failureJson(error, this.#parked.form.isExtended))
  }

  #write(status: number, json: string): void {
    const { server, outgoing, form, trace, rates } = this.#parked
    if (outgoing.destroyed || outgoing.headersSent) return
    const body = form.inDialect(json)
    const size = Buffer.byteLength(body)
    const headers = [...form.headers, 'X-Request-Id', trace.id]
    for (const name in rates) headers.push(name, rates[name] ?? '')
    headers.push('Content-Length', String(size))
    outgoing.writeHead(status, headers)
    // Nearly all are ASCII, which costs less to write so.
    outgoing.end(body, size === body.length ? 'latin1' : 'utf8')
    logRequest(server, { trace, route: form.route, status, isLater: true })
  }
}

function replyWithoutSocket(
  c: HonoContext,
  later: Later,
  ignored: readonly string[],
  refusal: () => ApiError | undefined,
): Promise<Response> {
  const { signal } = c.req.raw
  return new Promise((resolve) => {
    const fail = (error: ApiError) => resolve(failure(c, refusal() ?? error))
    const reply = (members: object) => {
      const refused = refusal()
      resolve(refused ? failure(c, refused) : replyJson(c, 200, success(members, ignored)))
    }
    const giveUp = later.wait({ reply, fail })
    signal.addEventListener('abort', () => {
      giveUp()
      resolve(failure(c, badRequest('The request was aborted.')))
    })
  })
}
