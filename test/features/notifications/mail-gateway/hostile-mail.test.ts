import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { after, afterEach, describe, test } from 'node:test'
import { insertReceivedMail } from '#features/notifications/mail-gateway/addresses.queries.ts'
import { type Letter, readLetter } from '#features/notifications/mail-gateway/letter.ts'
import { createWords } from '#features/notifications/mail-gateway/words.ts'
import { draw } from '#test/support/drawing.ts'
import { freePort } from '#test/support/free-port.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { startServer } from '#test/support/server.ts'

const port = await freePort()
const server = await startServer({
  config: {
    mailGateway: '%s@mail.example.com',
    mailListen: { host: '127.0.0.1', port },
    maxFileUploadMib: 1,
  },
})
after(server.close)
const sender = openMailSender(port)
after(sender.close)
const owner = server.as('owner')
const { store } = server.server.context

async function addressOf(senderId?: number): Promise<string> {
  const params = senderId === undefined ? {} : { sender_id: senderId }
  const { email } = await owner.get<{ email: string }>(
    `/streams/${server.channels.public}/email_address`,
    params,
  )
  return email
}
const address = await addressOf()

async function newest(count = 1): Promise<string[]> {
  const window = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false }
  const { messages } = await owner.get<{ messages: { content: string }[] }>('/messages', window)
  return messages.map(({ content }) => content)
}

afterEach(() => server.clock.advance(3_600_000))

const answered = /^250 /
const unreadable = /^554 5\.6\.0 /

/** So many parts that say nothing. */
const partsMail = (count: number) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(count)}`
/** Parts within so many parts. */
function nestedMail(depth: number): string {
  const levels = Array.from({ length: depth }, (_, i) => i)
  return levels
    .map((i) => `Content-Type: multipart/mixed; boundary=b${i}x\r\n\r\n--b${i}x\r\n`)
    .join('')
}

/** Lines that take long to read, and no attachment. */
const slowMail = (lines: number) => plainMail('Slow', 'a\r\n'.repeat(lines))

describe('a mail is refused for good', () => {
  const table: [string, string][] = [
    ['with too many parts', partsMail(1100)],
    ['with parts in too many parts', nestedMail(60)],
    ['with too many headers', `${'X: y\r\n'.repeat(40_000)}\r\nHello`],
  ]
  for (const [what, source] of table) {
    test(what, async () => assert.match(await sender.send(address, source), unreadable))
  }

  test('with a line of more than a megabyte', async () => {
    const client = await openClient()
    await client.address()
    await client.write(`\r\n${'x'.repeat(1_100_000)}\r\n.\r\n`)
    assert.match(await client.heard(), unreadable)
    client.end()
  })
})

describe('mail is read one at a time', () => {
  test('the first of two is posted first, whichever is shorter', async () => {
    const [first, second, other] = [await openClient(), await openClient(), await openClient()]
    for (const client of [first, second]) await client.address()
    await first.write(`${slowMail(20_000)}.\r\n`)
    // Once it has an answer, the server has read what came before.
    await other.say('NOOP')
    await second.write(`${plainMail('Fast', 'Fast.')}.\r\n`)
    const answers = await Promise.all([first.heard(), second.heard()])
    for (const answer of answers) assert.match(answer, answered)
    const [one = '', two] = await newest(2)
    assert.deepEqual([one.slice(0, 3), two], ['a\na', 'Fast.'])
  })

  test('its bytes count until it is read, so that no more than four of the largest are held', async () => {
    const filler = `${'x'.repeat(700_000)}\r\n`
    const large = plainMail('Large', filler + filler)
    const other = await openClient()
    const clients: Awaited<ReturnType<typeof openClient>>[] = []
    for (let i = 0; i < 5; i++) clients.push(await openClient())
    for (const client of clients) await client.address()
    const [slow, last, ...held] = clients
    const write = async (client: (typeof clients)[number] | undefined, text: string) => {
      await client?.write(text)
      // Once it has an answer, the server has read what came before.
      await other.say('NOOP')
    }
    for (const client of held) await write(client, large)
    await write(slow, `${slowMail(250_000)}${filler}.\r\n`)
    await write(last, `${large}.\r\n`)
    for (const client of held) await write(client, '.\r\n')
    const answers = await Promise.all([...held, slow, last].map((client) => client?.heard()))
    assert.deepEqual(
      answers.map((answer) => answer?.slice(0, 9)),
      ['250 OK: m', '250 OK: m', '250 OK: m', '250 OK: m', '451 4.3.2'],
    )
    assert.match(await sender.send(address, large), answered)
  })
})

test('limits count a mail before it is read, also one that is refused then', async () => {
  const refused = nestedMail(60)
  for (let i = 0; i < 50; i++) assert.match(await sender.send(address, refused), unreadable)
  assert.match(await sender.send(address, plainMail('x', 'Hello.')), /^450 4\.7\.0 Too much mail/)
})

describe('a mail that was being read when the process ended', () => {
  const table: [string, string, string][] = [
    ['with an ID', plainMail('x', 'Once.', 'Message-ID:\r\n <fatal@x>\r\n'), '<fatal@x>'],
    [
      'without an ID',
      'Subject: x\r\n\r\nOnce.\r\n',
      '3bff41cd9fae06d24ac4123f47021fe92a8282a4926a853caf99f04af605320a',
    ],
  ]
  for (const [what, source, identity] of table) {
    test(`is refused when it comes again, ${what}`, async () => {
      await store.write((tx) => insertReceivedMail(tx, 'begun', identity))
      assert.match(await sender.send(address, source), unreadable)
      assert.match(await sender.send(address, plainMail('x', 'Another.')), answered)
      assert.deepEqual(await newest(), ['Another.'])
    })
  }

  test('is not one that was refused while the process went on', async () => {
    const source = plainMail('x', '@**all**', 'Message-ID: <again@x>\r\n')
    await owner.patch('/realm', { can_mention_many_users_group: JSON.stringify({ new: 1 }) })
    const own = await addressOf(owner.id)
    const first = await sender.send(own, source)
    assert.equal(await sender.send(own, source), first)
  })
})

describe('what a mail contains', () => {
  const base64 = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 256)).toString('base64')
  const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`
  const file =
    'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=f'
  const encoded = (how: string) => `${file}\r\nContent-Transfer-Encoding: ${how}`
  const mixed = (...parts: string[]) =>
    `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
  const sources: [string, string][] = [
    ['base64 in lines', mixed(part(encoded('base64'), base64.replace(/.{76}/g, '$&\r\n')))],
    ['base64 in one line', mixed(part(encoded('BASE64'), base64))],
    ['base64 with padded lines', mixed(part(encoded('base64'), 'YQ==\r\nYmI=\r\nY2Nj\r\nYQ'))],
    ['base64 among other signs', mixed(part(encoded('base64'), 'Y!Q-=\t=\r\n\r\nY m\u00e9I=zz'))],
    [
      'plain bytes',
      mixed(part(encoded('8bit'), `a\nb\r\n\r\n  c\u00e9\u0000${'x'.repeat(100_000)}`)),
    ],
    ['quoted-printable', mixed(part(encoded('quoted-printable'), 'a=3D=\r\nb=C3=A9 =\r\n=zz\r\n'))],
    ['nothing', mixed(part(file, ''), part(encoded('base64'), ''))],
    ['text in base64', mixed(part('Content-Transfer-Encoding: base64', 'R3LDvMOfZQ=='))],
    ['flowed text', mixed(part('Content-Type: text/plain; format=flowed', 'a \r\nb\r\n-- \r\nc'))],
    ['text of several parts', mixed(part('', 'a'), part('Content-Type: text/html', '<b>b</b>'))],
    ['no end', mixed(part('', 'a'), part(file, 'b')).replace(/--b--\r\n$/, '')],
    ['an attached mail', mixed(part('Content-Type: message/rfc822', 'Subject: y\r\n\r\nz'))],
  ]
  for (const [what, text] of sources) {
    test(`is what the parser makes of it by itself: ${what}`, async () => {
      const { default: PostalMime } = await import('postal-mime')
      const source = Buffer.from(text)
      const expected = await PostalMime.parse(source, { forceRfc822Attachments: true })
      const letter = await readLetter(source, false)
      assert.deepEqual(
        [letter.text, letter.html, ...letter.attachments.map(({ contents }) => [...contents])],
        [
          expected.text,
          expected.html,
          ...expected.attachments
            .map(({ content }) => [...new Uint8Array(content as ArrayBuffer)])
            .filter(({ length }) => length > 0),
        ],
      )
    })
  }

  test('is in the encoding of its bytes, if it names none, or the wrong one', async () => {
    const words = 'Grüße, €'
    const written: Record<string, Buffer> = {
      utf8: Buffer.from(words),
      western: Buffer.from('Gr\xfc\xdfe, \x80', 'latin1'),
    }
    const transfers: Record<string, (bytes: Buffer) => Buffer | string> = {
      '8bit': (bytes) => bytes,
      base64: (bytes) => bytes.toString('base64'),
      'quoted-printable': (bytes) => bytes.toString('hex').replace(/../g, '=$&').toUpperCase(),
    }
    for (const charset of ['', 'us-ascii', 'UTF-8', '"utf8"', 'unknown-8bit']) {
      for (const bytes of Object.values(written)) {
        for (const [transfer, encode] of Object.entries(transfers)) {
          const letter = await readLetter(
            Buffer.concat([
              Buffer.from('Subject: '),
              bytes,
              Buffer.from(`\r\nContent-Transfer-Encoding: ${transfer}\r\n`),
              Buffer.from(`Content-Type: text/plain${charset && `; charset=${charset}`}\r\n\r\n`),
              Buffer.from(encode(bytes)),
            ]),
            false,
          )
          assert.deepEqual([letter.subject, letter.text?.trim()], [words, words], charset)
        }
      }
    }
  })

  test('is in the encoding that it names, if that is another', async () => {
    for (const [charset, bytes] of [
      ['iso-8859-2', 'a\xf3\xb3'],
      ['koi8-r', 'a\xf3\xb3'],
      ['shift_jis', 'a\x82\xa0'],
      ['windows-1250', 'a\xf3\xb3'],
    ] as const) {
      const source = Buffer.from(
        `Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`,
        'latin1',
      )
      const { text } = await readLetter(source, false)
      const expected = new TextDecoder(charset).decode(Buffer.from(bytes, 'latin1'))
      assert.equal(text?.trim(), expected)
    }
  })

  test('is read only as far as it can be shown, if it is text', async () => {
    const text = 'a\r\n'.repeat(200_000)
    for (const encoding of draw(['8bit', 'base64', 'quoted-printable'], 1 / 3)) {
      const body = encoding === 'base64' ? Buffer.from(text).toString('base64') : text
      const headers = `Content-Transfer-Encoding: ${encoding}`
      const letter = await readLetter(
        Buffer.from(mixed(part(headers, body), part(headers, body), part(file, 'kept'))),
        false,
      )
      const { length } = letter.text ?? ''
      assert.ok(length > 200_000 && length <= 524_290, `${encoding}: ${length}`)
      assert.equal(String(Buffer.from(letter.attachments[0]?.contents ?? [])), 'kept\n')
    }
  })

  test('does not depend on headers that nobody reads, or on the length of one', async () => {
    const people = Array.from({ length: 2000 }, (_, i) => ` person${i}@example.com,`).join('\r\n')
    const letter = await readLetter(
      Buffer.from(
        `To:${people.slice(0, -1)}\r\nFrom: ${'a:'.repeat(20_000)}\r\nSubject: a\r\n b\r\n\r\nHello`,
      ),
      false,
    )
    assert.deepEqual([letter.subject, letter.text?.trim()], ['a b', 'Hello'])
  })

  test('is converted once for all recipients who want it in the same form', async () => {
    let read = 0
    const letter: Letter = {
      ...{ subject: '', from: '', text: undefined, attachments: [] },
      ...{ isAnswer: true, isAutomatic: false, listId: '' },
      get html() {
        read += 1
        return '<p>a</p><blockquote type="cite">b</blockquote>'
      },
    }
    const words = createWords(letter)
    const plain = { includeQuotes: false, includeFooter: false, preferHtml: false }
    const forms = [plain, { ...plain }, { ...plain, includeQuotes: true }, plain]
    assert.deepEqual(await Promise.all(forms.map(words)), ['a', 'a', 'a\n\n> b', 'a'])
    assert.equal(read, 2)
  })
})

/** A client of the gateway that says what it is told. */
async function openClient() {
  const socket: Socket = connect(port, '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  async function heard(): Promise<string> {
    const { value = '' } = await lines.next()
    return /^\d{3}-/.test(value) ? await heard() : value
  }
  const client = {
    heard,
    /** Resolves when the server's machine has it. */
    write: (text: string) => new Promise<void>((done) => socket.write(text, () => done())),
    async say(...said: string[]) {
      for (const line of said) {
        await client.write(`${line}\r\n`)
        await heard()
      }
    },
    address: () => client.say('MAIL FROM:<a@b.c>', `RCPT TO:<${address}>`, 'DATA'),
    end: () => socket.destroy(),
  }
  await heard()
  await client.say('EHLO x')
  after(client.end)
  return client
}
