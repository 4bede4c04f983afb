import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { ApiError, badRequest } from '#platform/errors.ts'
import { createTally } from '#platform/fairness/tally.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { networkOf, plainAddress } from './networks.ts'
import { failureJson } from './reply.ts'
import { countUnread } from './unread-replies.ts'

/**
 * The timeouts of a server whose connections are guarded. There is none for a whole request: a
 * large upload over a slow line may take long, as long as it makes progress.
 */
export function serverOptions({ headersMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  return {
    // Node makes each with its request, whatever the types of others are.
    ServerResponse: GuardedResponse as unknown as typeof ServerResponse,
    headersTimeout: headersMs,
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(headersMs, 5000),
  }
}

/** A response of a server whose connections are guarded. */
class GuardedResponse extends ServerResponse<IncomingMessage> {
  /** Its connection, once it is the first of those that wait there. */
  guarded: Connection | undefined

  /**
   * Announces that the connection closes if the answer begins while a body is being read: nobody
   * reads the rest of it. A body that nobody has begun to read is skipped, and the connection stays
   * open.
   */
  override writeHead(...args: never[]): this {
    if (!this.req.complete && this.req.readableDidRead) this.shouldKeepAlive = false
    return super.writeHead(...(args as unknown as Parameters<ServerResponse['writeHead']>))
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: GuardedResponse
}

interface Connection {
  readonly socket: Socket
  /** Requests without a complete answer, in their order: the first one is being worked on. */
  readonly waiting: Exchange[]
  /** When the body of the first request began to arrive; milliseconds of the process. */
  bodySince: number
  /** What the connection had received by then, in bytes. */
  bytesBefore: number
  /** The answer of the first request is no longer unread. */
  isRead(): void
}

type Connections = ReadonlyMap<Socket, Connection>

/**
 * Serves requests with `listener`, and ends connections that cost the server too much:
 *
 * - Requests of a connection are answered one after another, so a client that sends ahead and never
 *   reads makes the server keep one answer, not hundreds.
 * - What is no request gets an error in the envelope, such as 431 for headers that are too long.
 * - A body that makes no progress for a while, or is too slow on average, ends with 408.
 * - An answer that nobody reads ends the connection, sooner if a client has many of them.
 * - One address has a limited number of connections.
 *
 * A request that waits for its answer, such as a poll for events, may take any time.
 *
 * @param exempt addresses that may have any number of connections
 * @source RFC 9112, sections 9.3.2 "Pipelining" and 9.5 "Failures and Timeouts"
 */
export function guardConnections(
  http: Server,
  listener: RequestListener,
  limits: ConnectionLimits,
  exempt: BlockList,
): void {
  const connections = new Map<Socket, Connection>()
  const unread = countUnread(limits)
  const admit = limitAddresses(limits.perAddress, exempt)

  function receive(request: IncomingMessage, response: Exchange['response']): void {
    const { socket } = request
    const connection = connections.get(socket)
    // Node goes on with what it has read, hundreds of requests, after the connection is destroyed.
    if (!connection || socket.destroyed) return
    const ahead = connection.waiting.push({ request, response }) - 1
    if (ahead === 0) serveNext(connection)
    else if (ahead > limits.pipelined) socket.destroy()
  }

  function serveNext(connection: Connection): void {
    const { socket, waiting } = connection
    const [exchange] = waiting
    if (!exchange || socket.destroyed) return
    const { request, response } = exchange
    connection.bodySince = performance.now()
    connection.bytesBefore = socket.bytesRead
    response.guarded = connection
    response.on('prefinish', noteUnread)
    response.on('close', leave)
    listener(request, response)
  }

  // Thousands of requests wait, each with these, so they are no closures.

  /** From here on the whole answer is in memory. */
  function noteUnread(this: GuardedResponse): void {
    if (this.guarded) this.guarded.isRead = unread(this.req)
  }

  function leave(this: GuardedResponse): void {
    const { guarded } = this
    if (!guarded) return
    guarded.isRead()
    guarded.isRead = nothing
    // Not immediately: a hundred requests would be a hundred calls deep. Until then it keeps its
    // place, so that a request that comes meanwhile waits instead of being served twice.
    setImmediate(advance, guarded)
  }

  function advance(connection: Connection): void {
    connection.waiting.shift()
    serveNext(connection)
  }

  function forget(this: Socket): void {
    connections.delete(this)
  }

  http.on('request', receive as RequestListener)
  http.on('clientError', (error, socket) => onMalformed(connections, error, socket as Socket))
  http.on('connection', (socket) => {
    const leave = admit(socket)
    if (!leave) socket.destroy()
    else if (leave !== nothing) socket.on('close', leave)
  })
  // With HTTPS, requests come through another socket than the one that was accepted.
  http.on(http instanceof TlsServer ? 'secureConnection' : 'connection', (socket) => {
    if (socket.destroyed) return
    connections.set(socket, { socket, waiting: [], bodySince: 0, bytesBefore: 0, isRead: nothing })
    socket.on('close', forget)
  })
  http.timeout = limits.stallMs
  http.on('timeout', (socket) => onTimeout(connections, socket))
  const checking = setInterval(
    () => checkBodies(connections, limits),
    Math.min(limits.stallMs / 2, 5000),
  ).unref()
  http.once('close', () => clearInterval(checking))
}

function nothing(): void {}

/** Nothing has moved on this connection for `stallMs`, or `keepAliveMs` between requests. */
function onTimeout(connections: Connections, socket: Socket): void {
  onceRead(socket, () => {
    const exchange = connections.get(socket)?.waiting[0]
    if (!exchange || socket.writableLength > 0) socket.destroy()
    else if (isClientsTurn(exchange.request)) refuseSlow(socket, exchange)
  })
}

function checkBodies(connections: Connections, limits: ConnectionLimits): void {
  for (const connection of connections.values()) {
    const [exchange] = connection.waiting
    if (!exchange || exchange.request.complete) continue
    if (!isTooSlow(connection, exchange.request, limits)) continue
    onceRead(connection.socket, () => refuseSlow(connection.socket, exchange))
  }
}

function onMalformed(connections: Connections, error: NodeJS.ErrnoException, socket: Socket): void {
  const isReplying = (connections.get(socket)?.waiting.length ?? 0) > 0
  if (isReplying || !socket.writable) socket.destroy()
  else refuse(socket, malformed(error))
}

/**
 * Calls `end` unless data comes in this turn of the event loop: while the server was busy, it did
 * not read what clients sent.
 */
function onceRead(socket: Socket, end: () => void): void {
  const { bytesRead } = socket
  setImmediate(() => {
    if (socket.bytesRead === bytesRead && !socket.destroyed) end()
  })
}

/** Whether more of the body is to come, and the server has read everything so far. */
function isClientsTurn(request: IncomingMessage): boolean {
  return !request.complete && request.readableLength === 0
}

function isTooSlow(
  { socket, bodySince, bytesBefore }: Connection,
  request: IncomingMessage,
  { stallMs, bodyBytesPerSecond }: ConnectionLimits,
): boolean {
  const beyondGrace = performance.now() - bodySince - stallMs
  const received = socket.bytesRead - bytesBefore
  return isClientsTurn(request) && received < (beyondGrace / 1000) * bodyBytesPerSecond
}

/** Answers 408 unless an answer has begun, and closes the connection. */
function refuseSlow(socket: Socket, { response }: Exchange): void {
  if (response.headersSent) {
    socket.destroy()
    return
  }
  refuse(socket, new ApiError('REQUEST_TIMEOUT', 'The body of the request came too slowly.'))
}

/** What was wrong with what came instead of a request. @param error of Node's parser */
function malformed({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('REQUEST_HEADERS_TOO_LARGE', 'The headers of the request are too long.')
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new ApiError('REQUEST_TOO_LARGE', 'The extensions of a chunk are too long.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('REQUEST_TIMEOUT', 'The headers of the request came too slowly.')
  }
  return badRequest('This is not an HTTP request.')
}

/** Answers with an error, where no response exists or may be used, and closes the connection. */
function refuse(socket: Socket, error: ApiError): void {
  const body = failureJson(error)
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  // Not through the response, which still belongs to the handler that waits for the body.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** @returns counts a connection; undefined: there are too many, otherwise to call when it closes */
function limitAddresses(most: number, exempt: BlockList) {
  const counts = createTally()
  return (socket: Socket): (() => void) | undefined => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const version = isIP(address)
    if (version === 0 || exempt.check(address, version === 6 ? 'ipv6' : 'ipv4')) return nothing
    const network = networkOf(address)
    return counts.of(network) >= most ? undefined : counts.hold(network, 1)
  }
}
