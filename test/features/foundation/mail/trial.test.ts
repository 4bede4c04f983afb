import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { tryMail } from '#features/foundation/mail/trial.actions.ts'
import { runCommand } from '#program/control/commands.ts'
import { certificateIn } from '#test/support/certificates.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ config: { mailFrom: 'Chat <chat@example.org>' } })
after(server.close)
const folder = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(folder, { recursive: true }))

const context = (smtpUrl: string | null) => ({
  ...server.server.context,
  config: { ...server.server.context.config, smtpUrl },
})
const attempt = (smtpUrl: string, timeout?: number) =>
  tryMail(context(smtpUrl), 'ada@example.com', timeout)

/** Starts it on a free port until the tests are done. @returns the port */
async function open(listener: Server | SMTPServer): Promise<number> {
  listener.on('error', () => {})
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', () => done()))
  const net = listener instanceof SMTPServer ? listener.server : listener
  after(() => new Promise<void>((done) => void listener.close(() => done())))
  net.unref()
  return (net.address() as { port: number }).port
}

const refusal = (code: number, text: string) =>
  Object.assign(new Error(text), { responseCode: code })
const smtp = (options: SMTPServerOptions) =>
  open(new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], ...options }))

describe('a test mail says what is wrong:', () => {
  test('a name that does not exist', async () => {
    const said = await attempt(`smtp://${'x'.repeat(64)}.invalid`)
    assert.match(said ?? '', /^No mail server has the name x+\.invalid\. Check PARLEY_SMTP_URL/)
  })

  test('a port where nothing listens', async () => {
    assert.match(
      (await attempt('smtp://127.0.0.1:9')) ?? '',
      /^Nothing answers at 127\.0\.0\.1, port 9\./,
    )
  })

  test('a server that says nothing', async () => {
    const port = await open(createServer((socket) => socket.on('error', () => {})))
    const said = await attempt(`smtp://127.0.0.1:${port}`, 50)
    assert.match(said ?? '', /did not answer within 0\.05 seconds\. A firewall may block the port/)
  })

  test('a server of another kind', async () => {
    const port = await open(
      createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    const said = await attempt(`smtp://127.0.0.1:${port}`)
    assert.match(said ?? '', /^The server at 127\.0\.0\.1, port \d+, is not a mail server\./)
  })

  test('TLS where there is none', async () => {
    const port = await smtp({})
    const said = await attempt(`smtps://127.0.0.1:${port}`)
    assert.match(said ?? '', /does not start with TLS\. Write smtp:\/\/ instead of smtps:\/\//)
  })

  test('a certificate that nobody trusts', async () => {
    const { certFile, keyFile } = certificateIn(folder, 'mail.example')
    const files = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
    const port = await smtp({ secure: true, ...files })
    const said = await attempt(`smtps://localhost:${port}`)
    assert.match(said ?? '', /^The certificate of localhost, port \d+, is not trusted\./)
  })

  test('a wrong password, without showing it', async () => {
    const port = await smtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(refusal(535, 'Authentication failed')),
    })
    const said = await attempt(`smtp://ada:geheim@127.0.0.1:${port}`)
    assert.match(said ?? '', /did not accept the name and password in PARLEY_SMTP_URL\./)
    assert.doesNotMatch(said ?? '', /geheim/)
  })

  const answers: [string, SMTPServerOptions, RegExp][] = [
    [
      'a login that is missing',
      { onMailFrom: (_, __, done) => done(refusal(530, 'Authentication required')) },
      /, requires a login\. Write smtp:\/\/NAME:PASSWORD@HOST/,
    ],
    [
      'a sender who may not send',
      { onMailFrom: (_, __, done) => done(refusal(553, 'Not your address')) },
      /does not accept Chat <chat@example\.org> as the sender\. Set PARLEY_MAIL_FROM to an address that it accepts\. \(.*553 Not your address\)$/,
    ],
    [
      'a recipient whom it refuses',
      { onRcptTo: (_, __, done) => done(refusal(554, 'Relay access denied')) },
      /does not accept ada@example\.com as a recipient\. If the address is right.*Relay access denied\)$/,
    ],
    [
      'a recipient whom it refuses for now',
      { onRcptTo: (_, __, done) => done(refusal(451, 'Greylisted')) },
      /as a recipient\. It says that it may do so later\./,
    ],
    [
      'a mail that it does not take',
      {
        onData(stream, _, done) {
          stream.resume().on('end', () => done(refusal(552, 'Too big')))
        },
      },
      /^127\.0\.0\.1, port \d+, rejected the mail\. \(.*552 Too big\)$/,
    ],
  ]
  for (const [what, options, expected] of answers) {
    test(what, async () => {
      assert.match((await attempt(`smtp://127.0.0.1:${await smtp(options)}`)) ?? '', expected)
    })
  }
})

describe('parley mail test', () => {
  test('says that the mail server took the mail', async () => {
    const port = await smtp({})
    const { output, failed } = await runCommand(context(`smtp://127.0.0.1:${port}`), 'mail test', {
      address: 'ada@example.com',
    })
    assert.equal(failed, undefined)
    assert.match(output, /^127\.0\.0\.1, port \d+, took the mail to ada@example\.com\./)
  })

  test('fails with what is wrong, and without a mail server or an address', async () => {
    const run = (url: string | null, address: string) =>
      runCommand(context(url), 'mail test', { address })
    const ended = await run('smtp://127.0.0.1:9', 'ada@example.com')
    assert.equal(ended.failed, true)
    assert.match(ended.output, /^Nothing answers at/)
    await assert.rejects(run(null, 'ada@example.com'), /No mail server is configured/)
    await assert.rejects(run('smtp://127.0.0.1:9', 'ada'), /not an email address/)
  })
})
