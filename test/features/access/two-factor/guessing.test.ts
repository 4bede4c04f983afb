import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { newSecret } from '#features/access/two-factor/codes.ts'
import { deleteSecondFactor, replaceSecondFactor } from '#features/access/two-factor/queries.ts'
import { listKeptMails } from '#features/foundation/mail/kept.queries.ts'
import { codeBudget } from '#platform/http/code-guesses.ts'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({
  config: { rateLimits: true, keepMail: true, trustedProxies: ['127.0.0.0/8'] },
})
after(server.close)
const { clock } = server
const { store } = server.server.context

let networks = 0
/** A network that nobody has come from. */
const newNetwork = () => `10.1.${networks >> 8}.${networks++ & 255}`

/** A browser of someone in this network, by their password at the page that asks for a code. */
async function atCodePage(network: string, password = 'hamlet-password') {
  const browser = openBrowser(server.url, { 'x-forwarded-for': network })
  const typed = { email: 'hamlet@zulip.com', password }
  const { text, status } = await browser.fill('/login/', typed)
  const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
  const submit = async (code: string) =>
    (await browser.go('/accounts/login/code/', { form: sealOf(text), attempt, code })).status
  return { status, submit }
}

let secret = ''
const rightCode = () =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

beforeEach(async () => {
  // Another password begins anew, as does another account.
  await server.as('member').patch('/settings', {
    old_password: 'hamlet-password',
    new_password: 'hamlet-password',
  })
  clock.advance(400 * 24 * 3600_000)
  secret = newSecret()
  const userId = server.ids.member
  await store.write((tx) => {
    deleteSecondFactor(tx, userId)
    replaceSecondFactor(tx, { userId, secret, isOn: true, lastStep: 0 })
  })
})

/** Enters wrong codes until none is compared anymore. @returns how many were */
async function guessOn(): Promise<number> {
  for (let guessed = 0; guessed < 1000; ) {
    const { submit } = await atCodePage(newNetwork())
    for (let i = 0; i < 10; i++, guessed++) {
      if ((await submit('000000')) === 429) return guessed
    }
  }
  throw new Error('Nobody stops it.')
}

describe('someone who has the password, but not the second factor', () => {
  test('gets 20 codes from all networks together, and each pause is twice the one before', async () => {
    assert.equal(await guessOn(), codeBudget.tokens)
    for (const hours of [1, 2, 4]) {
      clock.advance(hours * 3600_000 - 1000)
      assert.equal(await guessOn(), 0)
      clock.advance(1000)
      assert.equal(await guessOn(), codeBudget.tokens, `after ${hours} hours`)
    }
  })

  test('is not known in the network by it, and locks nobody out', async () => {
    const home = newNetwork()
    const owner = await atCodePage(home)
    assert.equal(await owner.submit(rightCode()), 303)
    const attackers = Array.from({ length: 9 }, newNetwork)
    for (const network of attackers) await atCodePage(network)
    await guessOn()
    clock.advance(31_000)
    const again = await atCodePage(home)
    assert.equal(again.status, 200)
    assert.equal(await again.submit(rightCode()), 303)
  })

  test('is told to the owner by mail, once a pause', async () => {
    const told = () =>
      listKeptMails(store).filter(({ subject }) => subject.startsWith('Someone knows'))
    const before = told().length
    await guessOn()
    await guessOn()
    await server.settled()
    const [mail, ...others] = told().slice(before)
    assert.equal(others.length, 0)
    assert.equal(mail?.to, 'hamlet@zulip.com')
    assert.match(mail?.text ?? '', /20 wrong codes/)
  })
})

test('the owner enters the right code elsewhere after some wrong ones', async () => {
  const { submit } = await atCodePage(newNetwork())
  for (let i = 1; i < 10; i++) assert.equal(await submit('000000'), 400)
  assert.equal(await submit(rightCode()), 303)
  assert.equal(await guessOn(), codeBudget.tokens)
})
