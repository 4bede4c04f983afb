import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SystemContext } from '#platform/context.ts'
import type { ApiError } from '#platform/errors.ts'
import type { User } from '#platform/store/schema.ts'
import type { Caller } from './caller.ts'
import { type Later, park, type RepeatedCall, type ReplyForm } from './later.ts'
import { newTrace, type Trace } from './log.ts'
import { openRepeatedBill } from './pacing.ts'

/** A request that waited for its reply, as far as the next one on its connection is the same. */
export interface Repeatable {
  readonly server: SystemContext
  readonly requireCurrent: Caller['requireCurrent']
  /** The account as it was then: whatever changes in it makes another object. */
  readonly user: User
  /** The network address of the client. */
  readonly address: string
  readonly again: RepeatedCall
  readonly form: ReplyForm
  /** Makes the function that is `ParkedRequest.refusal`. */
  readonly refuser: (requestId: string) => () => ApiError | undefined
}

interface KnownPoll extends Repeatable {
  readonly rawHeaders: readonly string[]
  readonly path: string
  /** The URL up to the value of the parameter that changes, and what follows it. */
  readonly before: string
  readonly after: string
}

const known = new WeakMap<Socket, KnownPoll>()

/** A number that no check of the parameter refuses. */
const plainNumber = /^\d{1,9}$/

/** Remembers a request that waits, so that the client can repeat it at less cost. */
export function rememberPoll({ url = '', rawHeaders, socket }: IncomingMessage, now: Repeatable) {
  const name = `${now.again.param}=`
  const start = url.indexOf(name)
  // What is escaped could be the same parameter again.
  if (!/[?&]/.test(url.charAt(start - 1)) || /[%#]/.test(url)) return
  if (url.indexOf(now.again.param, start + 1) >= 0) return
  const next = url.indexOf('&', start)
  const path = url.slice(0, url.indexOf('?'))
  const before = url.slice(0, start + name.length)
  const after = next < 0 ? '' : url.slice(next)
  // Holding the connection's objects here would keep the first request as long as the connection.
  known.set(socket, { ...now, rawHeaders, path, before, after })
}

/**
 * Lets a request wait that repeats the one before on its connection: the same headers, and the same
 * URL but for one number. So the way to its endpoint, its credential and its other parameters are
 * known, and no part of the request is parsed again. Clients that poll do this with each event.
 *
 * Everything that may have changed is asked again: whether the account is the same in every field,
 * the organization active, the budget sufficient, and nobody else waiting; and at the reply, as for
 * each request that waits, whether the caller may still have it.
 *
 * @param server undefined: there is none at the moment
 * @returns false if it must take the usual way, where it is answered or refused
 */
export function repeatPoll(
  server: SystemContext | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const last = known.get(request.socket)
  if (!last || last.server !== server || request.method !== 'GET') return false
  const value = repeatedValue(last, request)
  if (value === undefined) return false
  // The strings of the first request serve all that follow.
  request.rawHeaders = last.rawHeaders as string[]
  const trace = newTrace('GET', last.path)
  try {
    return parkAgain(last, server, value, trace, response)
  } catch {
    return false
  }
}

function repeatedValue(
  last: KnownPoll,
  { url = '', rawHeaders }: IncomingMessage,
): number | undefined {
  const { before, after } = last
  if (!url.startsWith(before) || !url.endsWith(after)) return undefined
  const text = url.slice(before.length, url.length - after.length)
  if (!plainNumber.test(text) || rawHeaders.length !== last.rawHeaders.length) return undefined
  for (let i = 0; i < rawHeaders.length; i++) {
    if (rawHeaders[i] !== last.rawHeaders[i]) return undefined
  }
  return Number(text)
}

/** @throws ApiError, or anything else that the usual way has to meet as well */
function parkAgain(
  { user, requireCurrent, address, again, form, refuser, before }: KnownPoll,
  server: SystemContext,
  value: number,
  trace: Trace,
  response: ServerResponse,
): boolean {
  if (requireCurrent(server.store) !== user) return false
  const bill = openRepeatedBill(server, user, trace.spent)
  if (!bill) return false
  let later: Later | undefined
  try {
    later = bill.timed(() => again.run(value))
  } finally {
    // The usual way takes it again.
    if (!later) bill.charge(-1)
  }
  if (!later) return false
  bill.size(before.length)
  server.rateLimits.guesses.recognise(user.id, address)
  const refusal = refuser(trace.id)
  park(later, { server, outgoing: response, form, trace, rates: bill.headers(), refusal })
  return true
}
