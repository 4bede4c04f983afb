import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deleteScimToken, replaceScimToken } from '#features/access/scim/queries.ts'
import { findUserByAddress } from '#features/foundation/users/queries.ts'
import { scimTokens } from '#platform/store/schema.ts'
import { success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
let token = await store.write(replaceScimToken)

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  authorization: string | undefined = `Bearer ${token}`,
): Promise<Answer> {
  const response = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: {
      ...(authorization && { authorization }),
      'content-type': 'application/scim+json',
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let count = 0
/** Creates someone. @returns the ID */
async function create(more: object = {}): Promise<string> {
  count += 1
  const user = { userName: `new${count}@example.com`, name: { formatted: `New ${count}` } }
  const { status, body } = await call('POST', '/Users', { schemas: [core], ...user, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return String(body.id)
}

const patch = (id: string, ...operations: object[]) =>
  call('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations: operations })
const read = async (id: string) => (await call('GET', `/Users/${id}`)).body
const isError = ({ status, body }: Answer, expected: number, scimType?: string) => {
  assert.equal(status, expected, JSON.stringify(body))
  assert.equal(body.status, String(expected))
  assert.equal(body.scimType, scimType)
}

describe('the token', () => {
  // biome-ignore format: a table reads best in columns
  const wrong: [string, string | undefined][] = [
    ['none',           ''],
    ['another',        `Bearer ${'0'.repeat(64)}`],
    ['of HTTP Basic',  `Basic ${Buffer.from(`scim:${token}`).toString('base64')}`],
    ['an API key',     `Bearer ${server.as('owner').apiKey}`],
  ]
  for (const [what, authorization] of wrong) {
    test(`${what}: 401, whatever is asked for`, async () => {
      for (const path of ['/Users', '/Users/8', '/ServiceProviderConfig', '/Groups', '/nothing']) {
        const answer = await call('GET', path, undefined, authorization)
        isError(answer, 401)
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      }
    })
  }

  test('is not stored, ends with the next one, and can be taken away', async () => {
    assert.equal(JSON.stringify(store.db.select().from(scimTokens).all()).includes(token), false)
    const old = token
    token = await store.write(replaceScimToken)
    isError(await call('GET', '/Users', undefined, `Bearer ${old}`), 401)
    assert.equal((await call('GET', '/Users')).status, 200)
    await store.write(deleteScimToken)
    isError(await call('GET', '/Users'), 401)
    token = await store.write(replaceScimToken)
  })
})

describe('what the server says of itself', () => {
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
    test(path, async () => {
      const { status, headers, body } = await call('GET', path)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/scim+json')
      assert.ok(Array.isArray(body.schemas))
    })
  }
  for (const [method, path] of [
    ['GET', '/Groups'],
    ['POST', '/Groups'],
    ['POST', '/Bulk'],
    ['GET', '/Me'],
  ] as const) {
    test(`${method} ${path} is not there`, async () => {
      isError(await call(method, path, method === 'POST' ? {} : undefined), 501)
    })
  }
  test('an unknown path is not there', async () => isError(await call('GET', '/Others'), 404))
})

test('a name is made valid, because a directory does not ask its people', async () => {
  const named = (displayName: string, userName: string) =>
    call('POST', '/Users', { userName, displayName })
  const { body, status } = await named('Ada\u202e\t*Lovelace* |7', 'ada@names.example')
  assert.deepEqual([status, body.displayName], [201, 'Ada Lovelace'])
  const short = await named('李', 'li@names.example')
  assert.deepEqual([short.status, short.body.displayName], [201, '李'])
})

describe('Okta', () => {
  test('finds nobody, creates an account, and finds it', async () => {
    const filter = encodeURIComponent('userName eq "okta@example.com"')
    const path = `/Users?filter=${filter}&startIndex=1&count=100`
    const none = await call('GET', path)
    assert.deepEqual([none.status, none.body.totalResults, none.body.Resources], [200, 0, []])
    const made = await call('POST', '/Users', {
      schemas: [core],
      userName: 'okta@example.com',
      name: { givenName: 'Olga', familyName: 'Ktavia' },
      emails: [{ primary: true, value: 'okta@example.com', type: 'work' }],
      displayName: 'Olga Ktavia',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const user = findUserByAddress(store, 'okta@example.com')
    assert.deepEqual(made.body, {
      schemas: [core],
      id: String(user?.id),
      userName: 'okta@example.com',
      name: { formatted: 'Olga Ktavia' },
      displayName: 'Olga Ktavia',
      emails: [{ value: 'okta@example.com', type: 'work', primary: true }],
      active: true,
      role: 'member',
      meta: {
        resourceType: 'User',
        created: new Date(server.clock.now()).toISOString(),
        location: `${server.url}/scim/v2/Users/${user?.id}`,
      },
    })
    assert.equal(user?.passwordHash, null)
    const found = await call('GET', path)
    assert.deepEqual(found.body.Resources, [made.body])
  })

  test('replaces it with PUT, and deactivates it by a value without a path', async () => {
    const id = await create()
    const put = await call('PUT', `/Users/${id}`, {
      schemas: [core],
      id,
      userName: 'changed@example.com',
      name: { givenName: 'Another', familyName: 'Name' },
      emails: [{ primary: true, value: 'changed@example.com', type: 'work' }],
      active: true,
      meta: { resourceType: 'User' },
    })
    assert.equal(put.status, 200, JSON.stringify(put.body))
    assert.deepEqual(
      [put.body.userName, put.body.displayName],
      ['changed@example.com', 'Another Name'],
    )
    const gone = await patch(id, { op: 'replace', value: { active: false } })
    assert.deepEqual([gone.status, gone.body.active], [200, false])
  })
})

describe('Entra ID', () => {
  test('creates with its extension', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const made = await call('POST', '/Users', {
      schemas: [core, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'entra@example.com',
      active: true,
      displayName: 'Enid Tra',
      emails: [{ primary: true, type: 'work', value: 'entra@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Enid Tra', familyName: 'Tra', givenName: 'Enid' },
      roles: [],
      [enterprise]: { department: 'Chat' },
    })
    assert.deepEqual([made.status, made.body.displayName], [201, 'Enid Tra'])
  })

  test('changes with capitals, texts for truths, and members as paths', async () => {
    const id = await create()
    const changed = await patch(
      id,
      { op: 'Replace', path: 'userName', value: 'other.entra@example.com' },
      { op: 'Add', path: 'name.givenName', value: 'Given' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@example.com' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'x',
      },
      { op: 'Replace', value: { 'name.familyName': 'Family', active: 'False' } },
    )
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    const { userName, displayName, active } = changed.body
    assert.deepEqual(
      [userName, displayName, active],
      ['other.entra@example.com', 'Given Family', false],
    )
    const back = await patch(id, { op: 'Replace', path: 'active', value: 'True' })
    assert.equal(back.body.active, true)
  })
})

describe('lists', () => {
  test('hold people, without bots, a page at a time', async () => {
    const { body } = await call('GET', '/Users?startIndex=2&count=3')
    const all = (await call('GET', '/Users')).body
    const people = all.Resources as { id: string }[]
    assert.deepEqual(body.Resources, people.slice(1, 4))
    assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage], [people.length, 2, 3])
    assert.equal(
      people.some(({ id }) => Number(id) === server.ids.bot),
      false,
    )
    const count = await call('GET', '/Users?count=0')
    assert.deepEqual([count.body.totalResults, count.body.Resources], [people.length, []])
    isError(await call('GET', `/Users/${server.ids.bot}`), 404)
  })

  const filters = [
    'userName eq "a@example.com" or userName pr',
    'userName eq "a" ) or ( "" eq "',
    'userName co "a"',
    'password eq "x"',
    'userName eq a@example.com',
    "userName eq 'a@example.com'",
    '',
  ]
  for (const filter of filters) {
    test(`the filter ${filter || '""'} is refused`, async () => {
      const answer = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      isError(answer, 400, 'invalidFilter')
    })
  }

  test('the value of a filter is no more than a value', async () => {
    for (const value of ['%', '*', "' OR 1=1 --", 'a" or userName pr or "']) {
      const filter = `userName eq ${JSON.stringify(value)}`
      const { status, body } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual([status, body.totalResults], [200, 0], value)
    }
    const any = encodeURIComponent('USERNAME EQ "Hamlet@ZULIP.com"')
    assert.equal((await call('GET', `/Users?filter=${any}`)).body.totalResults, 1)
  })
})

describe('rules', () => {
  test('an address is used once', async () => {
    const taken = { userName: 'HAMLET@zulip.com', name: { formatted: 'Other' } }
    isError(await call('POST', '/Users', taken), 409, 'uniqueness')
    const id = await create()
    const path = 'userName'
    isError(await patch(id, { op: 'replace', path, value: 'hamlet@zulip.com' }), 409, 'uniqueness')
  })

  test('roles change, but owners are made and unmade in Parley', async () => {
    const id = await create({ role: 'guest' })
    assert.equal((await read(id)).role, 'guest')
    const role = (value: unknown) => patch(id, { op: 'replace', path: 'role', value })
    isError(await role('administrator'), 400, 'invalidValue')
    assert.equal((await role('moderator')).body.role, 'moderator')
    isError(await role('owner'), 400, 'invalidValue')
    isError(await role('king'), 400, 'invalidValue')
    isError(
      await patch(String(server.ids.owner), { op: 'replace', path: 'role', value: 'member' }),
      400,
      'invalidValue',
    )
    isError(
      await call('POST', '/Users', { userName: 'o@example.com', displayName: 'O', role: 'owner' }),
      400,
      'invalidValue',
    )
  })

  test('deactivation ends sessions and the API key for good', async () => {
    const password = 'correct horse'
    const person = { email: 'leaver@example.com', full_name: 'Leaver', password }
    const made = await server.as('owner').post<{ user_id: number }>('/users', person)
    const before = findUserByAddress(store, person.email)?.apiKey
    const id = String(made.user_id)
    assert.equal((await patch(id, { op: 'replace', path: 'active', value: false })).status, 200)
    assert.equal(findUserByAddress(store, person.email)?.isActive, false)
    assert.equal((await patch(id, { op: 'replace', path: 'active', value: true })).status, 200)
    const user = findUserByAddress(store, person.email)
    assert.equal(user?.isActive, true)
    assert.notEqual(user?.apiKey, before)
  })

  test('a former owner comes back as a member, and nobody with the old key', async () => {
    const password = 'correct horse'
    const owner = server.as('owner')
    for (const role of [100, 200]) {
      const person = { email: `former${role}@example.com`, full_name: `Former ${role}`, password }
      const { user_id: id } = await owner.post<{ user_id: number }>('/users', person)
      await owner.patch(`/users/${id}`, { role })
      const before = findUserByAddress(store, person.email)
      assert.deepEqual(await owner.del(`/users/${id}`), success)
      const back = await patch(String(id), { op: 'replace', path: 'active', value: true })
      assert.equal(back.status, 200)
      const user = findUserByAddress(store, person.email)
      assert.deepEqual([user?.isActive, user?.role], [true, role === 100 ? 400 : role])
      assert.notEqual(user?.apiKey, before?.apiKey)
    }
  })

  test('the address of an owner stays, by which passwords are replaced', async () => {
    const owner = String(server.ids.owner)
    const change = { op: 'replace', path: 'userName', value: 'taker@example.com' }
    isError(await patch(owner, change), 400, 'mutability')
    assert.notEqual((await read(owner)).userName, 'taker@example.com')
  })

  test('the last owner stays', async () => {
    const owner = String(server.ids.owner)
    isError(await patch(owner, { op: 'replace', path: 'active', value: false }), 400)
    assert.equal((await read(owner)).active, true)
  })

  test('accounts are not deleted', async () => {
    isError(await call('DELETE', `/Users/${await create()}`), 400)
  })

  test('a request that is refused changes nothing', async () => {
    const id = await create()
    const before = await read(id)
    const answer = await patch(
      id,
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'replace', path: 'userName', value: 'no address' },
    )
    isError(answer, 400, 'invalidValue')
    assert.deepEqual(await read(id), before)
  })

  test('others see what the provider changes', async () => {
    const queue = await server.as('member').watch('realm_user')
    const id = await create()
    await patch(id, { op: 'replace', path: 'displayName', value: 'Renamed' })
    const events = await queue.drain()
    assert.deepEqual(
      events.map(({ op }) => op),
      ['add', 'update'],
    )
    assert.deepEqual(await server.as('owner').del(`/users/${id}`), success)
  })

  // biome-ignore format: a table reads best in columns
  const bad: [string, string, unknown, string | undefined][] = [
    ['no JSON',              'POST',  '{',                                                        'invalidSyntax'],
    ['a list',               'POST',  [],                                                         'invalidSyntax'],
    ['no userName',          'POST',  { displayName: 'A' },                                       'invalidValue'],
    ['no name',              'POST',  { userName: 'a@example.com' },                              'invalidValue'],
    ['no address',           'POST',  { userName: 'a', displayName: 'A' },                        'invalidValue'],
    ['a number for a name',  'POST',  { userName: 'a@example.com', displayName: 7 },              'invalidValue'],
    ['a name of nothing',    'POST',  { userName: 'a@example.com', displayName: '**\u200b' },      'invalidValue'],
    ['no operations',        'PATCH', {},                                                         'invalidSyntax'],
    ['an unknown operation', 'PATCH', { Operations: [{ op: 'move', path: 'active' }] },           'invalidValue'],
    ['an unknown path',      'PATCH', { Operations: [{ op: 'add', path: 'power', value: 1 }] },   'invalidPath'],
    ['a removal',            'PATCH', { Operations: [{ op: 'remove', path: 'active' }] },         'mutability'],
    ['a truth of neither',   'PATCH', { Operations: [{ op: 'replace', path: 'active', value: 'no' }] }, 'invalidValue'],
    ['too many operations',  'PATCH', { Operations: Array(101).fill({ op: 'add', path: 'title', value: '' }) }, 'invalidSyntax'],
  ]
  for (const [what, method, body, scimType] of bad) {
    test(`${what} is refused`, async () => {
      const path = method === 'POST' ? '/Users' : `/Users/${server.ids.zoe}`
      isError(await call(method, path, body), 400, scimType)
    })
  }

  test('a body that is too large is refused', async () => {
    const { status } = await call('POST', '/Users', { displayName: 'x'.repeat(100_000) })
    assert.equal(status, 413)
  })
})
