import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import { getPath } from 'hono/utils/url'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { findRealm } from '#realm/queries.ts'
import { authenticate, authenticateByKey, notLoggedIn, requireAllowed } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { clientAddress } from './client-address.ts'
import { decode, unknownParams } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import { answerLater, comesLater, Later } from './later.ts'
import { logRequest, startTrace, traceOf } from './log.ts'
import { type RateLimits, rateLimitsOf } from './rate-limit.ts'
import { receiveFile } from './receive-file.ts'
import { answerJson, failure, type HeaderPairs, type RequestFacts, success } from './reply.ts'
import { defaultBodyLimit, type Input, readInput } from './request.ts'

/** The HTTP side of a server, before pages and files are added to it. */
export type App = Hono<{ Bindings: Partial<HttpBindings> }>

const preflight = cors({
  origin: '*',
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ],
  allowMethods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'],
  maxAge: 86_400,
})

const prefixes = ['/api/v1', '/json'] as const

/**
 * Puts endpoints on a Hono app: logging, CORS, authentication, rate limits, parameters, envelope
 * and errors, the same for all of them.
 */
export function mountEndpoints(server: Context, endpoints: readonly Endpoint[]): App {
  const limits = rateLimitsOf(server)
  const app: App = new Hono({ getPath: (request) => getPath(request).replace(/\/{2,}/g, '/') })
  app.use(async (c, next) => await logged(server, c, next))
  app.use(async (c, next) => await openOnly(server, c, next))
  // Preflights only: `answerJson` says the rest, at a fraction of what the middleware costs.
  app.options('/api/*', async (c, next) =>
    c.req.header('access-control-request-method') ? await preflight(c, next) : await next(),
  )
  const methods = new Map<string, string[]>()
  for (const endpoint of [...endpoints].sort(literalFirst)) {
    const handler = async (c: HonoContext) => await answer(server, limits, endpoint, c)
    for (const prefix of prefixes) app.on(endpoint.method, prefix + endpoint.path, handler)
    methods.set(endpoint.path, [...(methods.get(endpoint.path) ?? []), endpoint.method])
  }
  for (const [path, allowed] of methods) {
    const names = allowed.map((method) => method.toUpperCase())
    for (const prefix of prefixes) app.all(prefix + path, (c) => wrongMethod(c, names))
  }
  app.notFound((c) => failure(c, new ApiError('NOT_FOUND', 'Not found')))
  app.onError((error, c) => failure(c, asApiError(server, c, error)))
  return app
}

/** Routes are tried in order: `/messages/render` has to come before `/messages/:message_id`. */
function literalFirst(a: Endpoint, b: Endpoint): number {
  const rank = ({ path }: Endpoint) =>
    path.split('/').map((part) => (part.startsWith(':') ? (part.includes('{') ? 1 : 2) : 0))
  const [left, right] = [rank(a), rank(b)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

async function answer(
  server: Context,
  limits: RateLimits,
  endpoint: Endpoint,
  c: HonoContext,
): Promise<Response> {
  requireOrganization(server)
  const caller = callerOf(c, server, endpoint)
  if (endpoint.budget === 'login') limits.spend('login', clientAddress(server, c))
  else if (caller) limits.spend('api', String(caller.user.id))
  else limits.spend('anonymous', clientAddress(server, c))
  const path = c.req.param() as Record<string, string>
  const input = await readInput(c, path, endpoint.bodyLimit ?? defaultBodyLimit, endpoint.rawBody)
  const values = decode(endpoint.params, input.params)
  const headers: HeaderPairs = []
  const request = facts(server, limits, c, input, headers)
  const reply = await endpoint.run(caller as never, values as never, request)
  const ignored = unknownParams(endpoint.params, input.params)
  if (reply instanceof Later) return await answerLater(server, c, reply, ignored)
  return answerJson(c, 200, success(reply ?? undefined, ignored), headers)
}

/** What needs no account works with credentials that have become wrong, as a login has to. */
function callerOf(c: HonoContext, server: Context, endpoint: Endpoint): Caller | undefined {
  const { access } = endpoint
  if (access === 'key') return authenticateByKey(c, server)
  try {
    const caller = authenticate(c, server)
    if (!caller && access === 'user') throw notLoggedIn()
    if (caller) requireAllowed(caller, endpoint.forWebhookBots)
    return caller
  } catch (error) {
    if (access === 'anyone' && error instanceof ApiError) return undefined
    throw error
  }
}

/** @throws NOT_SET_UP until there is an organization that requests could be about */
function requireOrganization({ store }: Context): void {
  if (findRealm(store)) return
  throw new ApiError('NOT_SET_UP', 'This server is not set up yet: its first page does that.')
}

function facts(
  server: Context,
  limits: RateLimits,
  c: HonoContext,
  input: Input,
  headers: HeaderPairs,
): RequestFacts {
  return {
    server,
    files: input.files,
    body: input.body,
    receiveFile: (limit) => receiveFile(c, server.files, limit),
    header: (name) => c.req.header(name),
    get origin() {
      return server.config.externalUrl ?? new URL(c.req.url).origin
    },
    get address() {
      return clientAddress(server, c)
    },
    countGuess: (userId) => limits.spend('login', String(userId)),
    setHeader: (name, value) => void headers.push([name, value]),
  }
}

function wrongMethod(c: HonoContext, allowed: readonly string[]): Response {
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allowed.join(', ') })
  const error = new ApiError('METHOD_NOT_ALLOWED', 'Method Not Allowed')
  return failure(c, error, [['Allow', allowed.join(', ')]])
}

/** What is not an ApiError is our own bug: logged whole, answered without detail. */
function asApiError(server: Context, c: HonoContext, error: Error): ApiError {
  if (error instanceof ApiError) return error
  server.log.error({ request: traceOf(c).id, err: error }, 'request failed')
  return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error')
}

/** What answers for a deactivated organization too: nothing here is anybody's. */
const alwaysOpen =
  /^\/(control|health|dev\/reset|api|static\/.*|(api\/v1|json)\/(server_settings|openapi\.json))\/?$/

/** @throws REALM_DEACTIVATED */
async function openOnly(
  { store }: Context,
  c: HonoContext,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const isClosed = findRealm(store)?.deactivatedAt != null && !alwaysOpen.test(c.req.path)
  if (!isClosed) {
    await next()
    return undefined
  }
  const message = 'This organization is deactivated'
  const isApi = prefixes.some((prefix) => c.req.path.startsWith(`${prefix}/`))
  return isApi ? failure(c, new ApiError('REALM_DEACTIVATED', message)) : c.text(message, 403)
}

/** Logs each request when it is answered; one that waits logs itself. */
async function logged(server: Context, c: HonoContext, next: () => Promise<void>): Promise<void> {
  const trace = startTrace(c)
  await next()
  if (!comesLater(c.res)) logRequest(server, trace, c.res.status)
}
