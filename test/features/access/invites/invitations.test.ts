import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/invites/multiuse'
const now = () => Math.floor(server.clock.now() / 1000)
const insufficient = failure('Insufficient permission')
const noSuch = failure('No such invitation')
const { ids, channels } = server

interface Invite {
  id: number
  invited_by_user_id: number
  invited: number
  expiry_date: number | null
  invited_as: number
  is_multiuse: boolean
  notify_referrer_on_join: boolean
  link_url?: string
  email?: string
}

async function list(actor: Actor): Promise<Invite[]> {
  return (await server.as(actor).get<{ invites: Invite[] }>('/invites')).invites
}

/** Makes a link and returns it as its maker sees it listed. */
async function makeLink(actor: Actor, params: CallParams = {}): Promise<Invite> {
  const reply = await server.as(actor).post<{ invite_link: string }>(path, params)
  assert.equal(reply.result, 'success', reply.msg)
  const made = (await list(actor)).find(({ link_url }) => link_url === reply.invite_link)
  assert.ok(made)
  return made
}

async function setRealm(params: CallParams): Promise<void> {
  assert.deepEqual(await server.as('owner').patch('/realm', params), success)
}

async function groupId(name: string): Promise<number> {
  const { user_groups } = await server
    .as('owner')
    .get<{ user_groups: { id: number; name: string }[] }>('/user_groups')
  return user_groups.find((group) => group.name === name)?.id ?? 0
}

const allowLinks = async (name: string) =>
  await setRealm({ create_multiuse_invite_group: { new: await groupId(name) } })

describe('Create a reusable invitation link', () => {
  test('without parameters it lasts 14400 minutes and makes members', async () => {
    const reply = await server.as('admin').post<{ invite_link: string }>(path)
    assert.match(reply.invite_link, new RegExp(`^${server.url}/join/[0-9a-f]{40}/$`))
    assert.deepEqual(reply, { ...success, invite_link: reply.invite_link })
    const made = (await list('admin')).at(-1)
    assert.deepEqual(made, {
      id: made?.id,
      invited_by_user_id: ids.admin,
      invited: now(),
      expiry_date: now() + 14_400 * 60,
      invited_as: 400,
      is_multiuse: true,
      notify_referrer_on_join: false,
      link_url: reply.invite_link,
    })
  })

  test('invite_expires_in_minutes null never expires', async () => {
    const { expiry_date } = await makeLink('admin', { invite_expires_in_minutes: null })
    assert.equal(expiry_date, null)
  })

  test('the usual time is the server operator’s to choose', async () => {
    const other = await startServer({ config: { invitationMinutes: 5 } })
    try {
      await other.as('admin').post(path)
      const { invites } = await other.as('admin').get<{ invites: Invite[] }>('/invites')
      assert.equal((invites[0]?.expiry_date ?? 0) - (invites[0]?.invited ?? 0), 300)
    } finally {
      await other.close()
    }
  })

  describe('a caller may only invite roles with equal or stricter restrictions', () => {
    // biome-ignore format: a matrix reads best in columns
    const matrix: [Actor, number[], number[]][] = [
      ['owner',     [100, 200, 300, 400, 600], []],
      ['admin',     [200, 300, 400, 600],      [100]],
      ['moderator', [300, 400, 600],           [100, 200]],
      ['member',    [400, 600],                [100, 200, 300]],
      ['guest',     [],                        [100, 200, 300, 400, 600]],
    ]
    for (const [actor, allowed, refused] of matrix) {
      test(actor, async () => {
        await allowLinks('role:members')
        for (const role of allowed) {
          assert.equal((await makeLink(actor, { invite_as: role })).invited_as, role)
        }
        for (const role of refused) {
          assert.deepEqual(await server.as(actor).post(path, { invite_as: role }), insufficient)
        }
        await allowLinks('role:administrators')
      })
    }
  })

  describe('who has the permission decides the organization', () => {
    // biome-ignore format: a matrix reads best in columns
    const matrix: [string, Actor[], Actor[]][] = [
      ['role:nobody',         [],                             ['owner', 'admin', 'member', 'guest']],
      ['role:owners',         ['owner'],                      ['admin', 'moderator', 'guest']],
      ['role:administrators', ['owner', 'admin'],             ['moderator', 'member', 'guest']],
      ['role:moderators',     ['owner', 'admin', 'moderator'], ['member', 'outsider', 'guest']],
      ['role:members',        ['owner', 'moderator', 'member'], ['guest']],
    ]
    for (const [group, allowed, refused] of matrix) {
      test(group, async () => {
        await allowLinks(group)
        for (const actor of allowed) await makeLink(actor)
        for (const actor of refused) {
          assert.deepEqual(await server.as(actor).post(path), insufficient)
        }
        await allowLinks('role:administrators')
      })
    }

    test('bots never', async () => {
      const reply = await server.as('bot').post(path)
      assert.deepEqual(reply, failure('This endpoint does not accept bot requests.'))
    })
  })

  describe('stream_ids: default channels, or channels to which the caller may add', () => {
    const noRight = failure('You do not have permission to subscribe other users to channels.')
    const unknown = failure('Invalid channel ID')
    // biome-ignore format: a matrix reads best in columns
    const matrix: [string, Actor, string, number, object][] = [
      ['a public channel, everybody may add',        'member',   'role:members', channels.public,  success],
      ['a default channel, though nobody may add',   'member',   'role:nobody',  channels.shared,  success],
      ['any other channel when nobody may add',      'outsider', 'role:nobody',  channels.public,  noRight],
      ['an administrator, whatever the setting',     'admin',    'role:nobody',  channels.public,  success],
      ['a private channel the caller is in',         'member',   'role:members', channels.private, success],
      ['a private channel the caller cannot know of','outsider', 'role:members', channels.private, unknown],
      ['no channel at all',                          'member',   'role:members', 9999,             unknown],
      ['a negative id',                              'member',   'role:members', -1,               unknown],
    ]
    before(async () => {
      const reply = await server
        .as('admin')
        .post('/default_streams', { stream_id: channels.shared })
      assert.deepEqual(reply, success)
    })
    for (const [what, actor, adders, channel, expected] of matrix) {
      test(what, async () => {
        await allowLinks('role:members')
        await setRealm({ can_add_subscribers_group: { new: await groupId(adders) } })
        const before = await list('owner')
        const reply = await server.as(actor).post(path, { stream_ids: [channel] })
        const { invite_link: _, ...rest } = reply
        assert.deepEqual(rest, expected)
        if (expected !== success) assert.deepEqual(await list('owner'), before)
        await setRealm({ can_add_subscribers_group: { new: await groupId('role:members') } })
        await allowLinks('role:administrators')
      })
    }

    test('an archived channel is no channel to join', async () => {
      const made = await server
        .as('owner')
        .post<{ id: number }>('/channels/create', { name: 'short-lived', subscribers: [] })
      await server.as('owner').del(`/streams/${made.id}`)
      const reply = await server.as('owner').post(path, { stream_ids: [made.id] })
      assert.deepEqual(reply, unknown)
    })
  })

  describe('group_ids: the caller must be allowed to add users to those groups', () => {
    test('the group’s own managers and adders may, others may not', async () => {
      await allowLinks('role:members')
      const { group_id } = await server
        .as('member')
        .post<{ group_id: number }>('/user_groups/create', {
          name: 'cooks',
          description: '',
          members: [ids.member],
        })
      await makeLink('member', { group_ids: [group_id] })
      await makeLink('owner', { group_ids: [group_id] })
      const params = { group_ids: [group_id] }
      assert.deepEqual(await server.as('outsider').post(path, params), insufficient)
      await server.as('member').post(`/user_groups/${group_id}/deactivate`)
      const gone = failure('Invalid user group')
      assert.deepEqual(await server.as('member').post(path, params), gone)
      assert.deepEqual(await server.as('owner').post(path, { group_ids: [12_345] }), gone)
      const system = [await groupId('role:moderators')]
      assert.deepEqual(await server.as('owner').post(path, { group_ids: system }), gone)
      await allowLinks('role:administrators')
    })
  })

  describe('what is wrong or hostile is refused, and nothing is made', () => {
    const long = 'x'.repeat(8001)
    // biome-ignore format: a table reads best in columns
    const table: [string, CallParams][] = [
      ['minutes of zero',           { invite_expires_in_minutes: 0 }],
      ['negative minutes',          { invite_expires_in_minutes: -5 }],
      ['minutes past all time',     { invite_expires_in_minutes: 2 ** 53 }],
      ['minutes that are a word',   { invite_expires_in_minutes: 'soon' }],
      ['minutes that are a list',   { invite_expires_in_minutes: [1] }],
      ['minutes with a fraction',   { invite_expires_in_minutes: 1.5 }],
      ['an unknown role',           { invite_as: 500 }],
      ['a role of text',            { invite_as: 'owner' }],
      ['channels that are a number', { stream_ids: 4 }],
      ['channels by name',          { stream_ids: ['Verona'] }],
      ['channels past all bounds',  { stream_ids: [2 ** 60] }],
      ['too many channels',         { stream_ids: Array.from({ length: 1001 }, (_, i) => i) }],
      ['groups that are an object', { group_ids: { __proto__: null, length: 1 } }],
      ['a boolean that is none',    { include_realm_default_subscriptions: 'perhaps' }],
      ['a text of 8001 characters', { welcome_message_custom_text: long }],
      ['much too long a text',      { welcome_message_custom_text: 'x'.repeat(90_000) }],
      ['a NUL in the text',         { welcome_message_custom_text: 'a\u0000' }],
    ]
    for (const [what, params] of table) {
      test(what, async () => {
        const before = await list('owner')
        const reply = await server.as('owner').post(path, params)
        assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
        assert.deepEqual(await list('owner'), before)
      })
    }

    test('a text of 8000 characters is not, even if each takes two units', async () => {
      await makeLink('owner', { welcome_message_custom_text: '😎'.repeat(8000) })
    })
  })
})

describe('GET /invites', () => {
  test('lists what the caller can manage: administrators see those of others', async () => {
    await allowLinks('role:members')
    const own = await makeLink('member')
    const foreign = await makeLink('owner', { invite_as: 600 })
    const idsOf = async (actor: Actor) => (await list(actor)).map(({ id }) => id)
    assert.ok((await idsOf('member')).includes(own.id))
    assert.ok(!(await idsOf('member')).includes(foreign.id))
    assert.ok((await idsOf('admin')).includes(own.id))
    assert.ok((await idsOf('admin')).includes(foreign.id))
    assert.deepEqual(await idsOf('guest'), [])
  })

  test('an administrator does not see the link that would make owners', async () => {
    const made = await makeLink('owner', { invite_as: 100 })
    assert.ok((await list('owner')).some(({ id }) => id === made.id))
    assert.ok(!(await list('admin')).some(({ id }) => id === made.id))
    assert.deepEqual(await server.as('admin').del(`${path}/${made.id}`), noSuch)
    assert.deepEqual(await server.as('owner').del(`${path}/${made.id}`), success)
  })

  test('lists none that has expired', async () => {
    const made = await makeLink('admin', { invite_expires_in_minutes: 10 })
    server.clock.advance(10 * 60 * 1000 - 1)
    assert.ok((await list('admin')).some(({ id }) => id === made.id))
    server.clock.advance(1)
    assert.ok(!(await list('admin')).some(({ id }) => id === made.id))
    assert.deepEqual(await server.as('admin').del(`${path}/${made.id}`), noSuch)
  })
})

describe('revoking a link', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Actor, object][] = [
    ['member',    'member',    success],
    ['member',    'admin',     success],
    ['member',    'owner',     success],
    ['member',    'moderator', noSuch],
    ['member',    'outsider',  noSuch],
    ['member',    'guest',     noSuch],
    ['admin',     'owner',     success],
    ['owner',     'admin',     success],
    ['owner',     'member',    noSuch],
  ]
  for (const [maker, actor, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} revoke one of the ${maker}’s`, async () => {
      await allowLinks('role:members')
      const made = await makeLink(maker)
      assert.deepEqual(await server.as(actor).del(`${path}/${made.id}`), expected)
      const left = (await list('owner')).some(({ id }) => id === made.id)
      assert.equal(left, expected !== success)
      assert.deepEqual(await server.as(actor).del(`${path}/${made.id}`), noSuch, 'again')
    })
  }

  test('no other id is one, whatever it looks like', async () => {
    for (const id of ['0', '-1', '99999', '9007199254740991']) {
      assert.deepEqual(await server.as('owner').del(`${path}/${id}`), noSuch)
      assert.deepEqual(await server.as('owner').del(`/invites/${id}`), noSuch)
      assert.deepEqual(await server.as('owner').post(`/invites/${id}/resend`), noSuch)
    }
    const made = await makeLink('owner')
    assert.deepEqual(await server.as('owner').del(`/invites/${made.id}`), noSuch, 'a link')
    assert.deepEqual(await server.as('owner').post(`/invites/${made.id}/resend`), noSuch)
  })
})

test('invites_changed goes to administrators and whoever made the invitation', async () => {
  await allowLinks('role:members')
  const actors: Actor[] = ['owner', 'admin', 'moderator', 'member', 'outsider', 'guest']
  const queues = await Promise.all(actors.map((actor) => server.as(actor).watch('invites_changed')))
  const made = await makeLink('member')
  await server.as('admin').del(`${path}/${made.id}`)
  const heard = await Promise.all(queues.map((queue) => queue.drain()))
  const twice = [{ type: 'invites_changed' }, { type: 'invites_changed' }]
  assert.deepEqual(heard, [twice, twice, [], twice, [], []])
})

test('when its maker is deactivated a link ends, and stays ended', async () => {
  await allowLinks('role:members')
  const made = await makeLink('zoe')
  const queue = await server.as('admin').watch('invites_changed')
  await server.as('admin').del(`/users/${ids.zoe}`)
  assert.deepEqual(await queue.drain(), [{ type: 'invites_changed' }])
  assert.ok(!(await list('admin')).some(({ id }) => id === made.id))
  await server.as('admin').post(`/users/${ids.zoe}/reactivate`)
  assert.ok(!(await list('admin')).some(({ id }) => id === made.id))
})

test('invitations by mail need a mail server', async () => {
  const params = { invitee_emails: 'new@example.com', stream_ids: [] }
  const reply = await server.as('owner').post('/invites', params)
  assert.deepEqual(
    reply,
    failure('This server cannot send mail. Create an invitation link instead.'),
  )
})
