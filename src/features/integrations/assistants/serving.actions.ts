import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type Server,
  type ServerEventBus,
  type SubscriptionsListenRequest,
} from '@modelcontextprotocol/server'
import type { SystemContext } from '#platform/context.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Identified } from './identified.actions.ts'
import { createProtocol } from './protocol.actions.ts'
import { followResources, mostFollowed } from './resources.actions.ts'
import { createSessions } from './sessions.ts'

export interface Serving {
  /**
   * Answers a request in whatever revision of the protocol it speaks.
   *
   * @param body what it sent; its own body is read already
   */
  answer(request: Request, body: Uint8Array, identified: Identified): Promise<Response>
}

/** The most calls in one request: revisions before 2025-06-18 have lists of them. */
const mostCalls = 10

/**
 * Serves the protocol. Since the revision 2026-07-28, and for clients that leave out the handshake, no
 * request needs anything of an earlier one; a client that begins with `initialize` has a session,
 * because only there can it be asked for something, and hear of changes.
 *
 * @param create makes what answers a request, or those of a session
 */
export function createServing(
  server: SystemContext,
  create: (server: SystemContext) => Server = createProtocol,
): Serving {
  const onerror = (error: Error) => server.log.debug({ err: error }, 'assistant')
  const make = () => create(server)
  const asking = new AsyncLocalStorage<Listening>()
  const modern = createMcpHandler(make, { legacy: 'reject', onerror, bus: changesFor(asking) })
  const stateless = legacyStatelessFallback(make, onerror)
  const sessions = createSessions(server.clock, make)

  return {
    async answer(request, body, identified) {
      const authInfo = { token: '', clientId: '', scopes: [], extra: { identified } }
      if (request.method !== 'POST') {
        const session = sessions.find(request, identified.assistant)
        return session?.handleRequest(request, { authInfo }) ?? sessions.refusal(request)
      }
      const parsedBody = parsed(body)
      if (parsedBody === undefined) return refusal(400, -32700, 'Parse error: not valid JSON')
      const calls = Array.isArray(parsedBody) ? parsedBody : [parsedBody]
      if (calls.length > mostCalls) {
        return refusal(400, -32600, `Invalid request: more than ${mostCalls} calls at a time`)
      }
      identified.charge(calls.length - 1)
      const options = { authInfo, parsedBody }
      if (!(await isLegacyRequest(request, parsedBody))) {
        const listening = { caller: identified.caller, uris: subscribedIn(parsedBody) }
        return await asking.run(listening, () => modern.fetch(request, options))
      }
      if (request.headers.has('mcp-session-id')) {
        const session = sessions.find(request, identified.assistant)
        return session?.handleRequest(request, options) ?? sessions.refusal(request)
      }
      if (!calls.some(isInitializeRequest)) return await stateless(request, options)
      const session = await sessions.open(identified.assistant)
      return await session.handleRequest(request, options)
    },
  }
}

/** Who listens to changes, and which resources they name. */
interface Listening {
  readonly caller: Caller
  readonly uris: ReadonlySet<string>
}

/** Each listener hears only of what its caller may read at that moment. */
function changesFor(asking: AsyncLocalStorage<Listening>): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const { caller, uris } = asking.getStore() ?? {}
      if (!caller || !uris || uris.size === 0) return () => {}
      return followResources(caller, uris, (uri) => listener({ kind: 'resource_updated', uri }))
    },
  }
}

/** @source Model Context Protocol, 2026-07-28, `subscriptions/listen` */
function subscribedIn(body: unknown): Set<string> {
  const { params } = body as SubscriptionsListenRequest
  const uris = params?.notifications?.resourceSubscriptions
  const named = Array.isArray(uris) ? uris : []
  return new Set(named.slice(0, mostFollowed).filter((uri) => typeof uri === 'string'))
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
