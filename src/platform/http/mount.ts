import { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import { routePath } from 'hono/route'
import { getPath } from 'hono/utils/url'
import { type Context, ContextView, type SystemContext } from '#platform/context.ts'
import { ApiError, notLoggedIn } from '#platform/errors.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { noteDamage } from '#platform/store/damage.ts'
import { isDiskFull } from '#platform/store/disk-full.ts'
import type { Store } from '#platform/store/store.ts'
import { authenticate, authenticateByKey, renewSession, requireAllowed } from './authenticate.ts'
import { type Bodies, createBodies } from './bodies.ts'
import { type Caller, requireNotDeactivated, whileActive } from './caller.ts'
import { clientAddress } from './client-address.ts'
import { decode, requireIds, unknownParams } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import { errorPage, isVisit } from './error-page.ts'
import { extendedHeader } from './extended-errors.ts'
import { comesLater, Later, type RepeatedCall, type ReplyForm, replyLater } from './later.ts'
import { logRequest, startTrace, traceOf } from './log.ts'
import { originOf } from './origin.ts'
import { openPacedBill, pacedSubject, waitForTurn } from './pacing.ts'
import { createProtection, protect, protectionOf } from './protection.ts'
import { type Bill, billOf, freeBill } from './rate-limit.ts'
import { type Reception, receiveFile } from './receive-file.ts'
import { rememberingRouter } from './remembering-router.ts'
import { rememberPoll } from './repeated-polls.ts'
import {
  failure,
  type HeaderPairs,
  hasPieces,
  headersOf,
  isJsonReply,
  type RequestFacts,
  replyPieces,
  replySuccess,
  success,
  successPieces,
} from './reply.ts'
import { bodyLimitOf, expectedBytes, type Input, parseInput, receiveBody } from './request.ts'
import { finish, isSteps } from './stepping.ts'
import { replyStreamed, StreamedReply } from './streamed.ts'

/** The HTTP side of a server, before pages and files are added to it. */
export type App = Hono<{ Bindings: Partial<HttpBindings> }>

const preflight = cors({
  origin: (_origin, c) => protectionOf(c).api['Access-Control-Allow-Origin'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    extendedHeader,
    'Last-Event-ID',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ],
  allowMethods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'],
  maxAge: 86_400,
})

const prefixes = ['/api/v1', '/json'] as const

/** The endpoints and pages of an app. */
export interface ServedRoutes {
  readonly endpoints: readonly Endpoint[]
  /** Adds the pages served for a deactivated organization too: they show no organization data. */
  openPages(app: App, server: SystemContext): void
  /** Adds all other pages. @param server refuses writes while the organization is deactivated */
  pages(app: App, server: SystemContext): void
}

/**
 * Creates a Hono app with these pages, and with these endpoints under `/api/v1` and `/json`. All
 * endpoints share logging, CORS, authentication, rate limits, decoding, envelope and errors.
 */
export function createHttpApp(
  current: () => SystemContext,
  { endpoints, openPages, pages }: ServedRoutes,
): App {
  const server = new ContextView(current, () => current().store)
  const active = new ContextView(current, () => whileActive(current()))
  const app: App = new Hono({
    getPath: (request) => getPath(request).replace(/\/{2,}/g, '/'),
    router: rememberingRouter(),
  })
  const decideProtection = createProtection(server)
  const bodies = createBodies()
  app.use((c, next) => logged(current(), c, () => refused(c, decideProtection(c)) ?? next()))
  // Preflights only: `replyJson` sets the other headers at a fraction of the middleware's cost.
  app.options('/api/*', async (c, next) =>
    c.req.header('access-control-request-method') ? await preflight(c, next) : await next(),
  )
  openPages(app, server)
  mountEndpoints(app, current, bodies, endpoints)
  app.use(async (c, next) => closedReply(current(), c) ?? (await next()))
  pages(app, active)
  app.notFound((c) => refusal(current(), c, new ApiError('NOT_FOUND', 'Not found')))
  app.onError((error, c) => refusal(current(), c, asApiError(current(), traceOf(c).id, error)))
  return app
}

/** A failure in the envelope, or as a page for people. */
function refusal(
  server: SystemContext,
  c: HonoContext,
  error: ApiError,
): Response | Promise<Response> {
  const isForPeople = isVisit(c.req.method, c.req.path, c.req.header('accept'))
  return isForPeople
    ? errorPage(pageLanguage(c, server), error, headersOf(c, error))
    : failure(c, error)
}

function mountEndpoints(
  app: App,
  current: () => SystemContext,
  bodies: Bodies,
  endpoints: readonly Endpoint[],
): void {
  const byPath = new Map<string, Endpoint[]>()
  for (const endpoint of literalFirst(endpoints)) {
    const mounted = { endpoint, bodyLimit: bodyLimitOf(endpoint) }
    const handler = async (c: HonoContext) =>
      endpoint.takesHead && c.req.method === 'HEAD'
        ? c.body(null, 200)
        : await replyToRequest(current(), bodies, mounted, c)
    for (const prefix of prefixes) app.on(endpoint.method, prefix + endpoint.path, handler)
    byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint])
  }
  for (const [path, here] of byPath) {
    const names = here.map(({ method }) => method.toUpperCase())
    const isOpen = here.some(({ alwaysOpen }) => alwaysOpen)
    const takesHead = here.some((endpoint) => endpoint.takesHead)
    const handler = (c: HonoContext) =>
      (isOpen ? undefined : closedReply(current(), c)) ??
      (takesHead && c.req.method === 'HEAD' ? c.body(null, 200) : wrongMethod(c, names))
    for (const prefix of prefixes) app.all(prefix + path, handler)
  }
}

/** Hono tries routes in order: `/messages/render` must come before `/messages/:message_id`. */
function literalFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints
    .map((endpoint) => ({ endpoint, rank: rankOf(endpoint) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
    .map(({ endpoint }) => endpoint)
}

/** A digit for each part of the path: literal, with a pattern, anything. */
function rankOf({ path }: Endpoint): string {
  const rank = (part: string) => (part.startsWith(':') ? (part.includes('{') ? 1 : 2) : 0)
  return path.split('/').map(rank).join('')
}

interface MountedEndpoint {
  readonly endpoint: Endpoint
  /** In bytes. */
  readonly bodyLimit: number
}

/** Awaits only what is not available yet: a promise costs as much as a database query. */
async function replyToRequest(
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
  const reply = isSteps(returned)
    ? await finish(c, server, returned, () => void callerNow(server, endpoint, caller))
    : await returned
  const ignored = unknownParams(endpoint.params, input.params)
  if (reply instanceof Later) {
    const { again } = reply
    const refusal = refuser(server, traceOf(c).id, caller?.requireCurrent)
    return replyLater(server, c, reply, ignored, refusal, (form) => {
      if (again && caller) remember(server, c, caller, again, form)
    })
  }
  if (reply instanceof StreamedReply) {
    return replyStreamed(server, c, reply, refuser(server, traceOf(c).id, caller?.requireCurrent))
  }
  if (hasPieces(reply)) {
    const response = bill.timed(() => replyPieces(c, successPieces(reply, ignored), headers))
    bill.size(Number(response.headers.get('Content-Length')))
    return response
  }
  const json = bill.timed(() => success(reply ?? undefined, ignored))
  bill.size(json.length)
  return bill.timed(() => replySuccess(c, json, headers))
}

/** Public endpoints ignore wrong credentials: a client with an old key must be able to log in. */
function callerOf(c: HonoContext, server: SystemContext, endpoint: Endpoint): Caller | undefined {
  const { access } = endpoint
  if (access === 'key') return authenticateByKey(c, server)
  try {
    const caller = authenticate(c, server)
    if (!caller) requireOpen(server, access)
    if (caller) requireAllowed(caller, endpoint.forWebhookBots)
    return caller
  } catch (error) {
    if (access === 'anyone' && error instanceof ApiError) return undefined
    throw error
  }
}

/** @throws UNAUTHORIZED the endpoint is not for callers without credentials, or not at the moment */
function requireOpen({ directory, store }: SystemContext, access: Endpoint['access']): void {
  if (access === 'anyone') return
  if (access === 'spectator' && directory.allowsSpectators(store)) return
  throw notLoggedIn()
}

/**
 * The largest body of a request without valid credentials, in bytes: none of our forms is longer.
 */
const anonymousBodyLimit = 64 * 1024

/**
 * The caller once the whole request has arrived, which may be minutes after its headers: the
 * account or credential may be gone by then. Streamed bodies arrive later still; the writes that
 * follow them check again.
 *
 * @throws as `Caller.requireCurrent`
 */
function callerNow(
  server: SystemContext,
  { access, alwaysOpen }: Endpoint,
  caller: Caller | undefined,
): Caller | undefined {
  if (!alwaysOpen) requireNotDeactivated(server, server.store)
  if (!caller) {
    requireOpen(server, access)
    return undefined
  }
  try {
    caller.requireCurrent(server.store)
    return caller
  } catch (error) {
    if (access === 'anyone' && error instanceof ApiError) return undefined
    throw error
  }
}

/** Public endpoints act for nobody, even if a caller is logged in: logging in, for example. */
function storeFor(server: SystemContext, { access }: Endpoint, caller: Caller | undefined): Store {
  return caller && access !== 'anyone' ? caller.store : whileActive(server)
}

/**
 * Makes a function that returns the error for a caller who has lost access while waiting; undefined
 * if they have not. It must not throw: timers call it. It keeps neither the request nor the caller:
 * thousands wait at a time. A deactivated organization refuses nothing here, because the last event
 * says so.
 */
function refuser(
  server: SystemContext,
  requestId: string,
  requireCurrent: Caller['requireCurrent'] | undefined,
): () => ApiError | undefined {
  return requireCurrent ? () => refusalOf(server, requestId, requireCurrent) : () => undefined
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

function refusalOf(
  server: SystemContext,
  requestId: string,
  requireCurrent: Caller['requireCurrent'],
): ApiError | undefined {
  try {
    if (server.directory.organization(server.store) === 'open') requireCurrent(server.store)
    return undefined
  } catch (error) {
    return asApiError(server, requestId, error as Error)
  }
}

/** @throws NOT_SET_UP there is no organization yet */
function requireOrganization({ directory, store }: SystemContext): void {
  if (directory.organization(store) !== 'missing') return
  throw new ApiError(
    'NOT_SET_UP',
    'This server is not set up yet. Open its first page to set it up.',
  )
}

/** A class, as `RequestCaller`; handlers take methods out of it, so these are bound to it. */
class Facts implements RequestFacts {
  readonly server: Context
  readonly store: Store
  readonly files: RequestFacts['files']
  readonly body: Uint8Array
  readonly #c: HonoContext
  readonly #headers: HeaderPairs

  constructor(
    server: Context,
    store: Store,
    c: HonoContext,
    { files, body }: Input,
    headers: HeaderPairs,
  ) {
    this.server = server
    this.store = store
    this.files = files
    this.body = body
    this.#c = c
    this.#headers = headers
  }

  get receiveFile(): RequestFacts['receiveFile'] {
    return (reception, use) =>
      receiveFile(this.#c, this.server.files, charged(reception, billOf(this.#c)), use)
  }

  get signal(): AbortSignal {
    return this.#c.req.raw.signal
  }

  get header(): RequestFacts['header'] {
    return (name) => this.#c.req.header(name)
  }

  get origin(): string {
    return originOf(this.server, this.#c)
  }

  get address(): string {
    return clientAddress(this.server, this.#c)
  }

  get charge(): RequestFacts['charge'] {
    return (tokens) => billOf(this.#c).charge(tokens)
  }

  get guess(): RequestFacts['guess'] {
    return (account) => this.server.rateLimits.guesses.password(account, this.address)
  }

  get setHeader(): RequestFacts['setHeader'] {
    return (name, value) => void this.#headers.push([name, value])
  }
}

/** An upload pays for its bytes as they arrive, even if it is aborted. */
function charged({ limit, count }: Reception, bill: Bill): Reception {
  return {
    limit,
    count(bytes) {
      bill.size(bytes)
      count(bytes)
    },
  }
}

function wrongMethod(c: HonoContext, allowed: readonly string[]): Response {
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allowed.join(', ') })
  const error = new ApiError('METHOD_NOT_ALLOWED', 'Method Not Allowed')
  return failure(c, error, [['Allow', allowed.join(', ')]])
}

/**
 * Anything but an ApiError is a bug of ours, even if the client has gone: it is logged in full and
 * answered without details.
 */
function asApiError(server: SystemContext, request: string, error: Error): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) {
    server.log.error({ request, reason: error.message }, 'the disk is full')
    return new ApiError('STORAGE_FULL', 'The disk of the server is full; nothing was changed.')
  }
  noteDamage(server.store, error)
  server.log.error({ request, err: error }, 'request failed')
  return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error')
}

/** Answers REALM_DEACTIVATED, or a plain 403 for pages, while the organization is deactivated. */
function closedReply({ directory, store }: SystemContext, c: HonoContext): Response | undefined {
  if (directory.organization(store) !== 'deactivated') return undefined
  const message = 'This organization is deactivated'
  const isApi = prefixes.some((prefix) => c.req.path.startsWith(`${prefix}/`))
  return isApi ? failure(c, new ApiError('REALM_DEACTIVATED', message)) : c.text(message, 403)
}

/** Answers with an error, if there is one. */
function refused(c: HonoContext, error: ApiError | undefined): Promise<void> | undefined {
  if (!error) return undefined
  c.res = failure(c, error)
  return Promise.resolve()
}

/**
 * Protects and logs each response; `replyJson` protects its own, and `replyLater` logs the
 * requests that wait.
 */
async function logged(
  server: SystemContext,
  c: HonoContext,
  next: () => Promise<void>,
): Promise<void> {
  const trace = startTrace(c)
  await next()
  if (comesLater(c.res)) return
  if (!isJsonReply(c)) protect(c)
  const renewing = renewSession(c, server)
  if (renewing) await renewing
  logRequest(server, { trace, route: routePath(c), status: c.res.status })
}
