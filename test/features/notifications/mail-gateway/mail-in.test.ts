import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, afterEach, describe, test } from 'node:test'
import { findMessage } from '#features/foundation/core/queries.ts'
import { openBrowser } from '#test/support/browser.ts'
import { freePort } from '#test/support/free-port.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { makers } from '#test/support/making.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const port = await freePort()
const server = await startServer({
  config: {
    smtpUrl: post.url,
    mailGateway: '%s@mail.example.com',
    mailListen: { host: '127.0.0.1', port },
    maxFileUploadMib: 1,
  },
})
after(server.close)
const sender = openMailSender(port)
after(sender.close)
const mailTo = sender.send

const { ids, channels } = server
const [owner, member] = [server.as('owner'), server.as('member')]
const { newChannel } = makers(server)

async function addressOf(actor: Actor, channel: number, senderId?: number): Promise<string> {
  const params = senderId === undefined ? {} : { sender_id: senderId }
  const reply = await server
    .as(actor)
    .get<{ email: string }>(`/streams/${channel}/email_address`, params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.email
}

interface Shown {
  readonly id: number
  readonly sender_id: number
  readonly subject: string
  readonly content: string
  readonly stream_id?: number
}

/** The newest message that an actor can read, with its source. */
async function newest(actor: Actor = 'owner'): Promise<Shown> {
  const window = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  const { messages } = await server.as(actor).get<{ messages: Shown[] }>('/messages', window)
  return messages[0] ?? assert.fail()
}

async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds * 1000)
  await server.settled()
}

/** Has the member miss a message. @returns the address to answer the mail about it */
async function replyAddress(send: () => Promise<unknown>): Promise<string> {
  await pass(300)
  post.take()
  await send()
  await pass(120)
  const mail = post.take().find(({ to }: ReceivedMail) => to.includes(member.email))
  return mail?.headers['reply-to'] ?? assert.fail('there is no mail')
}
const mention = () =>
  server.say('owner', 'public', 'plans', `@_**|${ids.member}** @**|${ids.member}** ?`)

afterEach(() => pass(3600))

const answered = /^250 /
const noAddress = /^550 5\.1\.1 /
const notAllowed = /^550 5\.7\.1 /

test('someone is mentioned while away, gets a mail, answers it by mail, and the answer stands in the topic', async () => {
  await server.say('owner', 'public', 'the play', `@**King Hamlet** to be or not to be?`)
  await pass(120)
  const mail = post.take().find(({ to }) => to.includes(member.email)) ?? assert.fail()
  assert.match(mail.headers['reply-to'] ?? '', /^mm[0-9a-f]{32}@mail\.example\.com$/)
  assert.match(mail.text, /Reply to this email, or in the conversation: http/)
  const answer = [
    'From: King Hamlet <hamlet@zulip.com>',
    `To: ${mail.headers['reply-to']}`,
    `Subject: Re: ${mail.headers.subject}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'That is the *question*.',
    '',
    'On Sun, Nov 22, 2026 at 10:00 AM Zulip Dev <noreply@example.com> wrote:',
    '',
    ...mail.text.split('\n').map((line) => `> ${line}`),
    '',
  ]
  assert.match(await mailTo(mail.headers['reply-to'] ?? '', answer.join('\r\n')), answered)
  const message = await newest()
  assert.deepEqual(
    [message.sender_id, message.stream_id, message.subject, message.content],
    [ids.member, channels.public, 'the play', 'That is the *question*.'],
  )
})

describe('an address to answer a mail', () => {
  test('leads to a group conversation of which one was deactivated meanwhile', async () => {
    const people = ['owner', 'member', 'prospero'] as const
    const address = await replyAddress(() => server.say('owner', people))
    await server.as('owner').del(`/users/${ids.prospero}`)
    try {
      assert.match(await mailTo(address, 'Subject: Re\r\n\r\nGo on.'), answered)
      const { messages } = await owner.get<{ messages: [{ display_recipient: { id: number }[] }] }>(
        '/messages',
        { anchor: 'newest', num_before: 1, num_after: 0 },
      )
      const among = messages[0].display_recipient
      assert.deepEqual(
        among.map(({ id }) => id),
        [ids.owner, ids.member, ids.prospero].sort((a, b) => a - b),
      )
    } finally {
      await server.as('owner').post(`/users/${ids.prospero}/reactivate`)
    }
  })

  test('leads to where the message is now, and to the participants of a direct message', async () => {
    const moved = await replyAddress(mention)
    const { id } = await newest('owner')
    await owner.patch(`/messages/${id}`, { topic: 'moved', propagate_mode: 'change_one' })
    assert.match(await mailTo(moved, plainMail('Re: x', 'Here.')), answered)
    assert.equal((await newest()).subject, 'moved')
    const direct = await replyAddress(() => server.say('owner', ['owner', 'member', 'admin']))
    assert.match(await mailTo(direct, plainMail('Re: x', 'There.')), answered)
    for (const actor of ['owner', 'admin'] as const) {
      assert.equal((await newest(actor)).content, 'There.')
    }
  })

  test('lets nobody do what they may not do by now', async () => {
    const address = await replyAddress(mention)
    await member.del('/users/me/subscriptions', { subscriptions: ['Denmark'] })
    await owner.patch(`/streams/${channels.public}`, { is_private: true })
    assert.match(await mailTo(address, plainMail('Re: x', 'Hello?')), notAllowed)
    await owner.patch(`/streams/${channels.public}`, { is_private: false })
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }] })
    assert.match(await mailTo(address, plainMail('Re: x', 'Hello again.')), answered)
  })

  test('ends after 30 days', async () => {
    const address = await replyAddress(mention)
    await pass(30 * 24 * 3600 - 200)
    assert.match(await mailTo(address, plainMail('Re: x', 'In time.')), answered)
    await pass(200)
    assert.match(await mailTo(address, plainMail('Re: x', 'Late.')), noAddress)
  })

  test('ends with a new password, and with the account', async () => {
    const first = await replyAddress(mention)
    await openBrowser(server.url).fill('/accounts/password/reset/', { email: member.email })
    await server.settled()
    const link = new RegExp(`${server.url}(/\\S+)`).exec(post.take().at(-1)?.text ?? '')?.[1] ?? ''
    const reset = await openBrowser(server.url).fill(link, { password: 'a new long password' })
    assert.equal(reset.status, 303)
    assert.match(await mailTo(first, plainMail('Re: x', 'Hello?')), noAddress)
    const second = await replyAddress(mention)
    await owner.del(`/users/${ids.member}`)
    assert.match(await mailTo(second, plainMail('Re: x', 'Hello?')), noAddress)
    await owner.post(`/users/${ids.member}/reactivate`)
    await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }] })
    assert.match(await mailTo(second, plainMail('Re: x', 'Hello?')), noAddress)
  })

  test('is in no mail that hides what was said', async () => {
    await member.patch('/settings', { message_content_in_email_notifications: false })
    post.take()
    await mention()
    await pass(120)
    const mail = post.take().find(({ to }) => to.includes(member.email)) ?? assert.fail()
    assert.equal(mail.headers['reply-to'], undefined)
    await member.patch('/settings', { message_content_in_email_notifications: true })
  })

  const automatic: [string, string, string | undefined][] = [
    ['an answer that a program sent', 'Auto-Submitted: auto-replied\r\n', undefined],
    ['an answer to a list', 'Precedence: bulk\r\n', undefined],
    ['an answer of an older program', 'X-Autoreply: yes\r\n', undefined],
    ['a report that mail could not be delivered', '', ''],
  ]
  for (const [what, headers, from] of automatic) {
    test(`ignores ${what}, so that no two programs answer each other`, async () => {
      const address = await replyAddress(mention)
      const before = await newest()
      assert.match(await mailTo(address, plainMail('Away', 'I am away.', headers), from), answered)
      assert.equal((await newest()).id, before.id)
    })
  }
})

describe('an address of a channel', () => {
  test('is the same for the same user and sender, and another for others', async () => {
    const bot = (
      await owner.post<{ user_id: number }>('/bots', { full_name: 'Mailer', short_name: 'mailer' })
    ).user_id
    const addresses = [
      await addressOf('owner', channels.public),
      await addressOf('owner', channels.public, ids.owner),
      await addressOf('owner', channels.public, bot),
      await addressOf('member', channels.public),
    ]
    assert.equal(new Set(addresses).size, 4)
    for (const address of addresses) {
      assert.match(address, /^denmark\.[0-9a-f]{32}@mail\.example\.com$/)
    }
    assert.equal(await addressOf('owner', channels.public), addresses[0])
    const senders = []
    for (const address of addresses) {
      assert.match(await mailTo(address, plainMail('News', 'There is news.')), answered)
      const { sender_id, subject, content } = await newest()
      assert.deepEqual([subject, content], ['News', 'There is news.'])
      senders.push(sender_id)
    }
    assert.deepEqual(senders.slice(1, 3), [ids.owner, bot])
    assert.equal(senders[0], senders[3], 'Email Gateway')
    const refused = await member.get(`/streams/${channels.public}/email_address`, {
      sender_id: bot,
    })
    assert.deepEqual(refused, failure('Invalid sender_id'))
  })

  test('takes options, and capital letters', async () => {
    const address = (await addressOf('owner', channels.public)).toUpperCase()
    const text = 'Hi.\r\n-- \r\nAda\r\n\r\n> Old\r\n'
    const shown = async (options: string, source: string) => {
      const [local, domain] = address.split('@')
      assert.match(await mailTo(`${local}${options}@${domain}`, source), answered)
      return (await newest()).content
    }
    assert.equal(await shown('', plainMail('Fwd: x', text)), 'Hi.')
    assert.equal(
      await shown('+show-sender', plainMail('x', text)),
      '**From:** Ada <ada@example.com>\nHi.',
    )
    assert.equal(await shown('.include-footer', plainMail('Re: x', text)), 'Hi.\n--\nAda')
    assert.equal(
      await shown('.include-footer+include-quotes', plainMail('Re: x', text)),
      'Hi.\n-- \nAda\n\n> Old',
    )
    const both = [
      'Subject: x',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'plain',
      '--b',
      'Content-Type: text/html',
      '',
      '<p><b>rich</b></p>',
      '--b--',
      '',
    ].join('\r\n')
    assert.equal(await shown('', both), 'plain')
    assert.equal(await shown('.prefer-html', both), '**rich**')
  })

  test('keeps all of a text that answers none, and cuts only what an answer answers', async () => {
    const address = await addressOf('owner', channels.public)
    const text = 'See below.\r\n\r\nFrom: Ada <a@b.org>\r\nSubject: Plans\r\n\r\nLong.'
    const whole = text.replaceAll('\r', '')
    const headers: [header: string, subject: string, content: string][] = [
      ['X-Mailer: a', 'Plans', whole],
      ['X-Mailer: a', 'Regarding plans', whole],
      ['X-Mailer: a', 'Fwd: Plans', whole],
      ['In-Reply-To: <a@b.org>', 'Fwd: Plans', whole],
      ['X-Mailer: a', 'AW: Plans', 'See below.'],
      ['In-Reply-To: <a@b.org>', 'Plans', 'See below.'],
      ['References: <a@b.org>', 'Plans', 'See below.'],
    ]
    for (const [header, subject, content] of headers) {
      const mail = `${header}\r\n${plainMail(subject, text)}`
      assert.match(await mailTo(address, mail), answered)
      assert.equal((await newest()).content, content, `${header}, ${subject}`)
    }
  })

  test('obeys the rights of the sender, or of who asked for the address', async () => {
    const { id } = await newChannel(['owner', 'member'])
    const address = await addressOf('member', id)
    assert.match(await mailTo(address, plainMail('a', 'Before.')), answered)
    await owner.patch(`/streams/${id}`, { can_send_message_group: JSON.stringify({ new: 2 }) })
    const closed = await mailTo(address, plainMail('a', 'After.'))
    await owner.patch(`/streams/${id}`, { is_archived: true })
    assert.match(closed, notAllowed)
    assert.equal((await newest()).content, 'Before.')
  })

  test('mentions everyone only if the sender may', async () => {
    const { id } = await newChannel(['owner', 'member'])
    for (let i = 0; i < 16; i++) {
      const person = await server.enroll(`Reader ${i}`)
      await owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'made 2' }],
        principals: [person.id],
      })
    }
    await owner.patch('/realm', { can_mention_many_users_group: JSON.stringify({ new: 2 }) })
    const refused = await mailTo(
      await addressOf('member', id, ids.member),
      plainMail('a', '@**all**'),
    )
    assert.match(refused, notAllowed)
    assert.match(
      await mailTo(await addressOf('owner', id, ids.owner), plainMail('a', '@**all**')),
      answered,
    )
  })

  test('of a channel without topics has the subject in the text', async () => {
    const { id } = await newChannel(['owner'])
    await owner.patch(`/streams/${id}`, { topics_policy: JSON.stringify('empty_topic_only') })
    assert.match(
      await mailTo(await addressOf('owner', id), plainMail('Re: Plans', 'Well.')),
      answered,
    )
    const { subject, content } = await newest()
    assert.deepEqual([subject, content], ['general chat', '**Subject:** Plans\nWell.'])
  })

  test('takes attachments as uploads of the sender, whatever their names', async () => {
    const address = await addressOf('owner', channels.public, ids.owner)
    const message = {
      envelope: { from: 'ada@example.com', to: [address] },
      subject: 'Files',
      text: 'See:',
      attachments: [
        { filename: '../../etc/ü.txt', content: 'Contents.' },
        { filename: 'a]b.txt', content: 'More.' },
      ],
    }
    assert.match(await sender.compose(message), answered)
    const { content } = await newest()
    assert.match(
      content,
      /^See:\n\n\[ü\.txt\]\(\/user_uploads\/1\/[^)]*\/ü\.txt\)\n\[ab\.txt\]\(\/user_uploads\/1\/[^)]*\.txt\)$/,
    )
    const path = /\((\/user_uploads\/[^)]*)\)/.exec(content)?.[1] ?? ''
    const link = await member.get<{ url: string }>(path.replace(/^\//, '/'))
    assert.equal(link.result, 'success', link.msg)
    assert.equal(await (await fetch(server.url + link.url)).text(), 'Contents.')
  })

  const odd: [string, string | Buffer, RegExp][] = [
    [
      'HTML alone, with a script',
      'Content-Type: text/html\r\n\r\n<p>Hello <b>you</b><script>x</script></p>\r\n',
      /^Hello \*\*you\*\*$/,
    ],
    [
      'an unknown character set',
      'Content-Type: text/plain; charset=x-unknown\r\n\r\nHello.\r\n',
      /^Hello\.$/,
    ],
    [
      'Latin-1',
      Buffer.from(
        'Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\u00fc\u00dfe\r\n',
        'latin1',
      ),
      /^Grüße$/,
    ],
    [
      'broken MIME',
      'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nHello',
      /^Hello$/,
    ],
    ['no headers', '\r\nHello.\r\n', /^Hello\.$/],
    ['nothing', '\r\n', /^\(No email body\)$/],
    [
      'far too much',
      `Subject: x\r\n\r\n${'word '.repeat(5000)}\r\n`,
      /word\n\[message truncated\]$|wor?d? ?\n\[message truncated\]$/,
    ],
  ]
  for (const [what, source, expected] of odd) {
    test(`takes ${what}`, async () => {
      assert.match(await mailTo(await addressOf('owner', channels.public), source), answered)
      const { content } = await newest()
      assert.match(content, expected)
      assert.ok([...content].length <= 10_000)
    })
  }

  test('takes a mail once that is sent again because the answer was lost', async () => {
    const address = await addressOf('owner', channels.public)
    const other = await addressOf('owner', channels.public, ids.owner)
    const before = (await newest()).id
    const mail = plainMail('x', 'Once.', 'Message-ID: <1@example.com>\r\n')
    for (const to of [address, address, other]) assert.match(await mailTo(to, mail), answered)
    assert.equal((await newest()).id, before + 2, 'once to each address')
  })

  test('ignores mail of this server that comes back', async () => {
    const before = await newest()
    const own = plainMail('x', 'Loop.', `List-Id: <messages.${new URL(server.url).hostname}>\r\n`)
    assert.match(await mailTo(await addressOf('owner', channels.public), own), answered)
    assert.equal((await newest()).id, before.id)
  })

  test('takes fifty mails in a minute in the organization, and more later', async () => {
    const address = await addressOf('owner', channels.public)
    for (let i = 0; i < 50; i++) await mailTo(address, plainMail('many', `Number ${i}.`))
    assert.match(
      await mailTo(address, plainMail('many', 'Too many.')),
      /^450 4\.7\.0 Too much mail/,
    )
    await pass(60)
    assert.match(await mailTo(address, plainMail('many', 'Later.')), answered)
  })
})

describe('the server refuses', () => {
  test('to relay, and addresses that it never gave', async () => {
    assert.match(
      await mailTo('ada@example.org', plainMail('x', 'y')),
      /^550 5\.7\.1 This server relays no mail/,
    )
    assert.match(
      await mailTo(`mm${'0'.repeat(32)}@mail.example.com`, plainMail('x', 'y')),
      noAddress,
    )
    assert.match(await mailTo(`${'0'.repeat(32)}@mail.example.com`, plainMail('x', 'y')), noAddress)
    assert.match(await mailTo('postmaster@mail.example.com', plainMail('x', 'y')), noAddress)
  })

  test('what is larger than an upload, announced or not', async () => {
    const address = await addressOf('owner', channels.public)
    const large = plainMail('x', 'x'.repeat(76).concat('\r\n').repeat(20_000))
    assert.match(await mailTo(address, large), /^552 /)
    const said = await converse([
      'EHLO x',
      'MAIL FROM:<a@b.c>',
      `RCPT TO:<${address}>`,
      'DATA',
      `${large}.`,
      'QUIT',
    ])
    assert.match(said.join('\n'), /^552 5\.3\.4 The mail is too large$/m)
  })

  test('passwords, and TLS with a key that everyone knows', async () => {
    const said = (await converse(['EHLO x', 'STARTTLS', 'AUTH PLAIN', 'QUIT'])).join('\n')
    assert.doesNotMatch(said, /^250[- ](STARTTLS|AUTH)/m)
    assert.match(said, /^50\d /m)
  })

  test('more recipients than a hundred, and gives each of several the mail once', async () => {
    const address = await addressOf('owner', channels.public)
    const direct = await addressOf('owner', channels.public, ids.owner)
    const before = (await newest()).id
    const said = await mailTo([address, direct, address.toUpperCase()], plainMail('x', 'To both.'))
    assert.match(said, answered)
    assert.equal((await newest()).id, before + 2)
    const secret = address.slice('denmark'.length)
    const many = Array.from({ length: 101 }, (_, i) => `RCPT TO:<x${i}${secret}>`)
    const talk = await converse(['EHLO x', 'MAIL FROM:<a@b.c>', ...many, 'QUIT'])
    assert.equal(talk.filter((line) => line.startsWith('452 4.5.3')).length, 1)
  })
})

test('no message of a mail is unread for its sender, and its program is email', async () => {
  const address = await addressOf('owner', channels.public, ids.owner)
  await mailTo(address, plainMail('x', 'Mine.'))
  const { id } = await newest()
  assert.equal(findMessage(server.server.context.store, id)?.client, 'email')
})

test('a server without a gateway has no addresses', async () => {
  const other = await startServer({ config: { smtpUrl: post.url } })
  after(other.close)
  const reply = await other.as('owner').get(`/streams/${channels.public}/email_address`)
  assert.equal(reply.email, '')
})

/** Says these lines one after the other, each after the answer to the one before. */
async function converse(lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  const said: string[] = []
  const rest = [...lines]
  for await (const line of createInterface({ input: socket })) {
    said.push(line)
    if (/^\d{3}-/.test(line)) continue
    const next = rest.shift()
    if (next === undefined) break
    socket.write(`${next}\r\n`)
  }
  socket.destroy()
  return said
}
