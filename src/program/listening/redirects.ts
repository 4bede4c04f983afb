import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Challenges } from './acme.ts'

const challengePath = '/.well-known/acme-challenge/'
/** How long a client may take for the headers of a request, in milliseconds. */
const headersMs = 10_000
const mostConnections = 1000

/**
 * Serves HTTP for clients that do not use HTTPS yet: redirects them to the server, whatever host
 * they name, and answers to the ACME server.
 *
 * @param target the origin to redirect to
 * @source RFC 8555, section 8.3, "HTTP Challenge"
 */
export function createRedirects(target: () => string, challenges: Challenges): Server {
  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: headersMs, keepAliveTimeout: 1000 },
    (request, response) => reply(request, response),
  )
  server.maxConnections = mostConnections
  return server

  function reply({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Connection', 'close')
    const proof = url.startsWith(challengePath)
      ? challenges.get(url.slice(challengePath.length))
      : undefined
    if (proof !== undefined) {
      response.setHeader('Content-Type', 'application/octet-stream').end(proof)
      return
    }
    // A request in the form for proxies names another host.
    const path = url.startsWith('/') ? url : '/'
    response.writeHead(308, { Location: target() + path, 'Content-Length': 0 }).end()
  }
}
