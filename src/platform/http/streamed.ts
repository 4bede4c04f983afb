import type { Context as HonoContext } from 'hono'
import { routePath } from 'hono/route'
import type { SystemContext } from '#platform/context.ts'
import type { ApiError } from '#platform/errors.ts'
import { dialectOf } from './dialect.ts'
import { LightReply } from './light/reply.ts'
import { type HttpBindings, sentElsewhere } from './listener.ts'
import { logRequest, traceOf } from './log.ts'
import { commonHeaders, failureJson } from './reply.ts'

/** Takes the records of a streamed reply. */
export interface Sink {
  /**
   * Writes a record, or ends the stream where the caller has lost access.
   *
   * @param id after which the client can continue
   * @returns whether more may follow immediately; otherwise after `Source.resume`
   */
  write(data: string, id: number): boolean
  /** Writes a sign of life, or ends the stream as `write` does. */
  beat(): void
  end(): void
  fail(error: ApiError): void
}

/** The source of the records. */
export interface Source {
  /** The client has read what was written. */
  resume(): void
  /** The connection is closed. */
  close(): void
}

/** A streamed reply: server-sent events, started by `open`. */
export class StreamedReply {
  readonly open: (sink: Sink) => Source

  constructor(open: (sink: Sink) => Source) {
    this.open = open
  }
}

/** Writes text to a connection. */
interface Wire {
  /** @returns whether the client reads as fast as that */
  write(text: string): boolean
  end(): void
}

/** A comment, which clients skip. */
const sign = ':\n\n'

/**
 * How much a client may leave unread before nothing more is sent, in bytes; only without a socket.
 */
const mostUnread = 64 * 1024

/**
 * Begins a stream. Its length is unknown, and it ends with its connection. A sign of life is sent
 * immediately, so that a client can tell whether proxies let streams through.
 *
 * @param refusal the error to end with instead, if the caller has lost access meanwhile
 * @source WHATWG HTML, "Server-sent events"
 */
export function replyStreamed(
  server: SystemContext,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  streamed: StreamedReply,
  refusal: () => ApiError | undefined,
): Response {
  const headers = {
    ...commonHeaders(c),
    'Content-Type': 'text/event-stream',
    // Compressing proxies would hold records back.
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  }
  if (c.req.method === 'HEAD') return new LightReply(null, { headers })
  // Nothing that waits may keep the request: there are thousands.
  const inDialect = dialectOf(c)
  const speak = (wire: Wire) => sinkOf(server, inDialect, wire, refusal)
  const outgoing = c.env?.outgoing
  if (!outgoing) return streamWithoutSocket(c, headers, streamed, speak)
  const trace = traceOf(c)
  const route = routePath(c)
  outgoing.useChunkedEncodingByDefault = false
  outgoing.writeHead(200, { ...headers, Connection: 'close' })
  // By themselves, because what is kept of them is the string that was written, or else its parts.
  outgoing.cork()
  outgoing.flushHeaders()
  outgoing.write(sign)
  outgoing.uncork()
  const source = streamed.open(
    speak({ write: (text) => outgoing.write(text), end: () => void outgoing.end() }),
  )
  outgoing.on('drain', source.resume)
  outgoing.on('close', () => {
    source.close()
    logRequest(server, { trace, route, status: 200, isLater: true })
  })
  return sentElsewhere
}

function sinkOf(
  server: SystemContext,
  inDialect: (json: string) => string,
  wire: Wire,
  refusal: () => ApiError | undefined,
): Sink {
  let isOver = false

  function end(last = ''): void {
    if (isOver) return
    isOver = true
    if (last !== '') wire.write(last)
    wire.end()
  }

  const fail = (error: ApiError) => end(`event: refusal\ndata: ${failureJson(error)}\n\n`)

  function write(text: string): boolean {
    if (isOver) return false
    const refused = refusal()
    if (refused) {
      fail(refused)
      return false
    }
    const isRead = wire.write(text)
    // The last event has said so.
    if (server.directory.organization(server.store) !== 'open') end()
    return isRead && !isOver
  }

  return {
    write: (data, id) => write(`id: ${id}\ndata: ${inDialect(data)}\n\n`),
    beat: () => void write(sign),
    end: () => end(),
    fail: (error) => fail(refusal() ?? error),
  }
}

/** For programs that embed the server and call it directly. */
function streamWithoutSocket(
  c: HonoContext,
  headers: Readonly<Record<string, string>>,
  streamed: StreamedReply,
  speak: (wire: Wire) => Sink,
): Response {
  const encoder = new TextEncoder()
  const { signal } = c.req.raw
  let source: Source | undefined
  let isOver = false
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const wire: Wire = {
          write(text) {
            if (signal.aborted) return false
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end() {
            isOver = true
            if (!signal.aborted) controller.close()
            source?.close()
          },
        }
        wire.write(sign)
        source = streamed.open(speak(wire))
        if (isOver) source.close()
        signal.addEventListener('abort', () => {
          source?.close()
          controller.error(signal.reason)
        })
      },
      pull: () => source?.resume(),
      cancel: () => source?.close(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  )
  return new LightReply(body, { headers })
}
