import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { updateUser } from '#features/foundation/users/queries.ts'
import { failure } from '#test/support/replies.ts'
import { type Client, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context

const basic = ({ email, apiKey }: Pick<Client, 'email' | 'apiKey'>) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`

async function call(authorization: string, path = '/users/me') {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization } })
  return (await response.json()) as Record<string, unknown>
}

const wrongKey = failure('Invalid API key', 'INVALID_API_KEY')
let people = 0

/** Someone whose header the server has found right before, and will again. */
async function knownPerson(): Promise<{ person: Client; header: string }> {
  people += 1
  const person = await server.enroll(`Known ${people}`)
  const header = basic(person)
  for (let i = 0; i < 2; i++) assert.equal((await call(header)).user_id, person.id)
  return { person, header }
}

describe('a key that the server found right before opens nothing anymore', () => {
  const endings: Readonly<Record<string, [(person: Client) => Promise<unknown>, object]>> = {
    'once it is replaced': [(person) => person.post('/users/me/api_key/regenerate'), wrongKey],
    'once the account is deactivated': [
      (person) => server.as('owner').del(`/users/${person.id}`),
      failure('Account is deactivated', 'USER_DEACTIVATED'),
    ],
    'once its address is another one': [
      (person) =>
        store.write((tx) =>
          updateUser(tx, person.id, {
            email: `other${person.id}@zulip.com`,
            emailKey: `other${person.id}@zulip.com`,
            apiEmail: `other${person.id}@zulip.com`,
            apiEmailKey: `other${person.id}@zulip.com`,
          }),
        ),
      wrongKey,
    ],
  }
  for (const [when, [end, refusal]] of Object.entries(endings)) {
    test(when, async () => {
      const { person, header } = await knownPerson()
      await end(person)
      for (let i = 0; i < 2; i++) assert.deepEqual(await call(header), refusal)
    })
  }

  test('once the address is that of someone else', async () => {
    const { person, header } = await knownPerson()
    const { person: other } = await knownPerson()
    const address = person.email
    const away = `away${person.id}@zulip.com`
    const becomes = (id: number, email: string) => {
      const emailKey = email.toLowerCase()
      return store.write((tx) =>
        updateUser(tx, id, { email, emailKey, apiEmail: email, apiEmailKey: emailKey }),
      )
    }
    await becomes(person.id, away)
    await becomes(other.id, address)
    assert.deepEqual(await call(header), wrongKey)
    assert.equal((await call(basic({ email: address, apiKey: other.apiKey }))).user_id, other.id)
  })
})

test('a write of the same turn that ends the key comes before what the key would do', async () => {
  const { person, header } = await knownPerson()
  const [, reply] = await Promise.all([
    store.write((tx) => updateUser(tx, person.id, { apiKey: '0'.repeat(32) })),
    call(header),
  ])
  assert.deepEqual(reply, wrongKey)
})

test('a role that has changed counts at once', async () => {
  const { person, header } = await knownPerson()
  const roleNow = async () => (await call(header)).role
  assert.equal(await roleNow(), 400)
  await server.as('owner').patch(`/users/${person.id}`, { role: 200 })
  assert.equal(await roleNow(), 200)
  await server.as('owner').patch(`/users/${person.id}`, { role: 600 })
  assert.equal(await roleNow(), 600)
})

test('an old key that is put back opens its account again', async () => {
  const { person, header } = await knownPerson()
  const become = (apiKey: string) => store.write((tx) => updateUser(tx, person.id, { apiKey }))
  await become('1'.repeat(32))
  assert.deepEqual(await call(header), wrongKey)
  await become(person.apiKey)
  assert.equal((await call(header)).user_id, person.id)
})
