import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { sendMail } from '#features/foundation/mail/jobs.ts'
import { insertMail } from '#features/foundation/mail/queries.ts'
import { openBrowser } from '#test/support/browser.ts'
import { requireMailHtml } from '#test/support/mail-html.ts'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({
  socket: true,
  config: { smtpUrl: post.url, mailFrom: 'Office <office@example.org>' },
})
after(server.close)
afterEach(() => post.refuse({}))

const owner = server.as('owner')
const member = server.as('member')
const browser = () => openBrowser(server.url)
const { ids } = server

await owner.patch('/realm', { send_welcome_emails: false })

/** What the mail server has got by now. */
async function mails(): Promise<ReceivedMail[]> {
  await server.settled()
  const got = post.take()
  for (const { html } of got) requireMailHtml(html)
  return got
}

/** The one mail that is there now. */
async function mail(): Promise<ReceivedMail> {
  const [one, ...more] = await mails()
  assert.ok(one)
  assert.deepEqual(more, [])
  return one
}

/** The path of the link in a mail. */
function linkIn({ text }: ReceivedMail): string {
  const [, path] = new RegExp(`${server.url}(/\\S+)`).exec(text) ?? []
  assert.ok(path, text)
  return path
}

let count = 0
const address = () => `person${++count}@example.com`
const invite = (invitee_emails: string, params: CallParams = {}) =>
  owner.post('/invites', { invitee_emails, stream_ids: [], ...params })

interface Invite {
  id: number
  email?: string
}
const invites = async () => (await owner.get<{ invites: Invite[] }>('/invites')).invites

describe('POST /invites', () => {
  test('sends a mail with a link, by which its reader joins with that address', async () => {
    const email = address()
    const queue = await owner.watch('invites_changed')
    const given = { stream_ids: [4], invite_as: 300, welcome_message_custom_text: 'Hello.' }
    assert.deepEqual(await invite(email, given), success)
    assert.deepEqual(await queue.drain(), [{ type: 'invites_changed' }])
    const listed = (await invites()).find((one) => one.email === email)
    assert.deepEqual(listed, {
      id: listed?.id,
      invited_by_user_id: ids.owner,
      invited: Math.floor(server.clock.now() / 1000),
      expiry_date: Math.floor(server.clock.now() / 1000) + 14_400 * 60,
      invited_as: 300,
      is_multiuse: false,
      notify_referrer_on_join: true,
      email,
    })
    const got = await mail()
    assert.deepEqual([got.from, got.to], ['office@example.org', [email]])
    assert.equal(got.headers.from, 'Office <office@example.org>')
    assert.equal(got.headers.subject, 'Invitation to Zulip Dev')
    assert.equal(got.headers['auto-submitted'], 'auto-generated')
    assert.equal(Date.parse(got.headers.date ?? ''), server.clock.now())
    assert.match(got.text, /^Desdemona has invited you to join Zulip Dev, a team chat\.\n/)
    assert.match(got.html, /<p>Desdemona has invited you to join Zulip Dev, a team chat\.<\/p>/)
    assert.ok(got.html.includes(`href="${server.url}${linkIn(got)}"`))
    const link = linkIn(got)
    const form = await browser().go(link)
    assert.match(form.text, new RegExp(email))
    assert.equal(form.text.includes('name="email"'), false)
    const told = await owner.watch('message')
    const typed = { full_name: 'Nina New', password: 'correct horse', email: 'else@example.com' }
    const user = browser()
    assert.equal((await user.fill(link, typed)).status, 303)
    assert.match((await user.go('/connect')).text, new RegExp(email))
    const messages = (await told.drain()) as unknown as { message: { content: string } }[]
    assert.match(
      messages[0]?.message.content ?? '',
      /Nina New.*accepted your invitation and has joined\./,
    )
    assert.equal((await browser().go(link)).status, 404, 'it works once')
    assert.equal(
      (await invites()).some((one) => one.email === email),
      false,
    )
  })

  test('says nothing to the inviter who does not want to know', async () => {
    await invite(address(), { notify_referrer_on_join: false })
    const link = linkIn(await mail())
    const told = await owner.watch('message')
    await browser().fill(link, { full_name: 'Nils New', password: 'correct horse' })
    assert.deepEqual(await told.drain(), [])
  })

  test('takes addresses apart by commas and lines, and each once', async () => {
    const [a, b, c] = [address(), address(), address()]
    await invite(`${a}, ${b}\n${c}\n\n${a}`)
    assert.deepEqual(
      (await mails()).map(({ to }) => to[0]),
      [a, b, c],
    )
  })

  describe('finds the addresses in a list as people copy it', () => {
    // biome-ignore format: a table reads best in columns
    const lists: [string, (a: string, b: string) => string][] = [
      ['with names',                 (a, b) => `Ada Example <${a}>, Bob <${b}>`],
      ['with and without a name',    (a, b) => `Ada Example <${a}>, ${b}`],
      ['with a comma in a name',     (a, b) => `"Example, Ada" <${a}>; "Bob \\"B\\" Roe"<${b}>`],
      ['as the address twice',       (a, b) => `${a} <${a}>\r\n<${b}>`],
      ['with nothing but blanks',    (a, b) => `${a} ${b}`],
      ['with semicolons and tabs',   (a, b) => `${a};\t< ${b} >;`],
    ]
    for (const [what, list] of lists) {
      test(what, async () => {
        const [a, b] = [address(), address()]
        assert.deepEqual(await invite(list(a, b)), success)
        assert.deepEqual(
          (await mails()).map(({ to }) => to[0]),
          [a, b],
        )
      })
    }
  })

  test('tells which addresses got none, and why; what was sent stays sent', async () => {
    const email = address()
    const reply = await invite(`${email}, AARON@zulip.com, nobody, a@mailinator.com`)
    assert.deepEqual(reply, {
      ...failure('These addresses could not be invited; all others were.', 'INVITATION_FAILED'),
      errors: [
        ['AARON@zulip.com', 'Already has an account.', false],
        ['nobody', 'This is not an email address.', false],
        ['a@mailinator.com', 'Please use your real email address.', false],
      ],
      sent_invitations: true,
      license_limit_reached: false,
      daily_limit_reached: false,
    })
    assert.deepEqual((await mail()).to, [email])
  })

  test('sends nothing to those who have an account alone, deactivated or not', async () => {
    await owner.del(`/users/${ids.zoe}`)
    const reply = await invite('ZOE@zulip.com')
    assert.deepEqual(reply, {
      ...failure('None of these addresses could be invited.', 'INVITATION_FAILED'),
      errors: [['ZOE@zulip.com', 'Account has been deactivated.', true]],
      sent_invitations: false,
      license_limit_reached: false,
      daily_limit_reached: false,
    })
    assert.deepEqual(await mails(), [])
  })

  describe('refuses, and sends nothing', () => {
    const emails = { invitee_emails: 'x@example.com' }
    // biome-ignore format: a table reads best in columns
    const table: [string, CallParams, string, string][] = [
      ['no address',          { invitee_emails: ' ,\n', stream_ids: [] },  'BAD_REQUEST', 'You must specify at least one email address.'],
      ['no stream_ids',       { ...emails },                               'REQUEST_VARIABLE_MISSING', "Missing 'stream_ids' argument"],
      ['no addresses at all', { stream_ids: [] },                          'REQUEST_VARIABLE_MISSING', "Missing 'invitee_emails' argument"],
      ['an unknown channel',  { ...emails, stream_ids: [999] },            'BAD_REQUEST', 'Invalid channel ID'],
      ['an unknown role',     { ...emails, stream_ids: [], invite_as: 7 }, 'BAD_REQUEST', 'Invalid invite_as'],
      ['too much',            { invitee_emails: 'x'.repeat(60_000), stream_ids: [] }, 'BAD_REQUEST', 'invitee_emails is too long (limit: 50000 characters)'],
    ]
    for (const [what, params, code, msg] of table) {
      test(what, async () => {
        const reply = await owner.post('/invites', params)
        assert.deepEqual([reply.code, reply.msg], [code, msg])
        assert.deepEqual(await mails(), [])
      })
    }

    test('who may not invite', async () => {
      const insufficient = failure('Insufficient permission')
      const params = { ...emails, stream_ids: [] }
      assert.deepEqual(await server.as('guest').post('/invites', params), insufficient)
      const more = { ...params, invite_as: 200 }
      assert.deepEqual(await member.post('/invites', more), insufficient)
    })

    test('more than 500 in a day', async () => {
      const many = Array.from({ length: 501 }, (_, i) => `many${i}@example.com`).join(',')
      const reply = await invite(many)
      assert.deepEqual([reply.code, reply.daily_limit_reached], ['INVITATION_FAILED', true])
      assert.deepEqual(await mails(), [])
    })
  })

  test('resending sends the same link again, revoking ends it', async () => {
    const email = address()
    await invite(email)
    const link = linkIn(await mail())
    const { id = 0 } = (await invites()).find((one) => one.email === email) ?? {}
    assert.deepEqual(await owner.post(`/invites/${id}/resend`), success)
    assert.equal(linkIn(await mail()), link)
    const noSuch = failure('No such invitation')
    assert.deepEqual(await member.post(`/invites/${id}/resend`), noSuch)
    assert.deepEqual(await member.del(`/invites/${id}`), noSuch)
    assert.deepEqual(await owner.del(`/invites/multiuse/${id}`), noSuch, 'is no link')
    for (let i = 1; i < 5; i++) {
      server.clock.advance(3600_000)
      assert.deepEqual(await owner.post(`/invites/${id}/resend`), success)
    }
    const often = failure('This invitation has been sent too often.')
    assert.deepEqual(await owner.post(`/invites/${id}/resend`), often)
    // The inviter gets mail as well: about the messages that tell who has joined.
    assert.equal((await mails()).filter(({ to }) => to.includes(email)).length, 4)
    assert.deepEqual(await owner.del(`/invites/${id}`), success)
    assert.deepEqual(await owner.post(`/invites/${id}/resend`), noSuch)
    assert.equal((await browser().go(link)).status, 404)
    assert.deepEqual(await mails(), [])
  })
})

describe('joining by a link that many may use', () => {
  const makeLink = async () => {
    const reply = await owner.post<{ invite_link: string }>('/invites/multiuse')
    return new URL(reply.invite_link).pathname
  }

  test('asks for the address first, and goes on by a link that is sent to it', async () => {
    const link = await makeLink()
    const email = address()
    const first = await browser().go(link)
    assert.equal(first.text.includes('name="password"'), false)
    const sent = await browser().fill(link, { email })
    assert.match(sent.text, /We have sent an email/)
    const next = linkIn(await mail())
    const user = browser()
    const typed = { full_name: 'Mia Mail', password: 'correct horse' }
    assert.equal((await user.fill(next, typed)).status, 303)
    assert.match((await user.go('/connect')).text, new RegExp(email))
    assert.equal((await browser().go(next)).status, 404, 'it works once')
  })

  test('does not tell whether an address has an account; its owner hears of it', async () => {
    const link = await makeLink()
    const [known, unknown] = ['hamlet@zulip.com', address()]
    const pages = [
      await browser().fill(link, { email: known }),
      await browser().fill(link, { email: unknown }),
    ].map(({ status, text }) => [status, text.replaceAll(known, 'X').replaceAll(unknown, 'X')])
    assert.deepEqual(pages[0], pages[1])
    const [toKnown, toUnknown] = await mails()
    assert.match(toKnown?.text ?? '', /which already has an account/)
    assert.match(toUnknown?.text ?? '', /\/register\//)
  })

  test('the confirmation ends with the invitation, and after a day', async () => {
    for (const end of [
      async () => {
        const { invites: all } = await owner.get<{ invites: Invite[] }>('/invites')
        await owner.del(`/invites/multiuse/${all.at(-1)?.id}`)
      },
      async () => server.clock.advance(24 * 3600 * 1000),
    ]) {
      await browser().fill(await makeLink(), { email: address() })
      const next = linkIn(await mail())
      assert.equal((await browser().go(next)).status, 200)
      await end()
      assert.equal((await browser().go(next)).status, 404)
    }
  })
})

describe('PATCH /settings with an address', () => {
  test('changes it when the link is opened that goes to the new one, and tells the old one', async () => {
    const queue = await server.as('admin').watch('realm_user')
    assert.deepEqual(await member.patch('/settings', { email: 'prince@example.com' }), success)
    assert.deepEqual(await queue.drain(), [])
    const got = await mail()
    assert.deepEqual(got.to, ['prince@example.com'])
    const user = browser()
    const link = linkIn(got)
    const page = await user.go(link)
    assert.match(page.text, /prince@example\.com/)
    assert.deepEqual(await queue.drain(), [], 'looking at the page changes nothing')
    assert.equal((await user.go(link, { form: 'x' })).status, 400, 'nor does another site')
    assert.match((await user.fill(link, {})).text, /you log in with <strong>prince@example\.com/)
    const changes = (await queue.drain()).map(({ person }) => person)
    assert.deepEqual(changes, [{ user_id: ids.member, delivery_email: 'prince@example.com' }])
    assert.deepEqual((await mail()).to, ['hamlet@zulip.com'])
    assert.equal((await user.go(link)).status, 404, 'it works once')
  })

  test('the newest of several links counts', async () => {
    const othello = server.as('othello')
    await othello.patch('/settings', { email: 'one@example.com' })
    await othello.patch('/settings', { email: 'two@example.com' })
    const [one, two] = (await mails()).map(linkIn)
    assert.equal((await browser().go(one ?? '')).status, 404)
    assert.equal((await browser().go(two ?? '')).status, 200)
  })

  // biome-ignore format: a table reads best in columns
  const table: [string, string, RegExp][] = [
    ['what is no address', 'here',               /This is not an email address/],
    ['a bot’s',            'default-bot@zulip.com', /already in use/],
    ['a placeholder',      'user9@zulipdev.com', /already in use/],
    ['a throw-away one',   'a@mailinator.com',   /real email address/],
    ['an empty one',       '',                   /missing/],
  ]
  for (const [what, email, message] of table) {
    test(`refuses ${what}`, async () => {
      const reply = await server.as('prospero').patch('/settings', { email })
      assert.match(reply.msg, message)
      assert.deepEqual(await mails(), [])
    })
  }

  test('does not tell whether an address has an account that hides it; its owner hears of it', async () => {
    const prospero = server.as('prospero')
    const replies = [
      await prospero.patch('/settings', { email: 'IAGO@zulip.com' }),
      await prospero.patch('/settings', { email: 'nobody-else@example.com' }),
    ]
    assert.deepEqual(replies, [success, success])
    const [toKnown, toUnknown] = await mails()
    assert.match(toKnown?.text ?? '', /It already belongs to another account/)
    assert.doesNotMatch(toKnown?.text ?? '', /http/)
    assert.match(linkIn(toUnknown as ReceivedMail), /confirm_new_email/)
    const seen = await owner.patch('/settings', { email: 'iago@zulip.com' })
    assert.match(seen.msg, /already in use/, 'who may see the address may know')
    await owner.patch('/realm', { emails_restricted_to_domains: true })
    const refusals = ['hamlet@zulip.com', 'nobody@zulip.com'].map(
      async (email) => (await prospero.patch('/settings', { email })).result,
    )
    assert.deepEqual(new Set(await Promise.all(refusals)).size, 1)
    await owner.patch('/realm', { emails_restricted_to_domains: false })
    await mails()
  })

  test('is forbidden where email_changes_disabled says so, but for administrators', async () => {
    await server.as('prospero').patch('/settings', { email: 'early@example.com' })
    const early = linkIn(await mail())
    await owner.patch('/realm', { email_changes_disabled: true })
    const reply = await server.as('prospero').patch('/settings', { email: 'p@example.com' })
    assert.deepEqual(reply, failure('Email address changes are disabled in this organization.'))
    assert.match((await browser().fill(early, {})).text, /changes are disabled/)
    assert.deepEqual(
      await server.as('admin').patch('/settings', { email: 'i@example.com' }),
      success,
    )
    assert.deepEqual((await mail()).to, ['i@example.com'])
    await owner.patch('/realm', { email_changes_disabled: false })
  })

  test('changes it at once on a server that sends no mail', async () => {
    const bare = await startServer()
    try {
      assert.deepEqual(
        await bare.as('member').patch('/settings', { email: 'h@example.com' }),
        success,
      )
      const me = await bare
        .as('owner')
        .get<{ user: { delivery_email: string } }>(`/users/${ids.member}`)
      assert.equal(me.user.delivery_email, 'h@example.com')
    } finally {
      await bare.close()
    }
  })
})

describe('a forgotten password', () => {
  const path = '/accounts/password/reset/'
  const email = 'cordelia@zulip.com'

  async function logIn(password: string) {
    const reply = await server.anonymous.post('/fetch_api_key', { username: email, password })
    return reply.result
  }

  test('is replaced by way of a mail, and nobody else stays logged in', async () => {
    const page = await browser().fill(path, { email: ' CORDELIA@zulip.com' })
    assert.match(page.text, /Check your email/)
    const got = await mail()
    assert.deepEqual(got.to, [email])
    const link = linkIn(got)
    const user = browser()
    const long = await user.fill(link, { password: 'x'.repeat(101) })
    assert.deepEqual([long.status, /too long/.test(long.text)], [400, true])
    assert.equal((await user.go(link, { form: 'x', password: 'correct horse' })).status, 400)
    assert.equal((await user.fill(link, { password: 'another horse' })).status, 303)
    assert.equal(await logIn('another horse'), 'success')
    assert.match((await user.go('/connect')).text, /You are logged in as Cordelia/)
    assert.equal((await browser().go(link)).status, 404, 'the link works once')
    for (const { headers } of await mails()) assert.match(headers.subject ?? '', /login|password/)
  })

  test('looks the same for addresses that have no account, and those of bots', async () => {
    const known = await browser().fill(path, { email: 'prospero@zulip.com' })
    await mails()
    for (const other of [
      'nobody@example.com',
      'default-bot@zulip.com',
      'ZOE@zulip.com',
      '',
      'x\n',
    ]) {
      const page = await browser().fill(path, { email: other })
      assert.deepEqual([page.status, page.text], [known.status, known.text])
    }
    assert.deepEqual(await mails(), [])
  })

  test('the link ends after a day', async () => {
    await browser().fill(path, { email })
    const link = linkIn(await mail())
    server.clock.advance(24 * 3600 * 1000)
    assert.equal((await browser().go(link)).status, 404)
    assert.equal((await browser().go(link, { form: 'x', password: 'correct horse' })).status, 404)
  })

  test('cannot be replaced where no mail is sent', async () => {
    const bare = await startServer()
    try {
      const page = await openBrowser(bare.url).go(path)
      assert.deepEqual([page.status, /cannot send email/.test(page.text)], [404, true])
      assert.match(page.text, /<a class="button" href="\/login\/">/, 'with the way back')
      assert.equal((await openBrowser(bare.url).go(path, { email })).status, 404)
    } finally {
      await bare.close()
    }
  })
})

describe('send_welcome_emails', () => {
  for (const isOn of [true, false]) {
    test(`${isOn}: who joins gets ${isOn ? 'a mail' : 'none'} that says how to come back`, async () => {
      await owner.patch('/realm', { send_welcome_emails: isOn })
      const email = address()
      await owner.post('/users', { email, full_name: `Name ${count}`, password: 'correct horse' })
      const got = await mails()
      assert.deepEqual(
        got.map(({ to }) => to[0]),
        isOn ? [email] : [],
      )
      const [mail] = got
      if (mail) {
        assert.equal(mail.headers.subject, 'Welcome to Zulip Dev')
        assert.ok(mail.text.includes(`Server address: ${server.url}\nEmail address: ${email}`))
      }
    })
  }
})

describe('deactivation_notification_comment', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, RegExp | undefined][] = [
    ['absent, nothing is sent',     {},                                              undefined],
    ['null, nothing is sent',       { deactivation_notification_comment: null },     undefined],
    ['empty, a mail says it',       { deactivation_notification_comment: '' },       /can no longer log in\.\n\n?$/],
    ['text, the mail has it',       { deactivation_notification_comment: 'Fare\nwell!' }, /wrote:\n\n> Fare\n> well!\n/],
  ]
  for (const [what, params, text] of table) {
    test(what, async () => {
      await owner.del(`/users/${ids.othello}`, params)
      const got = await mails()
      assert.deepEqual(
        got.map(({ to }) => to[0]),
        text ? ['othello@zulip.com'] : [],
      )
      if (text) assert.match(got[0]?.text ?? '', text)
      await owner.post(`/users/${ids.othello}/reactivate`)
    })
  }
})

describe('mail about logins', () => {
  const moderator = server.as('moderator')
  const known = { username: moderator.email, password: 'shiva-password' }
  const logIn = (login: CallParams) => server.anonymous.post('/fetch_api_key', login)
  const links = ({ headers }: ReceivedMail) =>
    /<(.*)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? assert.fail()

  test('tells when, from where and with what, and ends by the button behind its link', async () => {
    await moderator.patch('/settings', { timezone: 'America/Los_Angeles' })
    assert.equal((await logIn(known)).msg, '')
    const got = await mail()
    assert.match(got.text, /^Someone logged in to Zulip Dev with your password\.\n/)
    assert.match(got.text, /Time: .+ GMT-8\nNetwork address: 127\.0\.0\.1\nBrowser or app: node\n/)
    const link = links(got)
    for (const wrong of [link.replace('/login/', '/missed_messages/'), link.replace('-', '1-')]) {
      assert.equal((await fetch(wrong, { method: 'POST' })).status, 404)
    }
    assert.match(await (await fetch(link)).text(), /new logins to your account/)
    await logIn(known)
    assert.equal((await mails()).length, 1)
    assert.equal((await fetch(link, { method: 'POST' })).status, 200)
    await logIn(known)
    assert.deepEqual(await mails(), [])
    await moderator.patch('/settings', { enable_login_emails: true, timezone: 'UTC' })
  })

  test('does not come in the first minute of an account', async () => {
    const login = { email: address(), password: 'a long password' }
    await owner.post('/users', { ...login, full_name: 'Nora New' })
    const enter = () => logIn({ username: login.email, password: login.password })
    server.clock.advance(59_000)
    assert.equal((await enter()).result, 'success')
    assert.deepEqual(await mails(), [])
    server.clock.advance(1000)
    await enter()
    assert.deepEqual((await mail()).to, [login.email])
  })
})

describe('a mail server that is away', () => {
  const minute = 60_000

  test('gets the mail later: after one minute, two, four', async () => {
    post.refuse({ message: '451 not now' })
    await invite(address())
    assert.deepEqual(await mails(), [])
    for (const minutes of [1, 2]) {
      server.clock.advance(minutes * minute)
      assert.deepEqual(await mails(), [])
    }
    post.refuse({})
    server.clock.advance(4 * minute - 1)
    assert.deepEqual(await mails(), [])
    server.clock.advance(1)
    assert.equal((await mails()).length, 1)
  })

  test('does not keep the server from stopping, however much there is to send', async () => {
    const { context } = server.server
    const waiting = { address: address(), subject: 'Later', body: 'There is time.', dueAt: 0 }
    await context.store.write((tx) => insertMail(tx, waiting))
    await sendMail.run(context, AbortSignal.abort())
    assert.deepEqual(post.take(), [])
    await sendMail.run(context, new AbortController().signal)
    assert.deepEqual(post.take()[0]?.to, [waiting.address])
  })

  test('does not get what it will never take', async () => {
    post.refuse({ recipient: '550 nobody here' })
    await invite(address())
    await server.settled()
    post.refuse({})
    server.clock.advance(24 * 60 * minute)
    assert.deepEqual(await mails(), [])
  })

  test('is given up after ten tries', async () => {
    post.refuse({ message: '451 not now' })
    await invite(address())
    for (let i = 0; i < 10; i++) {
      await server.settled()
      server.clock.advance(600 * minute)
    }
    await server.settled()
    post.refuse({})
    server.clock.advance(600 * minute)
    assert.deepEqual(await mails(), [])
    const { db } = server.server.context.store
    assert.equal(db.$client.prepare('SELECT count(*) FROM outgoing_mail').pluck().get(), 0)
  })
})
