import { IncomingMessage } from 'node:http'
import type { Context as HonoContext } from 'hono'
import type { SystemContext } from '#platform/context.ts'
import { callerNow, callerOf, refuser, requireOrganization, storeFor } from './admission.ts'
import type { Bodies } from './bodies.ts'
import { type Caller, requireNotDeactivated } from './caller.ts'
import { clientAddress } from './client-address.ts'
import { decode, requireIds, unknownParams } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import { Facts } from './facts.ts'
import { Later, type RepeatedCall, type ReplyForm, replyLater } from './later.ts'
import type { HttpBindings } from './listener.ts'
import { traceOf } from './log.ts'
import { openPacedBill, pacedSubject, waitForTurn } from './pacing.ts'
import { billOf, freeBill } from './rate-limit.ts'
import { rememberPoll } from './repeated-polls.ts'
import { type HeaderPairs, replyMembers } from './reply.ts'
import { expectedBytes, parseInput, receiveBody } from './request.ts'
import { finish, isSteps } from './stepping.ts'
import { replyStreamed, StreamedReply } from './streamed.ts'

/**
 * The largest body of a request without valid credentials, in bytes: none of our forms is longer.
 */
const anonymousBodyLimit = 64 * 1024

export interface MountedEndpoint {
  readonly endpoint: Endpoint
  /** In bytes. */
  readonly bodyLimit: number
}

/**
 * Receives a request for an endpoint, runs it and replies. Awaits only what is not available yet: a
 * promise costs as much as a database query.
 *
 * @throws ApiError whatever the request is refused for
 */
export async function replyToRequest(
  server: SystemContext,
  bodies: Bodies,
  { endpoint, bodyLimit }: MountedEndpoint,
  c: HonoContext,
): Promise<Response> {
  if (!endpoint.alwaysOpen) requireNotDeactivated(server, server.store)
  requireOrganization(server)
  const announced = callerOf(c, server, endpoint)
  // A wrong key on a public endpoint has opened a bill already.
  if ((!announced && billOf(c) === freeBill) || endpoint.budget === 'login') {
    const budget = endpoint.budget === 'login' ? 'login' : 'anonymous'
    openPacedBill(c, server, budget, clientAddress(server, c))
  }
  const limit = announced ? bodyLimit : Math.min(bodyLimit, anonymousBodyLimit)
  const release = bodies.hold(pacedSubject(c), expectedBytes(c, limit, endpoint.rawBody))
  try {
    const arriving = receiveBody(c, limit, endpoint.rawBody)
    const body = arriving instanceof Promise ? await arriving : arriving
    billOf(c).size(c.req.url.length + body.byteLength)
    const turn = waitForTurn(c)
    if (turn) await turn
    return await replyNow(server, endpoint, c, announced, body)
  } finally {
    release()
  }
}

async function replyNow(
  server: SystemContext,
  endpoint: Endpoint,
  c: HonoContext,
  announced: Caller | undefined,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const bill = billOf(c)
  const path = c.req.param() as Record<string, string>
  const parsed = bill.timed(() => parseInput(c, path, body, endpoint.rawBody))
  const input = parsed instanceof Promise ? await parsed : parsed
  const caller = callerNow(server, endpoint, announced)
  const headers: HeaderPairs = []
  const request = new Facts(server, storeFor(server, endpoint, caller), c, input, headers)
  const returned = bill.timed(() => {
    requireIds(endpoint.params, path)
    const values = decode(endpoint.params, input.params)
    return endpoint.run(caller as never, values as never, request)
  })
  const check = () => void callerNow(server, endpoint, caller)
  const reply = isSteps(returned) ? await finish(c, server, returned, check) : await returned
  const ignored = unknownParams(endpoint.params, input.params)
  if (reply instanceof Later || reply instanceof StreamedReply) {
    const refusal = refuser(server, traceOf(c).id, caller?.requireCurrent)
    if (reply instanceof StreamedReply) return replyStreamed(server, c, reply, refusal)
    const { again } = reply
    return replyLater(server, c, reply, ignored, refusal, (form) => {
      if (again && caller) remember(server, c, caller, again, form)
    })
  }
  const made = replyMembers(c, reply ?? undefined, ignored, headers)
  return isSteps(made) ? await finish(c, server, made, check) : await made
}

/** Lets the caller ask for the same again by `repeatPoll`. Sessions may have to be renewed. */
function remember(
  server: SystemContext,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  { credential, requireCurrent, user }: Caller,
  again: RepeatedCall,
  form: ReplyForm,
): void {
  const incoming = c.env?.incoming
  if (credential !== 'key' || !(incoming instanceof IncomingMessage)) return
  const refuserOf = (requestId: string) => refuser(server, requestId, requireCurrent)
  const address = clientAddress(server, c)
  rememberPoll(incoming, { server, requireCurrent, user, address, again, form, refuser: refuserOf })
}
