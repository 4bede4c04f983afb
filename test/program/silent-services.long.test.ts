import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Config } from '#platform/config.ts'
import { createServer } from '#program/server.ts'
import { eventually, within } from '#test/support/eventually.ts'
import { s3Key } from '#test/support/s3.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-silent-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** A server that takes connections and never answers. */
async function silentServer() {
  const sockets: Socket[] = []
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    tcp.close()
  })
  return { port: (tcp.address() as AddressInfo).port, sockets }
}

interface Waiting {
  config(port: number): Partial<Config>
  /** Makes the server ask; it may do so by itself. */
  begin?(server: TestServer): Promise<unknown>
}

const kinds: Readonly<Record<string, Waiting>> = {
  'a mail server': {
    config: (port) => ({ keepMail: false, smtpUrl: `smtp://127.0.0.1:${port}` }),
    begin: (server) =>
      server.as('owner').post('/invites', { invitee_emails: 'new@example.com', stream_ids: [] }),
  },
  S3: {
    config: (port) => ({
      backups: {
        to: 's3://vault/chat',
        hours: 6,
        keep: 2,
        archives: false,
        s3: { endpoint: `http://127.0.0.1:${port}`, ...s3Key },
      },
    }),
  },
}

for (const [what, { config, begin }] of Object.entries(kinds)) {
  test(`a server that waits for ${what} without an answer stops in order, and starts again`, async () => {
    const { port, sockets } = await silentServer()
    const data = join(root, `data-${port}`)
    const server = await startServer({ data, config: config(port) })
    const asking = begin?.(server).catch(() => {})
    await eventually(() => sockets.length > 0, true)
    await within(server.close(), 'the server stops')
    await asking
    const again = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
    assert.equal(
      (await again.fetch(new Request(`${again.url}/api/v1/server_settings`))).status,
      200,
    )
    await again.close()
  })
}
