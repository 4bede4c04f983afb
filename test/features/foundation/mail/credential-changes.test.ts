import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { replaceScimToken } from '#features/access/scim/queries.ts'
import { deleteSecondFactor, replaceSecondFactor } from '#features/access/two-factor/queries.ts'
import { listKeptMails } from '#features/foundation/mail/kept.queries.ts'
import { startServer } from '#test/support/server.ts'
import { logInBrowser } from '#test/support/session-client.ts'

const server = await startServer({
  config: { keepMail: true, emailChangers: ['desdemona@zulip.com'] },
})
after(server.close)
const { store } = server.server.context
const hamlet = server.as('member')
const password = 'hamlet-password'
const session = await logInBrowser(server, hamlet.email)
const secondFactor = (isOn: boolean) =>
  store.write((tx) => {
    deleteSecondFactor(tx, hamlet.id)
    const factor = { userId: hamlet.id, secret: 'JBSWY3DPEHPK3PXP', lastStep: 0 }
    if (isOn) replaceSecondFactor(tx, { ...factor, isOn })
  })
const path = '/json/users/me/two_factor'
const changePassword = (client = hamlet) =>
  client.patch('/settings', { old_password: password, new_password: password })

describe('a mail tells the owner of an account of', () => {
  const table: [
    what: string,
    change: () => Promise<{ result: string }>,
    subject: RegExp,
    to: string[],
  ][] = [
    [
      'new recovery codes',
      async () => {
        await secondFactor(true)
        return await session('POST', `${path}/recovery_codes`, { password })
      },
      /New recovery codes/,
      ['hamlet@zulip.com'],
    ],
    [
      'a second factor that is switched off',
      () => session('DELETE', path, { password }),
      /Two-factor authentication is off/,
      ['hamlet@zulip.com'],
    ],
    [
      'a second factor that an administrator resets',
      async () => {
        await secondFactor(true)
        return await server.as('admin').del(`/users/${hamlet.id}/two_factor`)
      },
      /Two-factor authentication is off/,
      ['hamlet@zulip.com'],
    ],
    [
      'a new API key',
      () => server.as('cordelia').post('/users/me/api_key/regenerate'),
      /Your API key/,
      ['cordelia@zulip.com'],
    ],
    ['a new password', () => changePassword(), /Your password/, ['hamlet@zulip.com']],
    [
      'a new address by an owner',
      () => server.as('owner').patch(`/users/${server.ids.zoe}`, { new_email: 'zoe2@example.com' }),
      /Your address/,
      ['ZOE@zulip.com', 'zoe2@example.com'],
    ],
    [
      'a new address by SCIM',
      async () => {
        const token = await store.write(replaceScimToken)
        const response = await fetch(`${server.url}/scim/v2/Users/${server.ids.othello}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
          body: JSON.stringify({
            Operations: [{ op: 'replace', path: 'userName', value: 'moor@example.com' }],
          }),
        })
        return { result: response.ok ? 'success' : await response.text() }
      },
      /Your address/,
      ['othello@zulip.com', 'moor@example.com'],
    ],
  ]
  for (const [what, change, subject, to] of table) {
    test(what, async () => {
      const before = listKeptMails(store).length
      const reply = await change()
      assert.equal(reply.result, 'success', JSON.stringify(reply))
      await server.settled()
      const mails = listKeptMails(store).slice(before)
      assert.deepEqual(mails.map((mail) => mail.to).sort(), [...to].sort())
      for (const mail of mails) assert.match(mail.subject, subject)
    })
  }
})
