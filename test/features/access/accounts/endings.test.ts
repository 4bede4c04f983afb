import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { insertInvitation } from '#features/access/invites/queries.ts'
import { replaceScimToken } from '#features/access/scim/queries.ts'
import { findSecondFactor, replaceSecondFactor } from '#features/access/two-factor/queries.ts'
import { findUserIdOf, insertIdentity } from '#features/foundation/identity-providers/queries.ts'
import { insertMailLink } from '#features/foundation/mail/links.queries.ts'
import { insertAttempt } from '#features/foundation/sessions/attempts.queries.ts'
import { findUser, roles } from '#features/foundation/users/queries.ts'
import { assistantOfToken } from '#features/integrations/assistants/authorization/rules.ts'
import { addReplyAddress } from '#features/notifications/mail-gateway/actions.ts'
import { findSubscription, isEntitled } from '#features/notifications/web-push/queries.ts'
import { registerProgram } from '#test/support/assistants.ts'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { freePort } from '#test/support/free-port.ts'
import { openMailSender, plainMail } from '#test/support/mail-sender.ts'
import { startServer } from '#test/support/server.ts'

/*
 * Everything that opens an account or acts for it, and everything that must end it. Each cell makes a
 * new account with the credential, lets the event happen, and then uses the credential.
 */

const port = await freePort()
const server = await startServer({
  config: {
    keepMail: true,
    mailGateway: '%s@mail.example.com',
    mailListen: { host: '127.0.0.1', port },
  },
})
after(server.close)
const sender = openMailSender(port)
after(sender.close)
const { context } = server.server
const { store } = context
const scimToken = await store.write(replaceScimToken)
const owner = server.as('owner')

const password = 'correct horse'
const totp = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() })

let count = 0
/** A new member, who is logged in in a browser. */
async function newPerson() {
  const email = `person${++count}@example.com`
  const made = await owner.post<{ user_id: number }>('/users', {
    email,
    full_name: `Person ${count}`,
    password,
  })
  const id = made.user_id
  const { cookie, csrf } = await logIn(email)
  return { id, email, cookie, csrf, key: keyOf(id) }
}
type Person = Awaited<ReturnType<typeof newPerson>>

const keyOf = (id: number) => findUser(store, id)?.apiKey ?? ''

async function logIn(username: string) {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username }),
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const csrf = cookies.find((pair) => pair.startsWith('csrftoken='))?.slice('csrftoken='.length)
  return { cookie: cookies.join('; '), csrf: csrf ?? '' }
}

interface Called {
  readonly status: number
  readonly reply: Readonly<Record<string, unknown>>
}

async function call(
  method: string,
  path: string,
  headers: Record<string, string>,
  params?: Record<string, string>,
): Promise<Called> {
  const query = method === 'GET' && params ? `?${new URLSearchParams(params)}` : ''
  const response = await fetch(server.url + path + query, {
    method,
    headers,
    redirect: 'manual',
    ...(method !== 'GET' && params && { body: new URLSearchParams(params) }),
  })
  const text = await response.text()
  return { status: response.status, reply: text.startsWith('{') ? JSON.parse(text) : {} }
}

const basic = ({ email, key }: Pick<Person, 'email' | 'key'>) => ({
  authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
})
const cookies = ({ cookie, csrf }: Person) => ({ cookie, 'x-csrftoken': csrf })
const byKey = (who: Person, method: string, path: string, params?: Record<string, string>) =>
  call(method, `/api/v1${path}`, basic(who), params)
const bySession = (who: Person, method: string, path: string, params?: Record<string, string>) =>
  call(method, `/json${path}`, cookies(who), params)

/** As `call`, for what must succeed. */
async function succeed(called: Promise<Called>): Promise<Called['reply']> {
  const { status, reply } = await called
  assert.equal(status, 200, JSON.stringify(reply))
  return reply
}

const secondFactor = (userId: number, secret: string) =>
  store.write((tx) => replaceSecondFactor(tx, { userId, secret, isOn: true, lastStep: 0 }))

/** Makes a credential. @returns whether it works, by using it, once */
type Credential = (who: Person) => Promise<() => Promise<boolean>>

function pushSubscription(by: typeof byKey): Credential {
  return async (who) => {
    const { id } = await succeed(
      by(who, 'POST', '/web_push/subscriptions', {
        endpoint: `https://push.example.com/${randomBytes(8).toString('hex')}`,
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }),
    )
    return async () => {
      const found = findSubscription(store, Number(id))
      return found !== undefined && isEntitled(store, found)
    }
  }
}

function eventQueue(by: typeof byKey): Credential {
  return async (who) => {
    const { queue_id } = await succeed(by(who, 'POST', '/register', { event_types: '["realm"]' }))
    return async () => {
      const params = { queue_id: String(queue_id), last_event_id: '-1', dont_block: 'true' }
      // With the key as it is now, so that only the queue itself counts.
      const current = { email: findUser(store, who.id)?.email ?? '', key: keyOf(who.id) }
      const { status } = await call('GET', '/api/v1/events', basic(current), params)
      return status === 200
    }
  }
}

function mailedLink(purpose: 'password_reset' | 'email_change', path: string): Credential {
  return async ({ id: userId, email }) => {
    const to = purpose === 'password_reset' ? email : `new${userId}@example.com`
    const key = await store.write((tx) => insertMailLink(tx, { purpose, userId, email: to }))
    return async () => (await call('GET', `${path}${key}/`, {})).status === 200
  }
}

const mailTo = async (address: string) =>
  (await sender.send(address, plainMail('Hello', `Text ${++count}`))).startsWith('250')

const credentials = {
  session: async (who) => async () => (await bySession(who, 'GET', '/users/me')).status === 200,
  'API key': async (who) => async () => {
    const email = findUser(store, who.id)?.email ?? ''
    return (await call('GET', '/api/v1/users/me', basic({ email, key: who.key }))).status === 200
  },
  'log-in that waits for a code': async ({ id, email }) => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    await secondFactor(id, secret)
    const browser = openBrowser(server.url)
    const { text } = await browser.fill('/login/', { email, password })
    const attempt = /name="attempt" value="(\w+)"/.exec(text)?.[1] ?? ''
    return async () => {
      // Where the second factor was replaced, a code of the new one.
      const code = totp(findSecondFactor(store, id)?.secret ?? secret)
      const form = { form: sealOf(text), attempt, code }
      return (await browser.go('/accounts/login/code/', form)).status === 303
    }
  },
  'log-in of a desktop app': async ({ id: userId }) => {
    const details = { step: 'desktop', arrival: { next: '/' } } as const
    const token = await store.write((tx) => insertAttempt(tx, { details, browser: null, userId }))
    const path = `/accounts/login/subdomain/${token}`
    return async () => (await call('GET', path, { 'sec-fetch-site': 'none' })).status === 303
  },
  'link to a new password': mailedLink('password_reset', '/accounts/password/reset/'),
  'link to a new address': mailedLink('email_change', '/accounts/confirm_new_email/'),
  'address to answer a mail': async ({ id }) => {
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Verona' }],
      principals: [id],
    })
    const messageId = await server.say('owner', 'shared')
    const address = await store.write((tx) => addReplyAddress(tx, id, messageId))
    return async () => await mailTo(address ?? '')
  },
  'address that posts as them': async (who) => {
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Verona' }],
      principals: [who.id],
    })
    const path = `/streams/${server.channels.shared}/email_address`
    const { email } = await succeed(byKey(who, 'GET', path, { sender_id: String(who.id) }))
    return async () => await mailTo(String(email))
  },
  'push to a browser, of a session': pushSubscription(bySession),
  'push to a browser, of a key': pushSubscription(byKey),
  'event queue of a session': eventQueue(bySession),
  'event queue of a key': eventQueue(byKey),
  'identity at a provider': async ({ id: userId }) => {
    const subject = `subject-${userId}`
    const identity = { issuer: 'https://id.example.com', subject, userId, linkedAt: 1 }
    await store.write((tx) => insertIdentity(tx, identity))
    return async () => findUserIdOf(store, identity.issuer, subject) === userId
  },
  'connected assistant': async (who) => {
    const { access_token: token } = await (await registerProgram(server)).connect(who)
    return async () => assistantOfToken(store, token, `${server.url}/mcp`) !== undefined
  },
  'invitation link that they made': async ({ id: inviterId }) => {
    const key = randomBytes(20).toString('hex')
    const given = { channelIds: [], groupIds: [], joinDefaultChannels: true, role: roles.member }
    const link = { key, email: null, inviterId, ...given, tellInviter: false, createdAt: 1 }
    await store.write((tx) => insertInvitation(tx, link))
    return async () => (await call('GET', `/join/${key}/`, {})).status === 200
  },
} satisfies Record<string, Credential>

async function newPasswordByMail({ id: userId, email }: Person): Promise<void> {
  const purpose = 'password_reset'
  const key = await store.write((tx) => insertMailLink(tx, { purpose, userId, email }))
  const path = `/accounts/password/reset/${key}/`
  assert.notEqual((await openBrowser(server.url).fill(path, { password })).status, 400)
}

async function scim(id: number, value: object): Promise<void> {
  const response = await fetch(`${server.url}/scim/v2/Users/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ Operations: [{ op: 'replace', value }] }),
  })
  assert.equal(response.status, 200, await response.text())
}

type Event = (who: Person) => Promise<unknown>

const events = {
  nothing: async () => {},
  'new password': (who) =>
    succeed(byKey(who, 'PATCH', '/settings', { old_password: password, new_password: password })),
  // The first one shows whose the address is.
  'first new password by mail': newPasswordByMail,
  'new key': (who) => succeed(byKey(who, 'POST', '/users/me/api_key/regenerate')),
  'new address': async (who) => await scim(who.id, { userName: `moved${who.id}@example.com` }),
  'lower role': ({ id }) => owner.patch(`/users/${id}`, { role: 600 }),
  'log-out': (who) => call('POST', '/logout/', cookies(who)),
  'second factor on': async (who) => {
    const begun = await succeed(byKey(who, 'POST', '/users/me/two_factor', { password }))
    const code = totp(String(begun.secret))
    await succeed(byKey(who, 'POST', '/users/me/two_factor/confirm', { code }))
    server.clock.advance(31_000)
  },
  'second factor off': async (who) => {
    await secondFactor(who.id, 'JBSWY3DPEHPK3PXP')
    await succeed(bySession(who, 'DELETE', '/users/me/two_factor', { password }))
  },
  'second factor reset': async ({ id }) => {
    await secondFactor(id, 'JBSWY3DPEHPK3PXP')
    assert.equal((await owner.del(`/users/${id}/two_factor`)).result, 'success')
  },
  // And reactivation: what works then was not ended.
  deactivation: async ({ id }) => {
    await owner.del(`/users/${id}`)
    assert.equal((await owner.post(`/users/${id}/reactivate`)).result, 'success')
  },
  'deactivation by SCIM': async ({ id }) => {
    await scim(id, { active: false })
    await scim(id, { active: true })
  },
} satisfies Record<string, Event>

type EventName = keyof typeof events

const names: readonly EventName[] = [
  'nothing',
  'new password',
  'first new password by mail',
  'new key',
  'new address',
  'lower role',
  'log-out',
  'second factor on',
  'second factor off',
  'second factor reset',
  'deactivation',
  'deactivation by SCIM',
]

/*
 * A letter for each event, in the order of `names`: + it stays, x it ends, blank: they do not meet.
 */
// biome-ignore format: a matrix reads best in columns
const table: Record<keyof typeof credentials, string> = {
  //                                 nothing, password, by mail, key, address, role, log-out, 2FA on, off, reset, deactivated, by SCIM
  'session':                         '+xx+++x+++xx',
  'API key':                         '++xx+++++++x',
  'log-in that waits for a code':    '+xx++++ xxxx',
  'log-in of a desktop app':         '+xx++++xxxxx',
  'link to a new password':          '+xx+x+++++xx',
  'link to a new address':           '+xx+x+++++xx',
  'address to answer a mail':        '+xxxx+++++xx',
  'address that posts as them':      '+xxxx+++++xx',
  'push to a browser, of a session': '+xx+++x+++xx',
  'push to a browser, of a key':     '++xx++++++xx',
  'event queue of a session':        '+xx+++x+++xx',
  'event queue of a key':            '++xx++++++xx',
  'identity at a provider':          '++x+++++++++',
  'connected assistant':             '+xx++x++++xx',
  'invitation link that they made':  '+++++x++++xx',
}

describe('what opens an account, or acts for it', () => {
  for (const [credential, cells] of Object.entries(table)) {
    for (const [i, event] of names.entries()) {
      const cell = cells[i]
      if (cell === ' ') continue
      test(`${credential}, after ${event}: ${cell === '+' ? 'stays' : 'ends'}`, async () => {
        const who = await newPerson()
        const works = await credentials[credential as keyof typeof credentials](who)
        await events[event](who)
        assert.equal(await works(), cell === '+')
      })
    }
  }
})
