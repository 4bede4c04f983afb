import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { deactivateUser } from '#features/access/accounts/actions.ts'
import { changeRole } from '#features/access/accounts/administration/roles.actions.ts'
import { replaceApiKey, replacePassword } from '#features/access/accounts/credentials.actions.ts'
import { updateRealm } from '#features/foundation/realm/queries.ts'
import { insertSession } from '#features/foundation/sessions/queries.ts'
import {
  findUser,
  findUserByAddress,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { sampleCalls } from '#test/support/calls/calls.ts'
import type { SampleCall } from '#test/support/calls/sample-call.ts'
import { draw, isWhole } from '#test/support/drawing.ts'
import { differentEndpoints } from '#test/support/endpoints.ts'
import { startServer } from '#test/support/server.ts'
import { type Answer, type Sending, sendingOf, suspend } from '#test/support/suspended.ts'

/** Neither answers: mail and phones do not matter here. */
const nowhere = { smtpUrl: 'smtp://127.0.0.1:9', pushServiceUrl: 'http://org:key@127.0.0.1:9' }
const server = await startServer({ config: nowhere })
after(server.close)
const { store, queues, clock } = server.server.context
const samples = sampleCalls(server)

/** Whoever makes the calls. */
const people = ['desdemona', 'default-bot', 'othello', 'prospero', 'webhook-bot'].map((name) => {
  const user = findUserByAddress(store, `${name}@zulip.com`)
  assert.ok(user, name)
  return user
})

/** How someone loses rights. */
interface Loss {
  readonly name: string
  /** Takes the rights of one user, as the server does it. */
  take(tx: Tx, user: User): void
  /** What is answered from then on; absent: what the new role allows. */
  readonly code?: string
  /** Whether callers have a session, instead of a key. */
  readonly bySession?: boolean
}

const demotion: Loss = {
  name: 'is demoted to a guest',
  take: (tx, user) => changeRole(tx, queues, user, roles.guest),
}

const losses: readonly Loss[] = [
  {
    name: 'gets another API key',
    code: 'INVALID_API_KEY',
    take: (tx, user) => void replaceApiKey(tx, queues, user.id),
  },
  {
    name: 'changes the password, which ends the session',
    code: 'UNAUTHORIZED',
    bySession: true,
    take: (tx, user) => void replacePassword(tx, queues, user.id, 'another'),
  },
  {
    name: 'loses the organization',
    code: 'REALM_DEACTIVATED',
    take: (tx) => updateRealm(tx, { deactivatedAt: 1 }),
  },
  // From here on some calls have nothing to act on anymore.
  demotion,
  { name: 'is deactivated', code: 'USER_DEACTIVATED', take: (tx, user) => deactivate(tx, user) },
]

/** The only owner cannot be deactivated, so there is another one. */
function deactivate(tx: Tx, user: User): void {
  updateUser(tx, server.ids.admin, { role: roles.owner })
  deactivateUser(tx, queues, user)
}

const takeFromAll = (loss: Loss) => (tx: Tx) => {
  for (const { id } of people) loss.take(tx, findUser(tx, id) as User)
}

/** Gives everyone back what they had. */
function restore(): Promise<void> {
  return store.write((tx) => {
    updateRealm(tx, { deactivatedAt: null })
    for (const { id, role, apiKey, passwordHash } of people) {
      updateUser(tx, id, { isActive: true, role, apiKey, passwordHash })
    }
  })
}

type Endpoint = ReturnType<typeof differentEndpoints>[number]['endpoint']

/** An endpoint, and a call that succeeds. */
interface Call {
  readonly endpoint: Endpoint
  readonly sample: SampleCall
}

const keyOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`

/** Those with a body, and so with time between headers and act. */
const endpoints = draw(
  differentEndpoints()
    .map(({ endpoint }) => endpoint)
    .filter(({ method }) => method !== 'get'),
  1 / 6,
)
/** That so few are tried means that something is wrong. */
const fewest = isWhole ? 50 : 5

/** A call of each endpoint, with something of its own to act on. */
async function makeCalls(): Promise<Call[]> {
  const calls: Call[] = []
  for (const endpoint of endpoints) {
    const makeSample = samples[keyOf(endpoint)]
    assert.ok(makeSample, `${keyOf(endpoint)} has a call in support/calls/`)
    calls.push({ endpoint, sample: await makeSample() })
  }
  return calls
}

async function sending({ endpoint, sample }: Call, bySession = false): Promise<Sending> {
  const user = findUser(store, server.ids[sample.as ?? 'owner']) as User
  if (!bySession) return await sendingOf(endpoint, sample, '/api/v1', basic(user))
  return await sendingOf(endpoint, sample, '/json', await newSession(user))
}

function basic({ email, apiKey }: User): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` }
}

async function newSession({ id }: User): Promise<Record<string, string>> {
  const session = await store.write((tx) => insertSession(tx, id, clock))
  return { cookie: `sessionid=${session.token}`, 'x-csrftoken': session.csrfToken }
}

async function send({ method, path, headers, body }: Sending): Promise<Answer> {
  const request = new Request(server.url + path, { method, headers, body: new Uint8Array(body) })
  const response = await server.server.fetch(request)
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** An error, without what differs between two objects of a kind; empty for a success. */
const refusal = ({ status, body }: Answer) =>
  body.result === 'error' ? `${status} ${body.code} ${String(body.msg).replace(/\d+/g, 'N')}` : ''

/** A digest of all that is stored but the list of contents that no row names yet. */
function digest(): string {
  const { $client: sqlite } = store.db
  const names = sqlite
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema
       WHERE type = 'table' AND name <> 'files' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .pluck()
    .all()
  const rows = names.map((name) => sqlite.prepare(`SELECT * FROM "${name}"`).all())
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}

let calls: Call[] = []
/** What guests are refused, by endpoint. */
const refusedToGuests = new Map<string, string>()

before(async () => {
  calls = await makeCalls()
})

async function askAsGuests(): Promise<void> {
  await store.write(takeFromAll(demotion))
  for (const call of calls) {
    if (call.endpoint.access !== 'user') continue
    const refused = refusal(await send(await sending(call)))
    if (refused !== '') refusedToGuests.set(keyOf(call.endpoint), refused)
  }
  await restore()
}

/** The calls that a loss takes the right to. */
function concerned({ code, bySession }: Loss): Call[] {
  return calls.filter(({ endpoint }) => {
    if (code === undefined) return refusedToGuests.has(keyOf(endpoint))
    if (endpoint.access === 'anyone') return code === 'REALM_DEACTIVATED'
    return endpoint.access === 'user' || !bySession
  })
}

/** What is wrong with the answer to someone who has lost the right to it; undefined if nothing. */
function complaint({ endpoint }: Call, { code }: Loss, answer: Answer): string | undefined {
  const isRight = code
    ? answer.body.code === code
    : refusal(answer) === refusedToGuests.get(keyOf(endpoint))
  return isRight ? undefined : `${keyOf(endpoint)}: ${JSON.stringify(answer.body).slice(0, 120)}`
}

const notNone = (found: readonly (string | undefined)[]) => found.filter((each) => each)

for (const loss of losses) {
  describe(`whoever ${loss.name}`, () => {
    if (loss === demotion) before(askAsGuests)

    test('between headers and body does nothing', async () => {
      const suspended = await Promise.all(
        concerned(loss).map(async (call) => ({
          call,
          ...(await suspend(server.url, await sending(call, loss.bySession))),
        })),
      )
      assert.ok(suspended.length > fewest, `${suspended.length} endpoints`)
      await store.write(takeFromAll(loss))
      await server.server.settled()
      const stored = digest()
      const found: (string | undefined)[] = []
      for (const { call, complete } of suspended) {
        found.push(complaint(call, loss, await complete()))
      }
      await server.server.settled()
      const isUnchanged = digest() === stored
      await restore()
      assert.deepEqual(notNone(found), [])
      assert.ok(isUnchanged)
    })

    // The others are lost in the same way.
    if (loss.code && loss.code !== 'INVALID_API_KEY') return
    test('in the same commit, just before the write, does nothing', async () => {
      const write = store.write
      after(() => Object.assign(store, { write }))
      const found: (string | undefined)[] = []
      let writes = 0
      for (const call of concerned(loss)) {
        const request = await sending(call, loss.bySession)
        let lost: Promise<void> | undefined
        const lossBefore: typeof write = (fn) => {
          lost ??= write(takeFromAll(loss))
          return write(fn)
        }
        Object.assign(store, { write: lossBefore })
        const answer = await send(request)
        Object.assign(store, { write })
        if (!lost) continue
        writes += 1
        found.push(complaint(call, loss, answer))
        await lost
        await restore()
      }
      assert.deepEqual(notNone(found), [])
      assert.ok(writes > fewest, `${writes} writes`)
    })
  })
}
