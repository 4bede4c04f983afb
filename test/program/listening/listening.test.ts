import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { manualClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { runCli } from '#program/cli/program.ts'
import { control } from '#program/control/client.ts'
import { certificateCheck, validityOf } from '#program/listening/check.ts'
import { programArguments } from '#test/support/programs.ts'
import { startServer } from '#test/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-listening-'))
after(() => rmSync(folder, { recursive: true }))
const fileIn = (name: string) => join(folder, name)

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}

/** Makes a self-signed certificate. */
function makeCertificate(name: string): { certFile: string; keyFile: string } {
  const files = { certFile: fileIn(`${name}.crt`), keyFile: fileIn(`${name}.key`) }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const out = ['-keyout', files.keyFile, '-out', files.certFile]
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},DNS:localhost`]
  run('openssl', 'req', '-x509', ...key, ...out, ...names)
  return files
}

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

/** The name in the certificate that a server shows to a new connection. */
async function shownName(port: number): Promise<string | string[] | undefined> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return subject?.CN
}

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const portIn = (url: string) => Number(new URL(url).port)

describe('HTTPS with certificate files', () => {
  test('serves the API, redirects HTTP, and takes the commands of the shell', async () => {
    const tls = makeCertificate('chat.example')
    const data = fileIn('https')
    const redirectPort = await freePort()
    const server = await startServer({ data, listening: { tls, redirectPort } })
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
    const server = await startServer({ listening: { tls } })
    const shown = async () => {
      server.clock.advance(10_000)
      return await shownName(portIn(server.url))
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
      } as unknown as Context)
    assert.equal(problemAt(to - sixth - 1000), undefined)
    assert.match(String(problemAt(to - sixth)), /^The certificate expires at .* not renewed\.$/)
    assert.match(String(problemAt(to)), /^The certificate expired at/)
    assert.match(
      String(certificateCheck(() => undefined).problem({} as unknown as Context)),
      /no certificate yet/,
    )
  })

  test('does not start with files that cannot be used', async () => {
    const { certFile } = makeCertificate('one.example')
    const { keyFile } = makeCertificate('other.example')
    await assert.rejects(startServer({ listening: { tls: { certFile, keyFile } } }), /key/)
    const missing = { certFile, keyFile: fileIn('missing.key') }
    await assert.rejects(startServer({ listening: { tls: missing } }), /ENOENT/)
  })
})

describe('a Unix socket', () => {
  const socket = fileIn('parley.sock')

  test('is for its owner and group, and gone when the server has stopped', async () => {
    const data = fileIn('socket')
    const server = await startServer({ data, listening: { socket } })
    assert.equal(server.url, `unix:${socket}`)
    assert.equal(statSync(socket).mode & 0o777, 0o660)
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    assert.match((await control({ data }, 'user list', {})).output, /hamlet@zulip\.com/)
    await assert.rejects(startServer({ listening: { socket } }), /Another server listens on/)
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    await server.close()
    assert.equal(existsSync(socket), false)
  })

  test('that a killed server left behind is replaced, and nothing else', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
    await once(spawn(process.execPath, ['-e', script]), 'exit')
    assert.ok(existsSync(socket))
    const server = await startServer({ listening: { socket } })
    assert.equal((await get({ socketPath: socket }, '/health')).status, 200)
    await server.close()
    writeFileSync(socket, 'precious')
    await assert.rejects(startServer({ listening: { socket } }), /it is not a socket/)
    assert.equal(readFileSync(socket, 'utf8'), 'precious')
    rmSync(socket)
  })

  test('tells clients apart by what the proxy says', async () => {
    const server = await startServer({ listening: { socket }, config: { rateLimits: true } })
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
    [['--tls-cert', 'a'], /--tls-cert and --tls-key go together/],
    [['--domain', 'a.example', '--tls-cert', 'a', '--tls-key', 'b'], /either --domain or/],
    [['--domain', '192.0.2.1'], /is no domain/],
    [['--domain', 'a.example/..'], /is no domain/],
    [['--domain', 'a.example', '--socket', 'x'], /does HTTPS itself/],
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

const noPebble = !existsSync('/usr/bin/pebble') && "Debian's package pebble is not installed"

describe('a certificate by ACME', { skip: noPebble }, () => {
  test('is obtained from the server, kept, and used again after a restart', async () => {
    const ports = await Promise.all([1, 2, 3, 4].map(freePort))
    const [directoryPort = 0, managementPort = 0, httpPort = 0, port = 0] = ports
    const own = makeCertificate('localhost')
    const config = {
      pebble: {
        listenAddress: `127.0.0.1:${directoryPort}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: own.certFile,
        privateKey: own.keyFile,
        httpPort,
        tlsPort: await freePort(),
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }
    writeFileSync(fileIn('pebble.json'), JSON.stringify(config))
    const dnsPort = await freePort()
    const off = ['-http01', '', '-https01', '', '-tlsalpn01', '']
    const dns = spawn('pebble-challtestsrv', [
      ...['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${await freePort()}`],
      ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', ...off],
    ])
    const pebble = spawn(
      'pebble',
      ['-config', fileIn('pebble.json'), '-dnsserver', `127.0.0.1:${dnsPort}`],
      { env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' } },
    )
    const started: ChildProcess[] = [dns, pebble]
    const data = fileIn('acme')
    const directory = `https://localhost:${directoryPort}/dir`
    const start = async () => {
      const options = [
        ...['--data', data, '--domain', 'chat.example.test', '--host', '127.0.0.1'],
        ...['--port', String(port), '--http-port', String(httpPort), '--acme-directory', directory],
      ]
      const child = spawn(
        process.execPath,
        [...programArguments('src/main.ts'), 'serve', ...options],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, NODE_EXTRA_CA_CERTS: own.certFile },
        },
      )
      started.push(child)
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
      await answered(directoryPort)
      const server = await start()
      while (!/there is a new certificate|no certificate could/.test(server.log.text)) {
        await once(server.child.stderr, 'data')
      }
      assert.doesNotMatch(server.log.text, /no certificate could/)
      const shown = await certificateOf(port)
      assert.equal(shown.subjectaltname, 'DNS:chat.example.test')
      const { headers } = await get({ port: httpPort }, '/login')
      assert.equal(headers.location, `https://chat.example.test:${port}/login`)
      const folderOfKeys = join(data, 'tls')
      assert.deepEqual(readdirSync(folderOfKeys).sort(), ['account.pem', 'chat.example.test.json'])
      for (const name of readdirSync(folderOfKeys)) {
        assert.equal(statSync(join(folderOfKeys, name)).mode & 0o777, 0o600)
      }
      await stop(server)
      pebble.kill()
      const again = await start()
      assert.equal((await certificateOf(port)).fingerprint256, shown.fingerprint256)
      await stop(again)
    } finally {
      for (const child of started) child.kill()
    }
  })
})

async function certificateOf(port: number) {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

/** Waits until somebody listens. */
async function answered(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    const isUp = await new Promise((done) => {
      socket.once('secureConnect', () => done(true))
      socket.once('error', () => done(false))
    })
    socket.destroy()
    if (isUp) return
    await new Promise((done) => setTimeout(done, 20))
  }
}
