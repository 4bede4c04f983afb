import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { rateLimits: false } })
after(server.close)

interface Channel {
  readonly stream_id: number
  readonly name: string
  readonly subscribers?: number[]
}

interface State {
  readonly streams: Channel[]
  readonly subscriptions: Channel[]
  readonly unsubscribed: Channel[]
  readonly never_subscribed: Channel[]
  readonly realm_user_groups: { id: number; name: string; members: number[] }[]
  readonly realm_users: { user_id: number }[]
  readonly realm_non_active_users: { user_id: number }[]
  readonly cross_realm_bots: { user_id: number }[]
}

const viewers: readonly Actor[] = ['owner', 'moderator', 'member', 'outsider', 'guest']

function register(viewer: Actor, archived: boolean) {
  const fetched = ['stream', 'subscription', 'realm_user_groups', 'realm_user']
  return server.as(viewer).post<State>('/register', {
    fetch_event_types: fetched,
    include_subscribers: 'true',
    client_capabilities: { archived_channels: archived, include_deactivated_groups: archived },
  })
}

const byId = (a: Channel, b: Channel) => a.stream_id - b.stream_id

/** Whether the state is what other endpoints say, which share nothing between requests. */
async function assertTrue(viewer: Actor, archived: boolean): Promise<void> {
  const state = await register(viewer, archived)
  const me = server.as(viewer)
  const listed = await me.get<{ streams: Channel[] }>('/streams', {
    include_can_access_content: true,
    include_web_public: true,
    ...(viewer === 'owner' && { include_all: true }),
    exclude_archived: !archived,
  })
  const streams = [...listed.streams].sort(byId)
  assert.deepEqual(state.streams, streams)
  const groups = await me.get('/user_groups', { include_deactivated_groups: archived })
  assert.deepEqual(state.realm_user_groups, groups.user_groups)

  const own = await me.get<{ subscriptions: Channel[] }>('/users/me/subscriptions', {
    include_subscribers: 'true',
  })
  const current = state.subscriptions.filter(({ stream_id }) =>
    own.subscriptions.some((one) => one.stream_id === stream_id),
  )
  assert.deepEqual(current, own.subscriptions)
  const all = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  assert.deepEqual(
    all.map(({ stream_id }) => stream_id).sort((a, b) => a - b),
    streams.map(({ stream_id }) => stream_id),
  )
  for (const list of [state.subscriptions, state.unsubscribed, state.never_subscribed]) {
    const names = list.map(({ name }) => name)
    assert.deepEqual(names, [...names].sort())
  }
  for (const { subscribers, ...channel } of state.never_subscribed) {
    assert.deepEqual(
      channel,
      streams.find(({ stream_id }) => stream_id === channel.stream_id),
    )
    const { subscribers: members } = await me.get(`/streams/${channel.stream_id}/members`)
    assert.deepEqual(subscribers, members, channel.name)
  }

  const { members } = await me.get<{ members: { user_id: number; is_active: boolean }[] }>(
    '/users',
    { client_gravatar: true, include_custom_profile_fields: true },
  )
  const users = [...state.realm_users, ...state.realm_non_active_users, ...state.cross_realm_bots]
  for (const { is_active, ...user } of members) {
    const { is_active: _, ...found } = users.find(({ user_id }) => user_id === user.user_id) as {
      user_id: number
      is_active?: boolean
    }
    assert.deepEqual(found, user)
  }
}

const owner = server.as('owner')
const { public: denmark, private: coreTeam } = server.channels
const must = async (reply: Promise<{ result: string; msg: string }>) => {
  const { result, msg } = await reply
  assert.equal(result, 'success', msg)
}
const verona = server.channels.shared
const namedGroup = async () => {
  const { user_groups: groups } = await owner.get<{ user_groups: { id: number; name: string }[] }>(
    '/user_groups',
  )
  return groups.find(({ name }) => name === 'readers')?.id ?? 0
}

const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['nothing', async () => {}],
  ['a new name', () => must(owner.patch(`/streams/${denmark}`, { new_name: 'Aarhus' }))],
  ['a description', () => must(owner.patch(`/streams/${denmark}`, { description: '*Hot*' }))],
  ['the first message', () => server.say('outsider', 'webPublic')],
  [
    'a public channel',
    () => must(owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'new one' }] })),
  ],
  [
    'a private channel',
    () =>
      must(
        owner.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'hidden one' }],
          invite_only: true,
        }),
      ),
  ],
  [
    'a channel that becomes private',
    () => must(owner.patch(`/streams/${denmark}`, { is_private: true })),
  ],
  ['and public again', () => must(owner.patch(`/streams/${denmark}`, { is_private: false }))],
  [
    'a subscription',
    () =>
      must(
        server.as('outsider').post('/users/me/subscriptions', {
          subscriptions: [{ name: 'Aarhus' }],
        }),
      ),
  ],
  [
    'the end of a subscription',
    () => must(server.as('outsider').del('/users/me/subscriptions', { subscriptions: ['Aarhus'] })),
  ],
  [
    'a permission for one person',
    () =>
      must(
        owner.patch(`/streams/${verona}`, {
          can_administer_channel_group: {
            new: { direct_members: [server.ids.outsider], direct_subgroups: [] },
          },
        }),
      ),
  ],
  ['the deactivation of that person', () => must(owner.del(`/users/${server.ids.outsider}`))],
  ['their return', () => must(owner.post(`/users/${server.ids.outsider}/reactivate`))],
  [
    'a group',
    () =>
      must(
        owner.post('/user_groups/create', {
          name: 'readers',
          description: '',
          members: [server.ids.zoe],
        }),
      ),
  ],
  [
    'a member of a group',
    async () =>
      must(owner.post(`/user_groups/${await namedGroup()}/members`, { add: [server.ids.othello] })),
  ],
  [
    'access to a private channel for a group',
    async () =>
      must(
        owner.patch(`/streams/${coreTeam}`, {
          can_add_subscribers_group: {
            new: { direct_members: [server.ids.moderator], direct_subgroups: [] },
          },
        }),
      ),
  ],
  [
    'the end of a group',
    async () => must(owner.post(`/user_groups/${await namedGroup()}/deactivate`)),
  ],
  ['a role', () => must(owner.patch(`/users/${server.ids.zoe}`, { role: 300 }))],
  ['a name', () => must(server.as('member').patch('/settings', { full_name: 'Somebody' }))],
  [
    'a hidden address',
    () => must(server.as('member').patch('/settings', { email_address_visibility: 5 })),
  ],
  ['a waiting period', () => must(owner.patch('/realm', { waiting_period_threshold: 4 }))],
  ['a user in the waiting period', async () => void (await server.enroll('Newly Arrived'))],
  ['the end of that period', async () => server.clock.advance(5 * 86_400_000)],
  ['an archived channel', () => must(owner.del(`/streams/${verona}`))],
]

test('whatever changes is in the next state that each viewer gets, and nothing that they may not see', async (t) => {
  for (const [what, change] of changes) {
    await change()
    await t.test(what, async () => {
      for (const viewer of viewers) {
        if (viewer === 'outsider' && what === 'the deactivation of that person') continue
        for (const archived of [true, false]) {
          // As the first of those who share something, and as the second.
          await assertTrue(viewer, archived)
          await assertTrue(viewer, archived)
        }
      }
    })
  }
})
