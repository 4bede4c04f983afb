import { Hono, type Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import { routePath } from 'hono/route'
import { getPath } from 'hono/utils/url'
import { ContextView, type SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { sentSentence } from '#translations/translate.ts'
import { asApiError } from './admission.ts'
import { renewSession } from './authenticate.ts'
import { type Bodies, createBodies } from './bodies.ts'
import { whileActive } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { errorPage, isVisit } from './error-page.ts'
import { extendedHeader } from './extended-errors.ts'
import { replyToRequest } from './handle.ts'
import { comesLater } from './later.ts'
import { LightReply, lightText } from './light/reply.ts'
import type { HttpBindings } from './listener.ts'
import { logRequest, startTrace, traceOf } from './log.ts'
import { createProtection, protect, protectionOf } from './protection.ts'
import { rememberingRouter } from './remembering-router.ts'
import { failure, headersOf, isJsonReply } from './reply.ts'
import { bodyLimitOf } from './request.ts'

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
  app.notFound((c) => refusal(current(), c, new ApiError('NOT_FOUND', sentSentence('Not found'))))
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
        ? new LightReply(null)
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
      (takesHead && c.req.method === 'HEAD' ? new LightReply(null) : wrongMethod(c, names))
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

function wrongMethod(c: HonoContext, allowed: readonly string[]): Response {
  if (c.req.method === 'OPTIONS')
    return new LightReply(null, { status: 204, headers: { Allow: allowed.join(', ') } })
  const error = new ApiError('METHOD_NOT_ALLOWED', sentSentence('Method Not Allowed'))
  return failure(c, error, [['Allow', allowed.join(', ')]])
}

/** Answers REALM_DEACTIVATED, or a plain 403 for pages, while the organization is deactivated. */
function closedReply({ directory, store }: SystemContext, c: HonoContext): Response | undefined {
  if (directory.organization(store) !== 'deactivated') return undefined
  const message = sentSentence('This organization is deactivated')
  const isApi = prefixes.some((prefix) => c.req.path.startsWith(`${prefix}/`))
  return isApi
    ? failure(c, new ApiError('REALM_DEACTIVATED', message))
    : lightText(message.english, 403)
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
