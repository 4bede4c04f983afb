import type { Context as HonoContext } from 'hono'
import { cors } from 'hono/cors'
import type { SystemContext } from '#platform/context.ts'
import { createBodies } from '#platform/http/bodies.ts'
import type { App } from '#platform/http/mount.ts'
import { pacedSubject, waitForTurn } from '#platform/http/pacing.ts'
import { billOf } from '#platform/http/rate-limit.ts'
import { expectedBytes, receiveBody } from '#platform/http/request.ts'
import { identify, refuseForeignPage } from './access.pages.ts'
import { endpointPath } from './assistant.ts'
import type { Serving } from './serving.actions.ts'

/** The largest request, in bytes: one with a file. */
const bodyLimit = 4 * 1024 * 1024

/** For programs in a page of the client's own machine; all others are refused. */
const preflight = cors({
  origin: (origin) => origin,
  allowMethods: ['GET', 'POST', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Last-Event-ID',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
  ],
  exposeHeaders: ['Mcp-Session-Id', 'WWW-Authenticate'],
  maxAge: 86_400,
})

/**
 * Serves assistants by the Model Context Protocol. Everything that speaks it is loaded with the first
 * request of someone who may use it.
 *
 * @source Model Context Protocol, "Transports", "Streamable HTTP"
 */
export function mountAssistants(app: App, server: SystemContext): void {
  const bodies = createBodies()
  let loading: Promise<Serving> | undefined
  const load = async () => {
    try {
      const { createServing } = await import('./serving.actions.ts')
      return createServing(server)
    } catch (error) {
      // The next request tries again.
      loading = undefined
      throw error
    }
  }
  app.use(endpointPath, async (c, next) => refuseForeignPage(c, server) ?? (await next()))
  app.use(endpointPath, preflight)
  app.all(endpointPath, async (c) => {
    const identified = identify(c, server)
    if (!('caller' in identified)) return identified
    const release = bodies.hold(pacedSubject(c), expectedBytes(c, bodyLimit, hasBody(c)))
    try {
      const body = await receiveBody(c, bodyLimit, hasBody(c))
      billOf(c).size(body.byteLength)
      await waitForTurn(c)
      loading ??= load()
      const serving = await loading
      identified.caller.requireCurrent(server.store)
      return unbuffered(await serving.answer(c.req.raw, body, identified))
    } finally {
      release()
    }
  })
}

/** Proxies must pass on what streams say as it comes. @source nginx, "ngx_http_proxy_module" */
function unbuffered(response: Response): Response {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) response.headers.set('X-Accel-Buffering', 'no')
  return response
}

const hasBody = ({ req }: HonoContext) => req.method === 'POST'
