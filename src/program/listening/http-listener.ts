import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { HealthCheck } from '#platform/health/check.ts'
import type { ConnectionLimits } from '#platform/http/connection-limits.ts'
import { serverOptions } from '#platform/http/connections.ts'
import { type Challenges, keepCertificate } from './acme.ts'
import { type Certificate, type Watch, watchCertificate } from './certificate-files.ts'
import { certificateCheck } from './check.ts'
import { listen, listenOnSocket } from './listen.ts'
import type { Listening } from './options.ts'
import { createRedirects } from './redirects.ts'

/** Listens for requests. */
export interface HttpListener {
  readonly http: Server
  /** Its health checks. */
  readonly health: readonly HealthCheck[]
  /**
   * Listens, and keeps the certificate current.
   *
   * @returns the address: `https://127.0.0.1:9990`, or `unix:/run/parley.sock`
   * @throws Error a port or socket is taken, or a certificate cannot be used
   */
  open(place: { readonly host: string; readonly port: number }): Promise<string>
  /** Also listens on the loopback address if the main listener does not. @returns its origin */
  openPrivately(listener: RequestListener): Promise<string>
  /** Reads the certificate again, or asks for one again. */
  reload(): void
  /** Closes everything but `http`. */
  close(): void
}

interface Surroundings {
  readonly limits: ConnectionLimits
  /** The data folder. */
  readonly folder: string | undefined
  readonly clock: Clock
  readonly log: Logger
  /** The current origin of the server. */
  realmUrl(): string
}

/** How long a client may take to agree on encryption, in milliseconds. */
const handshakeMs = 10_000

export function createHttpListener(
  { tls, socket, redirectPort }: Listening,
  { limits, folder, clock, log, realmUrl }: Surroundings,
): HttpListener {
  const options = serverOptions(limits)
  const challenges: Challenges = new Map()
  const https = tls && createHttpsServer({ ...options, handshakeTimeout: handshakeMs })
  const http = https ?? createServer(options)
  const others: Server[] = []
  let current: Certificate | undefined
  let certificates: Watch = { look() {}, stop() {} }

  function startCertificates(): Watch {
    if (!tls) return certificates
    const use = (certificate: Certificate) => {
      https?.setSecureContext(certificate)
      current = certificate
    }
    if ('certFile' in tls) return watchCertificate(tls, { clock, log }, use)
    if (folder === undefined) throw new Error('Certificates need a data folder.')
    return keepCertificate(tls, { folder: join(folder, 'tls'), challenges, clock, log }, use)
  }

  async function openOther(server: Server, place: { host: string; port: number }): Promise<Server> {
    await listen(server, place)
    server.on('error', (error) => log.error({ err: error }, 'HTTP server'))
    others.push(server)
    return server
  }

  return {
    http,
    health: tls ? [certificateCheck(() => current)] : [],
    async open({ host, port }) {
      if (redirectPort !== undefined) {
        await openOther(createRedirects(realmUrl, challenges), { host, port: redirectPort })
      }
      certificates = startCertificates()
      if (socket !== undefined) {
        await listenOnSocket(http, socket)
        return `unix:${socket}`
      }
      await listen(http, { host, port })
      return `${tls ? 'https' : 'http'}://${named(host)}:${portOf(http)}`
    },
    async openPrivately(listener) {
      const server = await openOther(createServer(listener), { host: '127.0.0.1', port: 0 })
      return `http://127.0.0.1:${portOf(server)}`
    },
    reload: () => certificates.look(),
    close() {
      certificates.stop()
      for (const server of others) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

function named(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
