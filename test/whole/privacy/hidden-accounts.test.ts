import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fixedClock } from '#platform/clock.ts'
import { mailLinks, outgoingMail } from '#platform/store/schema.ts'
import { createApp } from '#program/app.ts'
import { openContext } from '#program/context.ts'
import { seedFixture } from '#program/fixture/seed.ts'
import { sealOf } from '#test/support/browser.ts'
import { failure } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ config: { webPublicChannels: false } })
after(server.close)

describe('a direct message by an address', () => {
  const content = 'Hello?'
  const hidden = { address: 'cordelia@zulip.com', id: server.ids.cordelia }
  const send = (to: unknown) =>
    server.as('member').post('/messages', { type: 'direct', to, content })
  const unknown = (address: string) => failure(`Invalid email '${address}'`) as { msg: string }

  // The values of the setting: 1 everyone, 2 members, 3 admins, 4 nobody, 5 moderators.
  for (const visibility of [3, 4, 5]) {
    test(`that the sender may not see fails like one without an account (${visibility})`, async () => {
      await server.as('cordelia').patch('/settings', { email_address_visibility: visibility })
      for (const address of [hidden.address, ' CORDELIA@zulip.com', 'nobody@zulip.com']) {
        const asWritten = address.trim()
        for (const to of [address, [address], [address, 'user12@zulipdev.com']]) {
          const reply = await send(to)
          assert.equal(reply.result, 'error', address)
          assert.equal(reply.msg.replace(address, asWritten), unknown(asWritten).msg)
          assert.equal(reply.code, 'BAD_REQUEST')
        }
      }
      const both = await send('user12@zulipdev.com,cordelia@zulip.com')
      assert.deepEqual(both, unknown('cordelia@zulip.com'))
      for (const to of [[hidden.id], 'user8@zulipdev.com']) {
        assert.equal((await send(to)).result, 'success', 'the account itself is no secret')
      }
      const byAdmin = await server
        .as(visibility === 4 ? 'cordelia' : 'admin')
        .post('/messages', { type: 'direct', to: hidden.address, content })
      assert.equal(byAdmin.result, 'success')
    })
  }

  test('that the sender may see succeeds', async () => {
    await server.as('cordelia').patch('/settings', { email_address_visibility: 1 })
    assert.equal((await send(hidden.address)).result, 'success')
  })
})

describe('without an account', () => {
  const notLoggedIn = failure(
    'Not logged in: API authentication or user session required',
    'UNAUTHORIZED',
  )
  // biome-ignore format: a matrix reads best in columns
  const matrix: [operator: boolean, organization: boolean][] = [
    [false, false],
    [false, true],
    [true,  false],
    [true,  true],
  ]
  for (const [operator, organization] of matrix) {
    const isOpen = operator && organization
    test(`users are ${isOpen ? 'listed' : 'not listed'}: ${operator}, ${organization}`, async () => {
      const one = await startServer({ config: { webPublicChannels: true } })
      const owner = one.as('owner')
      await owner.patch('/realm', { enable_spectator_access: organization })
      // The operator's mind changes with a start; the organization's setting stays.
      Object.assign(one.server.context.config, { webPublicChannels: operator })
      const reply = await one.anonymous.get<{ members: unknown[] }>('/users')
      if (isOpen) assert.ok(reply.members.length > 5)
      else assert.deepEqual(reply, notLoggedIn)
      await one.close()
    })
  }
})

describe('a request for mail', () => {
  const config = { smtpUrl: 'smtp://127.0.0.1:9', logLevel: 'silent', rateLimits: false }
  // Both requests at one time, which they write down.
  const clock = fixedClock(Date.now())
  // Without its jobs, so that what a request does itself stays visible.
  const context = openContext({ data: ':memory:', fixture: true, config, clock }, ':memory:')
  const app = createApp(() => context)
  const { db } = context.store
  after(() => context.store.close())
  before(async () => {
    // Anyone may join it.
    await seedFixture(context, {})
  })

  /** What a request for mail leaves in the database, without secrets and addresses. */
  async function traces(path: string, email: string): Promise<object> {
    db.delete(mailLinks).run()
    db.delete(outgoingMail).run()
    const site = 'http://localhost'
    const form = await app.fetch(new Request(site + path))
    const [cookie = ''] = form.headers.getSetCookie()
    const body = new URLSearchParams({ form: sealOf(await form.text()), email })
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const reply = await app.fetch(new Request(site + path, { method: 'POST', headers, body }))
    const { status } = reply
    const text = (await reply.text()).replaceAll(email, 'ADDRESS')
    const links = db.select().from(mailLinks).all()
    return {
      status,
      text,
      links: links.map(({ keyHash: _, email: to, ...link }) => ({ ...link, isOwn: to === email })),
      mails: db.select().from(outgoingMail).all().length,
    }
  }

  for (const path of ['/accounts/password/reset/', '/register/']) {
    test(`${path} replies and takes the same steps whether or not the address has an account`, async () => {
      const known = await traces(path, 'hamlet@zulip.com')
      assert.deepEqual(await traces(path, 'nobody@example.com'), known)
      assert.deepEqual(Object.keys((known as { links: object[] }).links), ['0'])
    })
  }
})
