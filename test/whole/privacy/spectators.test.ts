import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CallParams, type Reply, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { webPublicChannels: true } })
after(server.close)

const author = server.as('owner')
const spectator = server.anonymous

interface Found extends Reply {
  messages: {
    id: number
    content: string
    flags: string[]
    sender_email: string
    reactions: unknown[]
    edit_history?: object[]
    match_content?: string
  }[]
}
type Term = readonly [operator: string, operand: unknown]

const webPublic: Term = ['channels', 'web-public']
const word = 'lighthouse'

async function ok<T extends object>(reply: Promise<Reply<T>>): Promise<Reply<T>> {
  const settled = await reply
  assert.equal(settled.result, 'success', settled.msg)
  return settled
}

const allow = (isAllowed: boolean) =>
  ok(author.patch('/realm', { enable_spectator_access: isAllowed }))

async function create(name: string, settings: CallParams): Promise<number> {
  await allow(true)
  const made = author.post<{ id: number }>('/channels/create', {
    name,
    subscribers: [author.id],
    ...settings,
  })
  return (await ok(made)).id
}

async function say(to: CallParams): Promise<number> {
  const said = author.post<{ id: number }>('/messages', { ...to, content: `the old ${word}` })
  const { id } = await ok(said)
  await ok(author.patch(`/messages/${id}`, { content: `the ${word}` }))
  await ok(author.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }))
  return id
}

/** A channel of each kind; only the first is for spectators. */
const channels = {
  open: await create('open to the web', { is_web_public: true }),
  archived: await create('was open to the web', { is_web_public: true }),
  closed: await create('no longer open', { is_web_public: true }),
  public: await create('for members', {}),
  shared: await create('for some', { invite_only: true, history_public_to_subscribers: true }),
  protected: await create('for few', { invite_only: true, history_public_to_subscribers: false }),
}
type Place = keyof typeof channels | 'direct' | 'movedAway'

const sayIn = (id: number) => say({ type: 'channel', to: id, topic: 'shore' })
const messages = {} as Record<Place, number>

before(async () => {
  for (const [name, id] of Object.entries(channels)) {
    messages[name as Place] = await sayIn(id)
  }
  messages.direct = await say({ type: 'direct', to: [server.as('member').id] })
  messages.movedAway = await sayIn(channels.open)
  await ok(author.patch(`/messages/${messages.movedAway}`, { stream_id: channels.public }))
  await ok(author.del(`/streams/${channels.archived}`))
  await ok(author.patch(`/streams/${channels.closed}`, { is_web_public: false }))
  const group = { name: 'keepers', description: '', members: [author.id] }
  await ok(author.post('/user_groups/create', group))
  await ok(author.patch('/realm', { signup_announcements_stream_id: channels.public }))
})

const window = { anchor: 'newest', num_before: 100, num_after: 0 }
const ask = (narrow: readonly Term[], params: CallParams = window) =>
  spectator.get<Found>('/messages', { ...params, narrow })

describe('what a spectator reads', () => {
  const ways: Record<string, (place: Place) => [readonly Term[], CallParams?]> = {
    'everything web-public': () => [[webPublic]],
    'the old name of the filter': () => [[['streams', 'web-public']]],
    'a search': () => [[webPublic, ['search', word]]],
    'by sender': () => [[webPublic, ['sender', author.id]]],
    'by topic': () => [[webPublic, ['topic', 'shore']]],
    'with a reaction': () => [[webPublic, ['has', 'reaction']]],
    'in channels that are public besides': () => [[['channels', 'public'], webPublic]],
    'by message': (place) => [[webPublic, ['id', messages[place]]]],
    'around it': (place) => [[webPublic], { anchor: messages[place], num_before: 5, num_after: 5 }],
    'by a list of ids': (place) => [[webPublic], { message_ids: [messages[place]] }],
    'from the first unread': () => [[webPublic], { ...window, anchor: 'first_unread' }],
    'the conversation of a message': (place) => [
      [webPublic, ['channel', channels.open], ['topic', 'shore'], ['with', messages[place]]],
    ],
  }
  const places = [...Object.keys(channels), 'direct', 'movedAway'] as Place[]
  for (const [name, way] of Object.entries(ways)) {
    test(`${name}: only what is in a channel that is web-public now`, async () => {
      for (const place of places) {
        const reply = await ok(ask(...way(place)))
        const ids = reply.messages.map(({ id }) => id)
        assert.equal(ids.includes(messages[place]), place === 'open', place)
      }
    })
  }

  test('the filter by channel answers for a hidden channel as for none', async () => {
    const never = await ask([webPublic, ['channel', 987_654]])
    assert.equal(never.code, 'BAD_NARROW')
    for (const [name, id] of Object.entries(channels)) {
      const reply = await ask([webPublic, ['channel', id]])
      if (name === 'open')
        assert.deepEqual(
          reply.messages.map((one) => one.id),
          [messages.open],
        )
      else assert.deepEqual(reply, never, name)
    }
  })

  test('a message: read, with reactions, history and matches, without addresses', async () => {
    const { messages: found } = await ok(ask([webPublic, ['search', word]]))
    const one = found.find(({ id }) => id === messages.open)
    assert.deepEqual(one?.flags, ['read', 'historical'])
    assert.equal(one?.sender_email, `user${author.id}@zulipdev.com`)
    assert.equal(one?.reactions.length, 1)
    assert.equal(one?.edit_history?.length, 1)
    assert.equal(one?.match_content, `<p>the <span class="highlight">${word}</span></p>`)
  })

  const refused: Record<string, readonly Term[]> = {
    'no narrow': [],
    'a channel alone': [['channel', channels.open]],
    'all but what is web-public': [['channels', 'public']],
    'direct messages': [webPublic, ['dm', [author.id]]],
    'direct messages with somebody': [webPublic, ['dm-including', [author.id]]],
    'starred messages': [webPublic, ['is', 'starred']],
    'unread messages': [webPublic, ['is', 'unread']],
  }
  for (const [name, narrow] of Object.entries(refused)) {
    test(`${name}: needs an account`, async () => {
      assert.equal((await ask(narrow)).code, 'UNAUTHORIZED')
    })
  }
  test('the negated filter does not count', async () => {
    const narrow = [{ operator: 'channels', operand: 'web-public', negated: true }]
    const reply = await spectator.get('/messages', { ...window, narrow })
    assert.equal(reply.code, 'UNAUTHORIZED')
  })
  test('nobody finds out the address of an account by the filter by sender', async () => {
    const { delivery_email: email } = await author.get<{ delivery_email: string }>('/users/me')
    const never = await ask([webPublic, ['sender', 'never@example.com']])
    assert.deepEqual(await ask([webPublic, ['sender', email]]), never)
    assert.equal(never.code, 'BAD_NARROW')
  })
})

describe('the topics that a spectator gets', () => {
  const topicsOf = (id: number) =>
    spectator.get<{ topics: { name: string; max_id: number }[] }>(`/users/me/${id}/topics`)

  test('of a web-public channel: those in which there is something to read', async () => {
    const { topics } = await ok(topicsOf(channels.open))
    assert.deepEqual(topics, [{ name: 'shore', max_id: messages.open }])
  })

  test('of any other channel: the same as of none', async () => {
    const never = await topicsOf(987_654)
    assert.equal(never.msg, 'Invalid channel ID')
    for (const [name, id] of Object.entries(channels)) {
      if (name !== 'open') assert.deepEqual(await topicsOf(id), never, name)
    }
  })
})

describe('the state that a spectator gets', () => {
  interface Subscribed {
    stream_id: number
  }
  interface State {
    queue_id: string | null
    last_event_id: number
    streams: Subscribed[]
    never_subscribed: Subscribed[]
    subscriptions: unknown[]
    realm_users: { email: string; delivery_email: null; is_bot: boolean; user_id: number }[]
    realm_user_groups: { is_system_group: boolean }[]
    realm_signup_announcements_stream_id: number
  }
  const register = (params: CallParams = {}) => spectator.post<State>('/register', params)

  test('there is no queue', async () => {
    const state = await ok(register())
    assert.equal(state.queue_id, null)
    assert.equal(state.last_event_id, -1)
    assert.equal('idle_queue_timeout_secs' in state, false)
  })

  test('of channels: the web-public ones, none of them subscribed to', async () => {
    const told = { client_capabilities: { archived_channels: true } }
    const state = await ok(register(told))
    const open = [channels.open, server.channels.webPublic].sort((a, b) => a - b)
    const ids = (list: Subscribed[]) => list.map((one) => one.stream_id).sort((a, b) => a - b)
    assert.deepEqual(ids(state.streams), open)
    assert.deepEqual(ids(state.never_subscribed), open)
    assert.deepEqual(state.subscriptions, [])
    assert.equal(state.realm_signup_announcements_stream_id, -1)
  })

  test('of people: no addresses; of groups: those of the system', async () => {
    const state = await ok(register())
    for (const user of state.realm_users.filter(({ is_bot }) => !is_bot)) {
      assert.equal(user.delivery_email, null)
      assert.equal(user.email, `user${user.user_id}@zulipdev.com`)
    }
    assert.ok(state.realm_users.length > 5)
    assert.ok(state.realm_user_groups.length > 5)
    assert.ok(state.realm_user_groups.every((group) => group.is_system_group))
  })

  test('nothing else: each member is known to be public', async () => {
    const state = await ok(register())
    const others = Object.keys(state).filter((name) => !/^(realm|server|zulip|max)_/.test(name))
    assert.deepEqual(others.sort(), [
      'channel_folders',
      'cross_realm_bots',
      'custom_profile_field_types',
      'custom_profile_fields',
      'development_environment',
      'event_queue_longpoll_timeout_seconds',
      'giphy_api_key',
      'giphy_rating_options',
      'has_zoom_token',
      'jitsi_server_url',
      'last_event_id',
      'msg',
      'navigation_tour_video_url',
      'never_subscribed',
      'onboarding_steps',
      'password_max_length',
      'password_min_guesses',
      'password_min_length',
      'queue_id',
      'result',
      'settings_send_digest_emails',
      'stop_words',
      'streams',
      'subscriptions',
      'unsubscribed',
      'upgrade_text_for_wide_organization_logo',
    ])
    for (const name of ['realm_bots', 'realm_domains', 'realm_incoming_webhook_bots']) {
      assert.equal(name in state, false, name)
    }
    assert.equal(JSON.stringify(state).includes('keepers'), false)
  })

  test('only the parts that it asks for', async () => {
    const state = await ok(register({ fetch_event_types: ['stream', 'alert_words'] }))
    assert.ok('streams' in state)
    assert.equal('realm_users' in state, false)
    assert.equal('alert_words' in state, false)
  })

  test('what needs an account is an error', async () => {
    for (const params of [{ client_gravatar: true }, { include_subscribers: true }]) {
      assert.equal((await spectator.post('/register', params)).code, 'UNAUTHORIZED')
    }
    assert.equal((await register({ client_gravatar: false })).result, 'success')
  })

  test('polling needs an account', async () => {
    assert.equal((await spectator.get('/events', {})).code, 'UNAUTHORIZED')
  })
})

describe('who lets spectators in', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [operator: boolean, organization: boolean][] = [
    [false, false],
    [false, true],
    [true,  false],
    [true,  true],
  ]
  for (const [operator, organization] of matrix) {
    test(`operator ${operator}, organization ${organization}`, async () => {
      await allow(organization)
      // The operator's mind changes with a start; the organization's setting stays.
      Object.assign(server.server.context.config, { webPublicChannels: operator })
      const replies = [
        await ask([webPublic]),
        await spectator.post('/register', {}),
        await spectator.get(`/users/me/${channels.open}/topics`),
      ]
      Object.assign(server.server.context.config, { webPublicChannels: true })
      await allow(true)
      for (const { result, code } of replies) {
        if (operator && organization) assert.equal(result, 'success')
        else assert.equal(code, 'UNAUTHORIZED')
      }
    })
  }

  test('wrong credentials are an error, and make nobody a spectator', async () => {
    const stale = await fetch(`${server.url}/api/v1/register`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('nobody@example.com:wrong')}` },
    })
    assert.equal(((await stale.json()) as Reply).code, 'INVALID_API_KEY')
  })

  test('calls cost the network that they come from', async () => {
    const limited = await startServer({ config: { webPublicChannels: true, rateLimits: true } })
    await limited.as('owner').patch('/realm', { enable_spectator_access: true })
    const reply = await fetch(`${limited.url}/api/v1/register`, { method: 'POST' })
    await limited.close()
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('x-ratelimit-limit'), '500')
  })
})
