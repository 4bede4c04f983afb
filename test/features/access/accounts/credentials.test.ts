import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deactivateUser } from '#features/access/accounts/actions.ts'
import {
  endSession,
  replaceApiKey,
  replacePassword,
} from '#features/access/accounts/credentials.actions.ts'
import { updateRealm } from '#features/foundation/realm/queries.ts'
import { deleteSession, insertSession } from '#features/foundation/sessions/queries.ts'
import { hashCost, hashPassword } from '#features/foundation/users/passwords.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { type FormBrowser, openBrowser, sealOf } from '#test/support/browser.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Client, startServer } from '#test/support/server.ts'
import { type Answer, type Sending, suspend } from '#test/support/suspended.ts'

const server = await startServer({ config: { webPublicChannels: true } })
after(server.close)
const { store, queues, clock } = server.server.context

const wrongKey = failure('Invalid API key', 'INVALID_API_KEY')
const loggedOut = failure(
  'Not logged in: API authentication or user session required',
  'UNAUTHORIZED',
)

type Headers = Readonly<Record<string, string>>

const basic = ({ email, apiKey }: { email: string; apiKey: string }): Headers => ({
  authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
})

async function newSession({ id }: Pick<Client, 'id'>): Promise<Headers> {
  const session = await store.write((tx) => insertSession(tx, id, clock))
  return { cookie: `sessionid=${session.token}`, 'x-csrftoken': session.csrfToken }
}

const cookiesOf = ({ cookies }: FormBrowser): Headers => ({
  cookie: `sessionid=${cookies.get('sessionid')}`,
  'x-csrftoken': cookies.get('csrftoken') ?? '',
})

/** Calls without a socket: when it returns its promise, the server has begun with it. */
async function call(method: string, path: string, headers: Headers): Promise<Answer> {
  const response = await server.server.fetch(new Request(server.url + path, { method, headers }))
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

interface Registered {
  readonly queueId: string
  poll(): Promise<Answer>
}

/** A queue that was opened, and is polled, below a prefix with these credentials. */
async function register(prefix: string, headers: Headers): Promise<Registered> {
  const { body } = await call('POST', `${prefix}/register?event_types=["message"]`, headers)
  assert.equal(body.result, 'success')
  const queueId = String(body.queue_id)
  const query = `queue_id=${encodeURIComponent(queueId)}&last_event_id=-1`
  return { queueId, poll: () => call('GET', `${prefix}/events?${query}`, headers) }
}

/** Lets the requests before it reach the point where they wait. */
const turn = () => new Promise((done) => setImmediate(done))

const change = (fn: (tx: Tx) => void) => store.write(fn)

describe('a parked poll', () => {
  test('ends with the API key that it was made with, and the queue with it', async () => {
    const person = await server.enroll('Key Loser')
    const { queueId, poll } = await register('/api/v1', basic(person))
    const parked = poll()
    await turn()
    const reply = await person.post<{ api_key: string }>('/users/me/api_key/regenerate')
    assert.equal(reply.result, 'success')
    assert.deepEqual((await parked).body, wrongKey)
    const again = await call(
      'GET',
      `/api/v1/events?queue_id=${encodeURIComponent(queueId)}&dont_block=true`,
      basic({ ...person, apiKey: reply.api_key }),
    )
    assert.equal(again.body.code, 'BAD_EVENT_QUEUE_ID')
  })

  test('ends with the session that it was made in', async () => {
    const person = await server.enroll('Password Changer')
    const { poll } = await register('/json', await newSession(person))
    const own = await register('/api/v1', basic(person))
    const [parked, parkedByKey] = [poll(), own.poll()]
    await turn()
    await change((tx) => void replacePassword(tx, server.server.context.queues, person.id, 'hash'))
    assert.deepEqual((await parked).body, loggedOut)
    // API keys do not depend on the password.
    await server.as('admin').post('/messages', { type: 'direct', to: [person.id], content: 'Hi' })
    assert.equal((await parkedByKey).body.result, 'success')
  })

  test('ends with its session when the browser logs out, and the queue with it', async () => {
    const name = 'Browsing'
    const person = await server.enroll(name)
    const [browser, other] = [openBrowser(server.url), openBrowser(server.url)]
    for (const each of [browser, other]) {
      await each.fill('/login/', { email: person.email, password: `the password of ${name}` })
    }
    const [own, elsewhere] = [
      await register('/json', cookiesOf(browser)),
      await register('/json', cookiesOf(other)),
    ]
    const byKey = await register('/api/v1', basic(person))
    const [parked, ...staying] = [own.poll(), elsewhere.poll(), byKey.poll()]
    await turn()
    const form = sealOf((await browser.go('/connect')).text)
    assert.equal((await browser.go('/logout/', { form })).status, 303)
    assert.deepEqual((await parked).body, loggedOut)
    const query = `queue_id=${encodeURIComponent(own.queueId)}&dont_block=true`
    const again = await call('GET', `/api/v1/events?${query}`, basic(person))
    assert.equal(again.body.code, 'BAD_EVENT_QUEUE_ID')
    await server.as('admin').post('/messages', { type: 'direct', to: [person.id], content: 'Hi' })
    for (const poll of staying) assert.equal((await poll).body.result, 'success')
  })

  test('stays with another credential of the same user', async () => {
    const person = await server.enroll('Key Renewer')
    const { poll } = await register('/json', await newSession(person))
    const parked = poll()
    await turn()
    await change((tx) => void replaceApiKey(tx, queues, person.id))
    await server.as('admin').post('/messages', { type: 'direct', to: [person.id], content: 'Hi' })
    assert.equal((await parked).body.result, 'success')
  })

  test('delivers nothing to a session that has ended, whatever queue it is parked on', async () => {
    const person = await server.enroll('Leaver')
    const session = await newSession(person)
    const { queueId } = await register('/api/v1', basic(person))
    const query = `queue_id=${encodeURIComponent(queueId)}&last_event_id=-1`
    const parked = call('GET', `/json/events?${query}`, session)
    await turn()
    const token = session.cookie?.replace('sessionid=', '') ?? ''
    await change((tx) => deleteSession(tx, token))
    await server.as('admin').post('/messages', { type: 'direct', to: [person.id], content: 'Hi' })
    assert.deepEqual((await parked).body, loggedOut)
  })

  test('ends when its session does, also on a queue that a key opened', async () => {
    const person = await server.enroll('Borrower')
    const { queueId, poll } = await register('/api/v1', basic(person))
    const query = `queue_id=${encodeURIComponent(queueId)}&last_event_id=-1`
    const session = await newSession(person)
    const parked = call('GET', `/json/events?${query}`, session)
    await turn()
    const token = session.cookie?.replace('sessionid=', '') ?? ''
    await change((tx) => endSession(tx, queues, token))
    assert.deepEqual((await parked).body, loggedOut)
    const next = poll()
    await turn()
    await server.as('admin').post('/messages', { type: 'direct', to: [person.id], content: 'Hi' })
    assert.equal((await next).body.result, 'success')
  })

  test('ends with its key, also on a queue that a session opened', async () => {
    const person = await server.enroll('Lender')
    const { queueId } = await register('/json', await newSession(person))
    const query = `queue_id=${encodeURIComponent(queueId)}&last_event_id=-1`
    const parked = call('GET', `/api/v1/events?${query}`, basic(person))
    await turn()
    await change((tx) => void replaceApiKey(tx, queues, person.id))
    assert.deepEqual((await parked).body, wrongKey)
  })

  test('is told that its account is deactivated', async () => {
    const person = await server.enroll('Gone')
    const { poll } = await register('/api/v1', basic(person))
    const parked = poll()
    await turn()
    await server.as('owner').del(`/users/${person.id}`)
    assert.equal((await parked).body.code, 'USER_DEACTIVATED')
  })
})

test('of two requests with one key, only the first gets the next key', async () => {
  const person = await server.enroll('Twice')
  const regenerate = () => call('POST', '/api/v1/users/me/api_key/regenerate', basic(person))
  const [first, second] = await Promise.all([regenerate(), regenerate()])
  assert.equal(first.body.api_key, findUser(store, person.id)?.apiKey)
  assert.deepEqual(second, { status: 401, body: wrongKey })
})

describe('a login whose password was checked before the password changed', () => {
  const login = (name: string) =>
    call(
      'POST',
      `/api/v1/fetch_api_key?username=${name}@example.com&password=the%20password%20of%20${name}`,
      {},
    )
  /** Does something just before the next write, in its commit. */
  function beforeNextWrite(fn: (tx: Tx) => void): void {
    const { write } = store
    Object.assign(store, {
      write(next: typeof fn) {
        Object.assign(store, { write })
        void write(fn)
        return write(next)
      },
    })
  }

  test('gets no key', async () => {
    const { id } = await server.enroll('slow')
    const passwordHash = await hashPassword('another password', hashCost({ fixture: true }))
    beforeNextWrite(
      (tx) => void replacePassword(tx, server.server.context.queues, id, passwordHash),
    )
    assert.equal((await login('slow')).body.code, 'AUTHENTICATION_FAILED')
  })

  test('gets none either if the account is deactivated', async () => {
    const { id } = await server.enroll('slower')
    beforeNextWrite((tx) => {
      const user = findUser(tx, id)
      if (user) deactivateUser(tx, queues, user)
    })
    assert.equal((await login('slower')).body.code, 'USER_DEACTIVATED')
  })
})

describe('what is outside the endpoints asks again as well', () => {
  const tus = { 'tus-resumable': '1.0.0' }
  const partType = 'application/offset+octet-stream'

  test('a part of an upload does not arrive after the key has changed', async () => {
    const person = await server.enroll('Uploader')
    const begun = await fetch(`${server.url}/api/v1/tus`, {
      method: 'POST',
      headers: { ...basic(person), ...tus, 'upload-length': '12' },
    })
    const path = begun.headers.get('location') ?? ''
    const part: Sending = {
      method: 'PATCH',
      path,
      headers: { ...basic(person), ...tus, 'upload-offset': '0', 'content-type': partType },
      body: Buffer.from('To be or not'),
    }
    const { complete } = await suspend(server.url, part)
    const { apiKey } = await store.write((tx) => replaceApiKey(tx, queues, person.id))
    assert.deepEqual(await complete(), { status: 401, body: wrongKey })
    const state = await fetch(server.url + path, {
      method: 'HEAD',
      headers: { ...basic({ ...person, apiKey }), ...tus },
    })
    assert.equal(state.headers.get('upload-offset'), '0')
  })

  async function invitation(actor: Actor): Promise<Sending> {
    const browser = openBrowser(server.url)
    await browser.go('/api/v1/dev_fetch_api_key', { username: server.as(actor).email })
    const seal = sealOf((await browser.go('/connect')).text)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = Buffer.from(`form=${seal}`)
    return { method: 'POST', path: '/connect/invite', headers: { cookie, ...type }, body }
  }
  const invitations = async () =>
    (await server.as('owner').get<{ invites: object[] }>('/invites')).invites.length

  test('the page makes no invitation after the session has ended', async () => {
    const count = await invitations()
    const { complete } = await suspend(server.url, await invitation('admin'))
    await change(
      (tx) => void replacePassword(tx, server.server.context.queues, server.ids.admin, 'hash'),
    )
    assert.equal((await complete()).status, 303)
    assert.equal(await invitations(), count)
  })

  test('the page makes none after the organization was deactivated', async () => {
    const count = await invitations()
    const { complete } = await suspend(server.url, await invitation('owner'))
    await change((tx) => updateRealm(tx, { deactivatedAt: 1 }))
    const { status } = await complete()
    await change((tx) => updateRealm(tx, { deactivatedAt: null }))
    assert.equal(status, 401)
    assert.equal(await invitations(), count)
  })
})

describe('the body of a request without valid credentials', () => {
  const post = (path: string, length: number, headers: Headers = {}) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `username=${'x'.repeat(length)}&password=wrong`,
    })

  test('is at most 64 KiB, also where the parameters take more', async () => {
    const right = basic(server.as('member'))
    // Spectators may register, and need no credentials for it.
    await server.as('owner').patch('/realm', { enable_spectator_access: true })
    assert.equal((await post('/register', 70_000)).status, 413)
    assert.notEqual((await post('/register', 60_000)).status, 413)
    assert.equal((await post('/register', 70_000, right)).status, 200)
  })

  test('is not waited for where credentials are needed', async () => {
    const headers = { ...basic({ email: 'iago@zulip.com', apiKey: 'wrong' }) }
    const sending = { method: 'POST', path: '/api/v1/drafts', headers, body: Buffer.from('a=b') }
    const { answered } = await suspend(server.url, sending)
    assert.deepEqual(await answered, { status: 401, body: wrongKey })
  })
})

test('a right key is as good as before', async () => {
  const reply = await server.as('member').post('/drafts', { drafts: [] })
  assert.deepEqual(reply, { ...success, ids: [] })
})
