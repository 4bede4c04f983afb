import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { LightReply } from './light/reply.ts'
import { LightRequest } from './light/request.ts'

/** The connection of a request, for code that writes to it directly. */
export interface HttpBindings {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The reply of code that writes to the connection itself. */
export const sentElsewhere = new LightReply(null)

type Handle = (request: Request, bindings: HttpBindings) => Response | Promise<Response>

/**
 * Passes requests to an app and writes its replies, as the adapter of `@hono/node-server` does. That
 * one extends classes of Node's HTTP client and so loads it at the start.
 *
 * @param handle the app's `fetch`; where it throws, the reply is an empty one with status 500
 */
export function listenerOf(handle: Handle, log: Logger): RequestListener {
  return async (incoming, outgoing) => {
    const url = urlOf(incoming)
    const reply =
      url === undefined
        ? new LightReply(null, { status: 400 })
        : await handled(handle, new LightRequest(url, incoming, outgoing), { incoming, outgoing })
    if (reply === sentElsewhere) return
    skipUnread(incoming, outgoing)
    try {
      await write(reply, outgoing)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && clientGone.test(String(error.code)))) {
        log.error({ err: error }, 'a reply could not be sent')
      }
      outgoing.destroy()
    }
  }
}

/** The codes of Node's errors for a client that went away, before or while it was written to. */
const clientGone = /^(?:ERR_STREAM_(?:PREMATURE_CLOSE|DESTROYED|UNABLE_TO_PIPE)|ECONNRESET|EPIPE)$/

async function handled(
  handle: Handle,
  request: Request,
  bindings: HttpBindings,
): Promise<Response> {
  try {
    return await handle(request, bindings)
  } catch {
    return new LightReply(null, { status: 500 })
  }
}

/** A host and a target that a parser of URLs would leave as they are. */
const plainHost = /^[a-z\d._-]+(?::[1-5]\d{4}|:[1-9]\d{3})?$/
const plainTarget = /^\/[\w\-.~!$&()*+,;=:@%/?]*$/
/** What may mean another folder in a path. */
const dots = /\/\.|%2e/i
/** A host of other characters could be a part of another URL. */
const possibleHost = /^[\w.:[\]-]+$/

/**
 * The absolute URL of a request.
 *
 * @returns undefined if its host or its target is malformed
 * @source RFC 9112, sections 3.2 and 3.3, "Request Target"
 */
function urlOf({ headers, socket, url: target = '' }: IncomingMessage): string | undefined {
  const { host = '' } = headers
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const url = target.startsWith('/') ? `${scheme}://${host}${target}` : target
  if (plainHost.test(host) && plainTarget.test(target) && !dots.test(target)) return url
  const isPossible = possibleHost.test(host) && /^(?:\/|https?:\/\/)[^\\?]*(?:\?|$)/.test(target)
  return isPossible && URL.canParse(url) ? new URL(url).href : undefined
}

/** How long the rest of a body that nobody wants may take to arrive, in milliseconds. */
const skippingMs = 500
/** How long it may be, in bytes. */
const mostSkipped = 64 * 1024 * 1024

/** Once the reply is sent, skips what is left of the body, or else closes the connection. */
function skipUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, socket } = incoming
  if (method === 'GET' || method === 'HEAD' || incoming.readableEnded) return
  outgoing.once('finish', () => {
    if (incoming.readableEnded || incoming.destroyed) return
    let left = mostSkipped
    const timer = setTimeout(() => socket.destroySoon(), skippingMs).unref()
    incoming.on('data', ({ length }: Buffer) => {
      left -= length
      if (left < 0) socket.destroySoon()
    })
    incoming.on('close', () => clearTimeout(timer))
    incoming.resume()
  })
}

async function write(reply: Response, outgoing: ServerResponse): Promise<void> {
  const light =
    reply instanceof LightReply
      ? reply
      : new LightReply(reply.body, { status: reply.status, headers: reply.headers })
  const { content, headers, status } = light
  if (content !== null && typeof content !== 'string' && !(content instanceof Uint8Array)) {
    outgoing.writeHead(status, headers.record)
    outgoing.flushHeaders()
    await pipeline(content, outgoing)
    return
  }
  const length = content === null ? 0 : Buffer.byteLength(content)
  if (!headers.has('Content-Length') && (content !== null || mayTellEmpty(status, outgoing))) {
    headers.set('Content-Length', String(length))
  }
  outgoing.writeHead(status, headers.record)
  // Nearly all are ASCII, which costs less to write so.
  outgoing.end(content ?? '', length === content?.length ? 'latin1' : 'utf8')
}

/** @source RFC 9110, section 8.6, "Content-Length" */
function mayTellEmpty(status: number, { req }: ServerResponse): boolean {
  return status !== 204 && status !== 304 && req.method !== 'HEAD'
}
