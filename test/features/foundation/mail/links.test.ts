import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readConfig } from '#program/config.ts'
import { openBrowser } from '#test/support/browser.ts'
import { success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'
import { type ReceivedMail, startMailServer } from '#test/support/smtp.ts'

const post = await startMailServer()
after(post.close)
const server = await startServer({
  expose: true,
  config: { smtpUrl: post.url, emailChangers: ['desdemona@zulip.com'] },
})
after(server.close)

const owner = server.as('owner')
const browser = () => openBrowser(server.url)
const resetPath = '/accounts/password/reset/'

/** The one mail that is there now. */
async function mail(): Promise<ReceivedMail> {
  await server.settled()
  const [one, ...more] = post.take()
  assert.ok(one)
  assert.deepEqual(more, [])
  return one
}

/** What the mails that are there now are about, in the order of the alphabet. */
async function subjects(): Promise<string[]> {
  await server.settled()
  return post
    .take()
    .map(({ headers }) => headers.subject ?? '')
    .sort()
}

/** The address of the link in the one mail that is there now. */
async function link(): Promise<URL> {
  const { text } = await mail()
  const [found] = /https?:\/\/\S+/.exec(text) ?? []
  assert.ok(found, text)
  return new URL(found)
}

describe('a link in a mail leads to the server, whatever host the request named', () => {
  const seal = 'ab'.repeat(32)
  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { cookie: `parley_form=${seal}` },
    body: new URLSearchParams({ form: seal, ...fields }),
  })
  const call = (method: string, fields: Record<string, string>): RequestInit => ({
    method,
    headers: { authorization: `Basic ${btoa(`${owner.email}:${owner.apiKey}`)}` },
    body: new URLSearchParams(fields),
  })
  // biome-ignore format: a table reads best in columns
  const table: [string, () => Promise<string> | string, RequestInit][] = [
    ['to replace a password', () => resetPath,      form({ email: 'cordelia@zulip.com' })],
    ['to join',               () => joinPath(),     form({ email: 'new@example.com' })],
    ['to join, invited',      () => '/api/v1/invites', call('POST', { invitee_emails: 'x@example.com', stream_ids: '[]' })],
    ['to change an address',  () => '/api/v1/settings', call('PATCH', { email: 'mona@example.com' })],
  ]
  for (const [what, path, init] of table) {
    test(what, async () => {
      const request = new Request(`http://elsewhere.example${await path()}`, init)
      assert.equal((await server.server.fetch(request)).status, 200)
      assert.equal((await link()).origin, server.url)
    })
  }

  async function joinPath(): Promise<string> {
    const { invite_link } = await owner.post<{ invite_link: string }>('/invites/multiuse')
    return new URL(invite_link).pathname
  }
})

test('a server that sends mail has to be told its address', () => {
  const mailOnly = { PARLEY_SMTP_URL: 'smtp://mail.example.com' }
  assert.throws(() => readConfig(mailOnly), /PARLEY_URL/)
  const both = { ...mailOnly, PARLEY_URL: 'https://chat.example.com' }
  assert.equal(readConfig(both).smtpUrl, mailOnly.PARLEY_SMTP_URL)
})

describe('a link in a mail ends', () => {
  const isOpen = async (url: URL) => (await browser().go(url.pathname)).status === 200

  async function askReset(email: string): Promise<URL> {
    await browser().fill(resetPath, { email })
    return await link()
  }

  test('that changes an address, when the password is replaced by mail', async () => {
    await server.as('othello').patch('/settings', { email: 'thief@example.com' })
    const change = await link()
    const reset = await askReset('othello@zulip.com')
    assert.ok(await isOpen(change))
    await browser().fill(reset.pathname, { password: 'another horse' })
    assert.equal(await isOpen(change), false)
    assert.deepEqual(await subjects(), [
      'New login to Zulip Dev',
      'Your password at Zulip Dev was changed',
    ])
  })

  test('that changes an address, when the password is changed', async () => {
    const othello = server.as('othello')
    await othello.patch('/settings', { email: 'thief@example.com' })
    const change = await link()
    const passwords = { old_password: 'another horse', new_password: 'a third horse' }
    assert.deepEqual(await othello.patch('/settings', passwords), success)
    assert.equal(await isOpen(change), false)
    assert.deepEqual(await subjects(), ['Your password at Zulip Dev was changed'])
  })

  test('that replaces a password, when an owner changes the address it went to', async () => {
    const reset = await askReset('prospero@zulip.com')
    assert.ok(await isOpen(reset))
    const id = server.ids.prospero
    assert.deepEqual(await owner.patch(`/users/${id}`, { new_email: 'p@example.com' }), success)
    assert.equal(await isOpen(reset), false)
  })
})
