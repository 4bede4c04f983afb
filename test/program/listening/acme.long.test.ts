import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { globalAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { manualClock } from '#platform/clock.ts'
import { keepCertificate } from '#program/listening/acme.ts'
import { shownCertificate } from '#test/support/certificates.ts'
import { freePort } from '#test/support/free-port.ts'
import { noPebble, type Pebble, startPebble } from '#test/support/pebble.ts'
import { programArguments } from '#test/support/programs.ts'
import { startServer } from '#test/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-acme-'))
after(() => rmSync(folder, { recursive: true }))

const domain = 'chat.example.test'
const obtained = 'a new certificate was obtained'
const refused = 'no certificate could be obtained'
const day = 24 * 3600_000
const hour = 3600_000

/** A server in this process, with a certificate of the ACME server. */
async function startHere(pebble: Pebble, data: string, email?: string) {
  const messages: string[] = []
  let wake = () => {}
  const write = (line: string) => {
    messages.push((JSON.parse(line) as { msg: string }).msg)
    wake()
  }
  // What NODE_EXTRA_CA_CERTS does for a process of its own.
  globalAgent.options.ca = readFileSync(pebble.certFile)
  const port = await freePort()
  const server = await startServer({
    socket: true,
    data: join(folder, data),
    port,
    log: pino({ level: 'info' }, { write }),
    listening: {
      tls: { domain, email, directory: pebble.directory },
      redirectPort: pebble.httpPort,
    },
  })
  return {
    server,
    shown: () => shownCertificate(port),
    /** Waits until the log has said so as often. */
    async said(message: string, times: number): Promise<void> {
      while (messages.filter((each) => each === message).length < times) {
        await new Promise<void>((done) => {
          wake = done
        })
      }
    },
  }
}

describe('a certificate by ACME', { skip: noPebble }, () => {
  test('is obtained from the server, kept, and used again after a restart', async () => {
    const pebble = await startPebble(folder)
    const { httpPort, directory, certFile } = pebble
    const [port, data] = [await freePort(), join(folder, 'kept')]
    const running = new Set<ReturnType<typeof spawn>>()
    const start = async () => {
      const options = [
        ...['--data', data, '--domain', domain, '--host', '127.0.0.1'],
        ...['--port', String(port), '--http-port', String(httpPort), '--acme-directory', directory],
      ]
      const child = spawn(
        process.execPath,
        [...programArguments('src/main.ts'), 'serve', ...options],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, NODE_EXTRA_CA_CERTS: certFile },
        },
      )
      running.add(child)
      const log = { text: '' }
      child.stderr.on('data', (part: Buffer) => {
        log.text += part
      })
      await once(child.stdout, 'data')
      return { child, log }
    }
    const stop = async ({ child }: Awaited<ReturnType<typeof start>>) => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    try {
      const server = await start()
      while (!server.log.text.includes(obtained) && !server.log.text.includes(refused)) {
        await once(server.child.stderr, 'data')
      }
      assert.doesNotMatch(server.log.text, new RegExp(refused))
      const shown = await shownCertificate(port)
      assert.equal(shown.subjectaltname, `DNS:${domain}`)
      const { headers } = await fetch(`http://127.0.0.1:${httpPort}/login`, { redirect: 'manual' })
      assert.equal(headers.get('location'), `https://${domain}:${port}/login`)
      const folderOfKeys = join(data, 'tls')
      assert.deepEqual(readdirSync(folderOfKeys).sort(), ['account.pem', `${domain}.json`])
      for (const name of readdirSync(folderOfKeys)) {
        assert.equal(statSync(join(folderOfKeys, name)).mode & 0o777, 0o600)
      }
      await stop(server)
      pebble.stop()
      const again = await start()
      assert.equal((await shownCertificate(port)).fingerprint256, shown.fingerprint256)
      await stop(again)
    } finally {
      pebble.stop()
      for (const child of running) child.kill()
    }
  })

  for (const email of [undefined, 'ops@example.com']) {
    test(`is renewed after two thirds of its lifetime, without a restart, for ${email ?? 'nobody'}`, async () => {
      const pebble = await startPebble(folder)
      const { server, shown, said } = await startHere(pebble, `renewed for ${email}`, email)
      try {
        await said(obtained, 1)
        const first = await shown()
        const [from, to] = [Date.parse(first.valid_from), Date.parse(first.valid_to)]
        server.clock.jump(from + ((to - from) * 2) / 3 - day - server.clock.now())
        server.clock.advance(hour)
        assert.equal((await shown()).fingerprint256, first.fingerprint256)
        server.clock.jump(day)
        server.clock.advance(hour)
        await said(obtained, 2)
        assert.notEqual((await shown()).fingerprint256, first.fingerprint256)
      } finally {
        pebble.stop()
        await server.close()
      }
    })
  }

  test('that was damaged on the disk does not keep the server from starting: it gets another', async () => {
    const pebble = await startPebble(folder)
    const first = await startHere(pebble, 'damaged')
    await first.said(obtained, 1)
    await first.server.close()
    for (const name of ['account.pem', `${domain}.json`]) {
      writeFileSync(join(folder, 'damaged', 'tls', name), '')
    }
    const second = await startHere(pebble, 'damaged')
    try {
      await second.said('the stored certificate is unusable', 1)
      await second.said(obtained, 1)
      assert.equal((await second.shown()).subjectaltname, `DNS:${domain}`)
    } finally {
      pebble.stop()
      await second.server.close()
    }
  })
})

test('a certificate that cannot be obtained is logged, with when the next try is', async () => {
  const lines: { msg: string; nextTryMinutes?: number }[] = []
  const logged = new EventEmitter()
  const write = (line: string) => {
    lines.push(JSON.parse(line))
    logged.emit(String(lines.length))
  }
  const log = pino({ level: 'info' }, { write })
  // A server, but none for certificates: one that cannot be reached is asked for a minute first.
  const wrong = createServer((_, response) => void response.writeHead(404).end())
  await once(wrong.listen(0, '127.0.0.1'), 'listening')
  const directory = `http://127.0.0.1:${(wrong.address() as AddressInfo).port}/directory`
  const acme = { domain, email: undefined, directory }
  const clock = manualClock(0)
  const around = { folder: join(folder, 'refused'), challenges: new Map(), clock, log }
  const watch = keepCertificate(acme, around, () => assert.fail('There is none.'))
  assert.equal(lines[0]?.msg, 'asking for a certificate')
  await once(logged, '2')
  assert.deepEqual([lines[1]?.msg, lines[1]?.nextTryMinutes], [refused, 20])
  await setImmediate()
  watch.look()
  assert.equal(lines[2]?.msg, 'asking for a certificate')
  await once(logged, '4')
  watch.stop()
  wrong.close()
})
