import { randomUUID } from 'node:crypto'
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Clock } from '#platform/clock.ts'
import type { Assistant } from './assistant.ts'
import { createReplay } from './replay.ts'

interface Session {
  readonly userId: number
  readonly connectionId: number | undefined
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
}

/** The sessions of clients that speak a revision before 2026-07-28. */
export interface Sessions {
  /** A new one; if its user has too many, the one that was not used for longest ends. */
  open(assistant: Assistant): Promise<WebStandardStreamableHTTPServerTransport>
  /** The one that a request names, if it belongs to this assistant. */
  find(request: Request, assistant: Assistant): WebStandardStreamableHTTPServerTransport | undefined
  /** The answer to a request that needs a session and names none that is there. */
  refusal(request: Request): Response
}

/** The most sessions of a user, and of all together. */
const most = { perUser: 20, total: 1000 } as const
/** How long a session without requests lasts, in milliseconds. */
const lifespan = 3_600_000

/** @param make makes what answers the requests of a session */
export function createSessions(clock: Clock, make: () => Server): Sessions {
  const sessions = new Map<string, Session>()

  function end(id: string): void {
    const session = sessions.get(id)
    sessions.delete(id)
    void session?.transport.close()
  }

  /** Ends those that are over. Sessions are in the order of their last use. */
  function makeRoom(userId: number): void {
    const oldest = clock.now() - lifespan
    const own: string[] = []
    for (const [id, session] of sessions) {
      if (session.usedAt < oldest) end(id)
      else if (session.userId === userId) own.push(id)
    }
    for (const id of own.slice(0, Math.max(0, own.length - most.perUser + 1))) end(id)
    for (const id of sessions.keys()) if (sessions.size >= most.total) end(id)
  }

  return {
    async open({ userId, connectionId }) {
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized(id) {
          makeRoom(userId)
          sessions.set(id, { userId, connectionId, transport, usedAt: clock.now() })
        },
        onsessionclosed: end,
        eventStore: createReplay(),
        retryInterval: 1000,
      })
      await make().connect(transport)
      return transport
    },
    find({ headers }, { userId, connectionId }) {
      const id = headers.get('mcp-session-id') ?? ''
      const session = sessions.get(id)
      if (session?.userId !== userId || session.connectionId !== connectionId) return undefined
      session.usedAt = clock.now()
      sessions.delete(id)
      sessions.set(id, session)
      return session.transport
    },
    refusal({ headers }) {
      const [status, message] = headers.has('mcp-session-id')
        ? [404, 'Session not found: begin with initialize']
        : [405, 'Method not allowed: there is no session']
      const error = { code: -32000, message }
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status })
    },
  }
}
