import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deactivateUser } from '#features/access/accounts/actions.ts'
import { updateChannel } from '#features/foundation/channels/queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { setRealmGroupSetting } from '#features/foundation/realm/settings.queries.ts'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const { store } = server.server.context

const subscribe = (actor: Actor, names: string[], params: CallParams = {}) =>
  server.as(actor).post('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    ...params,
  })
const unsubscribe = (actor: Actor, names: string[], params: CallParams = {}) =>
  server.as(actor).del('/users/me/subscriptions', { subscriptions: names, ...params })

/** The reply of a call that subscribed; names by actor. */
function added(
  subscribed: Partial<Record<Actor, string[]>>,
  already: Partial<Record<Actor, string[]>> = {},
): object {
  return {
    ...success,
    subscribed: byId(subscribed),
    already_subscribed: byId(already),
    new_subscription_messages_sent: true,
  }
}

function byId(names: Partial<Record<Actor, string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(names).map(([actor, own]) => [ids[actor as Actor], own]))
}

const only = (...members: Actor[]) => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
})

async function subscribers(name: string): Promise<number[]> {
  const admin = server.as('admin')
  const { stream_id } = await admin.get<{ stream_id: number }>('/get_stream_id', { stream: name })
  const path = `/streams/${stream_id}/members`
  return (await admin.get<{ subscribers: number[] }>(path)).subscribers
}

const denied = failure('Insufficient permission')
const noAccess = (name: string) => failure(`Unable to access channel (${name}).`)

describe('one request', () => {
  test('changes at most 4000 subscriptions', async () => {
    const names = Array.from({ length: 700 }, (_, i) => `many ${i}`)
    const { admin, member, othello, outsider, cordelia, zoe } = ids
    const principals = [admin, member, othello, outsider, cordelia, zoe]
    const refused = failure('Too many pairs of user and channel in one request (limit: 4000)')
    assert.deepEqual(await subscribe('owner', names, { principals }), refused)
    assert.deepEqual(await unsubscribe('owner', names, { principals }), refused)
  })

  test('subscribes to what exists, creates what does not, and says which was which', async () => {
    const reply = await subscribe('member', ['verona', ' Scotland ', 'brand new'])
    const expected = added({ member: ['Scotland', 'brand new'] }, { member: ['Verona'] })
    assert.deepEqual(reply, expected)
    const again = await subscribe('member', ['BRAND new', 'Brand New'])
    assert.deepEqual(again, added({}, { member: ['brand new'] }))
  })

  test('subscribes others by id or by address, each once', async () => {
    const principals = [ids.outsider, 'user8@zulipdev.com', ids.cordelia, 'default-bot@zulip.com']
    const reply = await subscribe('member', ['crowd', 'Verona'], { principals })
    const expected = added(
      { outsider: ['crowd'], cordelia: ['crowd'], bot: ['crowd', 'Verona'] },
      { outsider: ['Verona'], cordelia: ['Verona'] },
    )
    assert.deepEqual(reply, expected)
    assert.deepEqual(await subscribers('crowd'), [ids.outsider, ids.cordelia, ids.bot])
  })

  test('knows a real address only where the caller may see it', async () => {
    const asked = { principals: ['cordelia@zulip.com'] }
    assert.deepEqual(await subscribe('member', ['Denmark'], asked), failure('No such user'))
    assert.deepEqual(await subscribe('admin', ['Denmark'], asked), added({ cordelia: ['Denmark'] }))
    await unsubscribe('admin', ['Denmark'], asked)
  })

  const strangers: [string, unknown[]][] = [
    ['an unknown id', [999_999]],
    ['a negative id', [-1]],
    ['an unknown address', ['nobody@example.com']],
    ['a prototype name', ['__proto__']],
    ["the server's own bot", [4]],
  ]
  for (const [what, principals] of strangers) {
    test(`subscribes nobody when one principal is ${what}`, async () => {
      const reply = await subscribe('member', ['Rome', 'never made'], {
        principals: [ids.outsider, ...principals],
      })
      assert.deepEqual(reply, failure('No such user'))
      assert.equal(reply.status, 400)
      assert.deepEqual(await subscribers('Rome'), [ids.zoe])
      const made = await server.as('admin').get('/get_stream_id', { stream: 'never made' })
      assert.deepEqual(made, failure("Invalid channel name 'never made'"))
    })
  }

  test('subscribes nobody when one principal is deactivated', async () => {
    await store.write((tx) => {
      const user = findUser(tx, ids.othello)
      if (user) deactivateUser(tx, server.server.context.queues, user)
    })
    const reply = await subscribe('member', ['Rome'], { principals: [ids.outsider, ids.othello] })
    assert.deepEqual(reply, failure('User is deactivated'))
    assert.equal(reply.status, 400)
    assert.deepEqual(await subscribers('Rome'), [ids.zoe])
    assert.equal((await subscribers('Denmark')).includes(ids.othello), false)
  })
})

describe('who may subscribe whom', () => {
  const kinds: Record<string, object> = {
    open: {},
    secret: { invite_only: true },
    joinable: { invite_only: true, can_subscribe_group: 4 },
    addable: { invite_only: true, can_add_subscribers_group: 4 },
    managed: { invite_only: true, can_administer_channel_group: only('moderator', 'member') },
  }
  let round = 0

  /** Channels of the member's, one of each kind, for one row of the table. */
  async function make(kind: string): Promise<string> {
    round += 1
    const name = `${kind} ${round}`
    const reply = await subscribe('member', [name], kinds[kind] as CallParams)
    assert.equal(reply.result, 'success', reply.msg)
    return name
  }

  describe('themselves', () => {
    // +: may; x: sees the channel but may not; -: it does not exist for them.
    // biome-ignore format: a matrix reads best in columns
    const matrix: [Actor, ...string[]][] = [
      //            open secret joinable addable managed
      ['owner',     '+', 'x',   '+',     '+',    'x'],
      ['admin',     '+', 'x',   '+',     '+',    'x'],
      ['moderator', '+', '-',   '+',     '+',    'x'],
      ['outsider',  '+', '-',   '-',     '-',    '-'],
      ['bot',       '+', '-',   '-',     '-',    '-'],
      ['guest',     '-', '-',   '-',     '-',    '-'],
    ]
    for (const [actor, ...cells] of matrix) {
      for (const [i, kind] of Object.keys(kinds).entries()) {
        const can = cells[i] === '+' ? 'can' : 'cannot'
        test(`${actor} ${can} subscribe to a channel of the kind ${kind}`, async () => {
          const name = await make(kind)
          const reply = await subscribe(actor, [name])
          if (cells[i] === '+') assert.deepEqual(reply, added({ [actor]: [name] }))
          // Who could create a channel learns from the failure that the name is taken.
          else assert.deepEqual(reply, actor === 'guest' ? denied : noAccess(name))
        })
      }
    }
  })

  describe('others', () => {
    // s: subscribed first. Then + or x.
    // biome-ignore format: a matrix reads best in columns
    const matrix: [string, Actor, string, boolean, boolean][] = [
      // the realm's group   who          kind       subscribed  may
      ['role:members',       'owner',     'open',     false,     true],
      ['role:members',       'outsider',  'open',     false,     true],
      ['role:members',       'guest',     'open',     true,      false],
      ['role:nobody',        'owner',     'open',     false,     true],
      ['role:nobody',        'admin',     'open',     false,     true],
      ['role:nobody',        'member',    'open',     true,      true],
      ['role:nobody',        'outsider',  'open',     true,      false],
      ['role:nobody',        'moderator', 'open',     true,      false],
      ['role:members',       'admin',     'secret',   false,     false],
      ['role:nobody',        'admin',     'secret',   true,      true],
      ['role:members',       'outsider',  'secret',   true,      true],
      ['role:nobody',        'outsider',  'secret',   true,      false],
      ['role:members',       'outsider',  'secret',   false,     false],
      ['role:nobody',        'moderator', 'addable',  false,     true],
      ['role:nobody',        'moderator', 'joinable', false,     false],
      ['role:members',       'moderator', 'joinable', false,     true],
      ['role:nobody',        'moderator', 'managed',  true,      true],
      ['role:members',       'moderator', 'managed',  false,     false],
      ['role:members',       'guest',     'addable',  true,      false],
    ]
    for (const [group, actor, kind, first, may] of matrix) {
      const sub = first ? 'a subscribed' : 'an unsubscribed'
      const can = may ? 'can' : 'cannot'
      test(`${sub} ${actor} ${can}, in ${kind} with ${group} adding subscribers`, async () => {
        const name = await make(kind)
        if (first) await subscribe('member', [name], { principals: [ids[actor]] })
        await store.write((tx) => {
          const setting = 'can_add_subscribers_group'
          setRealmGroupSetting(tx, setting, systemGroupId(tx, group as 'role:members'))
        })
        const reply = await subscribe(actor, [name], { principals: [ids.prospero] })
        assert.deepEqual(reply, may ? added({ prospero: [name] }) : noAccess(name))
        const now = (await subscribers(name)).includes(ids.prospero)
        assert.equal(now, may)
      })
    }
    after(() =>
      store.write((tx) => {
        const members = systemGroupId(tx, 'role:members')
        setRealmGroupSetting(tx, 'can_add_subscribers_group', members)
      }),
    )
  })

  describe('no longer', () => {
    // biome-ignore format: a matrix reads best in columns
    const matrix: [Actor, string, object, Actor, boolean | 'unknown'][] = [
      ['member',    'open',    {},                                                'outsider', true],
      ['owner',     'open',    {},                                                'member',   true],
      ['admin',     'secret',  {},                                                'member',   true],
      ['admin',     'open',    { can_remove_subscribers_group: 1 },               'member',   true],
      ['moderator', 'open',    {},                                                'member',   false],
      ['outsider',  'open',    {},                                                'member',   false],
      ['moderator', 'secret',  {},                                                'member',   'unknown'],
      ['moderator', 'open',    { can_remove_subscribers_group: 4 },               'member',   true],
      ['moderator', 'secret',  { can_remove_subscribers_group: 4 },               'member',   'unknown'],
      ['moderator', 'managed', {},                                                'member',   true],
      ['outsider',  'open',    { can_remove_subscribers_group: only('outsider') }, 'member',  true],
      ['owner',     'open',    {},                                                'bot',      true],
      ['outsider',  'open',    {},                                                'bot',      false],
      ['guest',     'open',    {},                                                'member',   'unknown'],
    ]
    for (const [actor, kind, params, target, may] of matrix) {
      const can = may === true ? 'can' : 'cannot'
      const given = Object.keys(params).join()
      test(`${actor} ${can} remove ${target} from ${kind} ${given}`, async () => {
        round += 1
        const name = `${kind} ${round}`
        const members = [ids.member, ids[target]]
        await subscribe('member', [name], { ...kinds[kind], ...params, principals: members })
        const reply = await unsubscribe(actor, [name], { principals: [ids[target]] })
        const gone = { ...success, removed: [name], not_removed: [] }
        const missing = failure(`Channel '${name}' does not exist`, 'STREAM_DOES_NOT_EXIST', {
          stream: name,
        })
        assert.deepEqual(reply, may === 'unknown' ? missing : may ? gone : denied)
        assert.equal((await subscribers(name)).includes(ids[target]), may !== true)
      })
    }

    test('a bot is removed by its owner', async () => {
      await subscribe('member', ['with a bot'], { principals: [ids.member, ids.bot] })
      const { bot } = ids
      await store.write((tx) => updateUser(tx, bot, { botOwnerId: ids.outsider }))
      const reply = await unsubscribe('outsider', ['with a bot'], { principals: [ids.bot] })
      assert.deepEqual(reply, { ...success, removed: ['with a bot'], not_removed: [] })
    })
  })
})

describe('authorization errors that are not fatal', () => {
  before(() => subscribe('member', ['hideout'], { invite_only: true }))
  const asked = { authorization_errors_fatal: false }

  test('leave the rest of the request alone', async () => {
    const reply = await subscribe('admin', ['hideout', 'Rome'], asked)
    assert.deepEqual(reply, { ...added({ admin: ['Rome'] }), unauthorized: ['hideout'] })
    const none = await subscribe('admin', ['Rome'], asked)
    assert.deepEqual(none, { ...added({}, { admin: ['Rome'] }), unauthorized: [] })
  })

  test('are fatal to all of it unless that is said', async () => {
    assert.deepEqual(await subscribe('admin', ['Venice', 'hideout']), noAccess('hideout'))
    assert.equal((await subscribers('Venice')).includes(ids.admin), false)
  })

  test('tell someone who may not create channels nothing of what exists', async () => {
    for (const name of ['hideout', 'Denmark', 'no such channel']) {
      assert.deepEqual(await subscribe('guest', [name]), denied)
      const reply = await subscribe('guest', [name, 'Verona'], asked)
      assert.deepEqual(reply, { ...added({}, { guest: ['Verona'] }), unauthorized: [name] })
    }
  })
})

describe('DELETE /users/me/subscriptions', () => {
  test('says which channels were left and which were not subscribed to', async () => {
    await subscribe('member', ['one', 'two'])
    await unsubscribe('member', ['two'])
    const reply = await unsubscribe('member', ['ONE', 'two', 'Rome'])
    assert.deepEqual(reply, { ...success, removed: ['one'], not_removed: ['two', 'Rome'] })
  })

  test('changes nothing when one channel does not exist', async () => {
    await subscribe('member', ['kept'])
    const reply = await unsubscribe('member', ['kept', 'no such'])
    const expected = failure("Channel 'no such' does not exist", 'STREAM_DOES_NOT_EXIST', {
      stream: 'no such',
    })
    assert.deepEqual(reply, expected)
    assert.deepEqual(await subscribers('kept'), [ids.member])
  })

  test('leaves archived channels as well', async () => {
    await subscribe('member', ['old things'])
    const found = { stream: 'old things' }
    const { stream_id } = await server
      .as('member')
      .get<{ stream_id: number }>('/get_stream_id', found)
    await store.write((tx) => void updateChannel(tx, stream_id, { isArchived: true }))
    const reply = await unsubscribe('member', ['old things'])
    assert.deepEqual(reply, { ...success, removed: ['old things'], not_removed: [] })
  })
})

describe('PATCH /users/me/subscriptions', () => {
  test('does both at once', async () => {
    await subscribe('outsider', ['leaving'])
    const reply = await server.as('outsider').patch('/users/me/subscriptions', {
      add: [{ name: 'Verona' }, { name: 'coming', color: '#12ab34', description: 'New' }],
      delete: ['leaving', 'Rome'],
    })
    assert.deepEqual(reply, {
      ...success,
      subscribed: byId({ outsider: ['coming'] }),
      already_subscribed: byId({ outsider: ['Verona'] }),
      removed: ['leaving'],
      not_removed: ['Rome'],
    })
    const { subscriptions } = await server
      .as('outsider')
      .get<{ subscriptions: { name: string; color: string; description: string }[] }>(
        '/users/me/subscriptions',
      )
    const coming = subscriptions.find(({ name }) => name === 'coming')
    assert.deepEqual([coming?.color, coming?.description], ['#12ab34', 'New'])
  })

  test('wants something to do', async () => {
    const reply = await server.as('outsider').patch('/users/me/subscriptions')
    const expected = failure('Nothing to do. Specify at least one of "add" or "delete".')
    assert.deepEqual(reply, expected)
  })
})

describe('a bad request', () => {
  const post = '/users/me/subscriptions'
  const one = [{ name: 'x' }]
  const required = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  // biome-ignore format: a matrix reads best in columns
  const cases: ['post' | 'del', object, object][] = [
    ['post', {}, required('subscriptions')],
    ['post', { subscriptions: 'Verona' }, failure('Argument "subscriptions" is not valid JSON.')],
    ['post', { subscriptions: {} }, failure('subscriptions is not a list')],
    ['post', { subscriptions: ['Verona'] }, failure('Invalid subscriptions[0]')],
    ['post', { subscriptions: [{ name: 1 }] }, failure('subscriptions[0]["name"] is not a string')],
    ['post', { subscriptions: [{ name: '  ' }] }, failure("Channel name can't be empty.")],
    ['post', { subscriptions: [{ name: 'x'.repeat(61) }] }, failure('Channel name is too long (limit: 60 characters)')],
    ['post', { subscriptions: [{ name: 'a\nb' }] }, failure('Invalid character in channel name, at position 2: U+000A.')],
    ['post', { subscriptions: [{ name: 'a\u0000b' }] }, failure('Argument "subscriptions" holds characters that are not allowed.')],
    ['post', { subscriptions: [{ name: 'x', description: 'y'.repeat(1025) }] }, failure('description is too long (limit: 1024 characters)')],
    ['post', { subscriptions: [{ name: 'x', color: 'red' }] }, failure('color is not a valid hex color code')],
    ['post', { subscriptions: one, principals: 10 }, failure('principals is not a list')],
    ['post', { subscriptions: one, principals: [{}] }, failure('principals[0] is not a user ID or an email address')],
    ['post', { subscriptions: one, announce: 'yes' }, failure('Argument "announce" is not valid JSON.')],
    ['post', { subscriptions: one, invite_only: 3 }, failure('invite_only is not a boolean')],
    ['post', { subscriptions: one, topics_policy: 'none' }, failure('Invalid topics_policy')],
    ['post', { subscriptions: one, message_retention_days: 0 }, failure('Invalid message_retention_days')],
    ['post', { subscriptions: one, message_retention_days: 'forever' }, failure('message_retention_days is not a number of days above 0, "realm_default" or "unlimited"')],
    ['post', { subscriptions: one, can_send_message_group: 'role:members' }, failure('Argument "can_send_message_group" is not valid JSON.')],
    ['post', { subscriptions: one, can_send_message_group: { direct_members: [1] } }, failure('can_send_message_group is not a group-setting value')],
    ['del', {}, required('subscriptions')],
    ['del', { subscriptions: [1] }, failure('subscriptions[0] is not a string')],
    ['del', { subscriptions: ['Verona'], principals: [999] }, failure('No such user')],
  ]
  for (const [method, params, expected] of cases) {
    const shown = JSON.stringify(params).slice(0, 80)
    test(`changes nothing: ${method} ${shown}`, async () => {
      const before = await server.as('admin').get('/streams', { include_all: true })
      assert.deepEqual(await server.as('admin')[method](post, { ...params }), expected)
      const now = await server.as('admin').get('/streams', { include_all: true })
      assert.deepEqual(now, before)
    })
  }
})
