import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { workerPath } from '#features/web/web-client/views.ts'

/** A proxy before a server, through which a network comes and goes. */
export interface TestProxy {
  readonly url: string
  /** Refuses connections, and cuts those that are there. */
  cut(): Promise<void>
  /** Answers everything with this status itself. */
  fail(status: number): Promise<void>
  /** Passes everything on, as at the beginning. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** Starts one. Pages get no service worker from it: that would keep all their files. */
export async function startProxy(target: string): Promise<TestProxy> {
  let failure: number | undefined
  const proxy = createServer((asked, reply) => {
    const status = asked.url === workerPath ? 404 : failure
    if (status !== undefined) {
      reply.writeHead(status).end()
      return
    }
    const { method, headers } = asked
    const onward = request(target + asked.url, { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, reply, () => undefined)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  const listen = async (port: number) => {
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    return (proxy.address() as AddressInfo).port
  }
  const port = await listen(0)
  async function cut(): Promise<void> {
    if (!proxy.listening) return
    const closed = once(proxy, 'close')
    proxy.close()
    proxy.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async fail(status) {
      failure = status
    },
    async restore() {
      failure = undefined
      if (!proxy.listening) await listen(port)
    },
    close: cut,
  }
}
