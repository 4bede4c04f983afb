import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { runCli } from '#program/cli/program.ts'
import { control } from '#program/control/client.ts'
import { certificateCheck, validityOf } from '#program/listening/check.ts'
import { certificateIn, shownCertificate } from '#test/support/certificates.ts'
import { freePort } from '#test/support/free-port.ts'
import { startServer } from '#test/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-listening-'))
after(() => rmSync(folder, { recursive: true }))
const fileIn = (name: string) => join(folder, name)

const makeCertificate = (name: string) => certificateIn(folder, name)

interface Got {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Asked = { socketPath: string } | { port: number; ca?: string }

/** A request over HTTPS if the certificate authority is given, otherwise over HTTP. */
async function get(asked: Asked, path: string, headers: Record<string, string> = {}): Promise<Got> {
  const send = 'ca' in asked ? httpsRequest : httpRequest
  const request = send({ ...asked, host: 'localhost', path, headers, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await text(response),
  }
}

const portIn = (url: string) => Number(new URL(url).port)

describe('HTTPS with certificate files', () => {
  test('serves the API, redirects HTTP, and takes the commands of the shell', async () => {
    const tls = makeCertificate('chat.example')
    const data = fileIn('https')
    const redirectPort = await freePort()
    const server = await startServer({ socket: true, data, listening: { tls, redirectPort } })
    try {
      const ca = readFileSync(tls.certFile, 'utf8')
      assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
      const health = await get({ port: portIn(server.url), ca }, '/health')
      assert.equal(health.status, 200)
      assert.match(health.body, /{"name":"certificate","ok":true}/)
      const settings = await get({ port: portIn(server.url), ca }, '/api/v1/server_settings')
      assert.equal(JSON.parse(settings.body).realm_url, `https://localhost:${portIn(server.url)}`)
      const plain = { port: redirectPort }
      for (const [asked, told] of [
        ['/a?b=c', '/a?b=c'],
        ['//other.example/', '//other.example/'],
        ['http://other.example/', '/'],
        ['/.well-known/acme-challenge/none', '/.well-known/acme-challenge/none'],
      ] as const) {
        const { status, headers } = await get(plain, asked, { host: 'other.example' })
        assert.deepEqual([status, headers.location], [308, server.url + told])
      }
      assert.match((await control({ data }, 'user list', {})).output, /hamlet@zulip\.com/)
    } finally {
      await server.close()
    }
    await assert.rejects(get({ port: redirectPort }, '/'), /ECONNREFUSED/)
  })

  test('uses new files as soon as they belong together, without a restart', async () => {
    const [first, second] = [makeCertificate('first.example'), makeCertificate('second.example')]
    const tls = { certFile: fileIn('live.crt'), keyFile: fileIn('live.key') }
    copyFileSync(first.certFile, tls.certFile)
    copyFileSync(first.keyFile, tls.keyFile)
    const server = await startServer({ socket: true, listening: { tls } })
    const shown = async () => {
      server.clock.advance(10_000)
      return (await shownCertificate(portIn(server.url))).subject.CN
    }
    try {
      assert.equal(await shown(), 'first.example')
      copyFileSync(second.certFile, tls.certFile)
      assert.equal(await shown(), 'first.example', 'the key is still the earlier one')
      rmSync(tls.certFile)
      assert.equal(await shown(), 'first.example')
      copyFileSync(second.certFile, tls.certFile)
      copyFileSync(second.keyFile, tls.keyFile)
      assert.equal(await shown(), 'second.example')
    } finally {
      await server.close()
    }
  })

  test('is a problem once the certificate should have been renewed', () => {
    const { certFile, keyFile } = makeCertificate('expiring.example')
    const cert = readFileSync(certFile, 'utf8')
    const certificate = { cert, key: readFileSync(keyFile, 'utf8') }
    const { from, to } = validityOf(certificate)
    const sixth = (to - from) / 6
    const problemAt = (time: number) =>
      certificateCheck(() => certificate).problem({
        clock: manualClock(time),
      } as unknown as SystemContext)
    assert.equal(problemAt(to - sixth - 1000), undefined)
    assert.match(String(problemAt(to - sixth)), /^The certificate expires at .* not renewed\.$/)
    assert.match(String(problemAt(to)), /^The certificate expired at/)
    assert.match(
      String(certificateCheck(() => undefined).problem({} as unknown as SystemContext)),
      /no certificate yet/,
    )
  })

  test('does not start with files that cannot be used', async () => {
    const { certFile } = makeCertificate('one.example')
    const { keyFile } = makeCertificate('other.example')
    await assert.rejects(
      startServer({ socket: true, listening: { tls: { certFile, keyFile } } }),
      /key/,
    )
    const missing = { certFile, keyFile: fileIn('missing.key') }
    await assert.rejects(startServer({ socket: true, listening: { tls: missing } }), /ENOENT/)
  })
})

describe('a Unix socket', () => {
  const socket = fileIn('parley.sock')

  test('is for its owner and group, and gone when the server has stopped', async () => {
    const data = fileIn('socket')
    const server = await startServer({ socket: true, data, listening: { socket } })
    assert.equal(server.url, `unix:${socket}`)
    assert.equal(statSync(socket).mode & 0o777, 0o660)
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    assert.match((await control({ data }, 'user list', {})).output, /hamlet@zulip\.com/)
    await assert.rejects(
      startServer({ socket: true, listening: { socket } }),
      /Another server is listening on/,
    )
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    await server.close()
    assert.equal(existsSync(socket), false)
  })

  test('that a killed server left behind is replaced, and nothing else', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
    await once(spawn(process.execPath, ['-e', script]), 'exit')
    assert.ok(existsSync(socket))
    const server = await startServer({ socket: true, listening: { socket } })
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    await server.close()
    writeFileSync(socket, 'precious')
    await assert.rejects(startServer({ socket: true, listening: { socket } }), /is not a socket/)
    assert.equal(readFileSync(socket, 'utf8'), 'precious')
    rmSync(socket)
  })

  test('tells clients apart by what the proxy says', async () => {
    const server = await startServer({
      socket: true,
      listening: { socket },
      config: { rateLimits: true },
    })
    const left = async (client: string) => {
      const headers = { 'x-forwarded-for': client }
      const reply = await get({ socketPath: socket }, '/api/v1/server_settings', headers)
      return Number(reply.headers['x-ratelimit-remaining'])
    }
    const [first, second, other] = [
      await left('192.0.2.1'),
      await left('192.0.2.1'),
      await left('192.0.2.2'),
    ]
    await server.close()
    assert.ok(second < first)
    assert.equal(other, first)
  })
})

describe('options that do not go together end with 2:', () => {
  for (const [args, message] of [
    [['--tls-cert', 'a'], /need each other/],
    [
      ['--domain', 'a.example', '--tls-cert', 'a', '--tls-key', 'b'],
      /either --domain \(PARLEY_DOMAIN\) or/,
    ],
    [['--domain', '192.0.2.1'], /must be a domain/],
    [['--domain', 'a.example/..'], /must be a domain/],
    [['--domain', 'a.example', '--socket', 'x'], /serves HTTPS itself/],
    [['--http-port', '80'], /needs HTTPS/],
  ] as const) {
    test(args.join(' '), async () => {
      let said = ''
      const code = await runCli(['serve', '--data', fileIn('none'), ...args], {
        stdin: process.stdin,
        out: () => {},
        err: (line) => {
          said += line
        },
        env: { PARLEY_LOG_LEVEL: 'silent' },
      })
      assert.match(said, message)
      assert.equal(code, 2)
    })
  }
})
