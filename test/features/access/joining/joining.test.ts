import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels } = server

const browser = (at: { url: string }) => openBrowser(at.url)

const ann = { full_name: 'Ann Example', email: 'ann@example.com', password: 'correct horse' }
let count = 0
/** Someone who was not here before. */
const somebody = () => ({
  full_name: `Person ${++count}`,
  email: `person${count}@example.com`,
  password: 'correct horse',
})

async function makeLink(actor: Actor, params: CallParams = {}): Promise<string> {
  const reply = await server.as(actor).post<{ invite_link: string }>('/invites/multiuse', params)
  assert.equal(reply.result, 'success', reply.msg)
  return new URL(reply.invite_link).pathname
}

async function callAs(person: { email: string; password: string }, path: string, method = 'GET') {
  const login = await fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: person.email, password: person.password }),
  })
  const { api_key } = (await login.json()) as { api_key: string }
  const basic = Buffer.from(`${person.email}:${api_key}`).toString('base64')
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${basic}` },
  })
  return (await response.json()) as Record<string, unknown>
}

interface State {
  subscriptions: { stream_id: number }[]
  realm_user_groups: { id: number; members: number[] }[]
  user_id: number
}
const stateOf = async (person: typeof ann) =>
  (await callAs(person, '/register', 'POST')) as unknown as State

async function directMessages(person: typeof ann) {
  const query = new URLSearchParams({
    anchor: 'oldest',
    num_before: '0',
    num_after: '100',
    apply_markdown: 'false',
    narrow: '[{"operator":"is","operand":"dm"}]',
  })
  const { messages } = await callAs(person, `/messages?${query}`)
  return messages as { sender_full_name: string; content: string; flags: string[] }[]
}

const setRealm = async (params: CallParams) =>
  assert.deepEqual(await server.as('owner').patch('/realm', params), success)

const { user_groups } = await server
  .as('owner')
  .get<{ user_groups: { id: number; name: string }[] }>('/user_groups')
const everyMember = user_groups.find(({ name }) => name === 'role:members')?.id
const administrators = user_groups.find(({ name }) => name === 'role:administrators')?.id
await setRealm({ invite_required: true, create_multiuse_invite_group: { new: everyMember } })
const known = await server
  .as('owner')
  .post<{ realm_default_streams: number[]; realm_bot_domain: string }>('/register')
const defaults = known.realm_default_streams.sort((a, b) => a - b)
const botDomain = known.realm_bot_domain

describe('the link itself', () => {
  test('says who invites, and how many people are there', async () => {
    const { text } = await browser(server).go(await makeLink('admin'))
    assert.match(text, /<strong>Iago<\/strong> has invited you\. \d+ people are here\./)
  })

  test('a person joins by it, is logged in, and reads how to connect apps', async () => {
    const link = await makeLink('admin', { stream_ids: [channels.public] })
    const user = browser(server)
    const form = await user.go(link)
    assert.equal(form.status, 200)
    assert.match(form.text, /Join Zulip Dev/)
    assert.deepEqual(form.text.match(/<script[^>]*>/g), ['<script src="/static/show-password.js">'])
    assert.match(form.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(form.headers.get('referrer-policy'), 'same-origin')
    assert.equal(form.headers.get('cache-control'), 'no-store')
    const queue = await server.as('member').watch('realm_user', 'subscription')
    const joined = await user.fill(link, ann)
    assert.deepEqual([joined.status, joined.headers.get('location')], [303, '/'])
    const connect = await user.go('/connect')
    assert.match(connect.text, /You are logged in as Ann Example/)
    assert.match(
      (await user.go('/connect/zuliprc')).text,
      /^\[api\]\nemail=ann@example.com\nkey=\w{32}\n/,
    )
    const events = await queue.drain()
    assert.deepEqual(
      events.map(({ type, op }) => [type, op]),
      [
        ['realm_user', 'add'],
        ['subscription', 'peer_add'],
      ],
    )
    const state = await stateOf(ann)
    assert.deepEqual(
      state.subscriptions.map(({ stream_id }) => stream_id),
      [channels.public],
    )
    assert.equal((await callAs(ann, '/users/me')).role, 400)
  })

  test('it works without its last slash, for many people', async () => {
    const own = await makeLink('admin')
    const moved = await browser(server).go(own.slice(0, -1))
    assert.deepEqual([moved.status, moved.headers.get('location')], [302, own])
    for (let i = 0; i < 3; i++) {
      assert.equal((await browser(server).fill(own, somebody())).status, 303)
    }
  })

  test('it gives role, groups, channels, default channels and the welcome text', async () => {
    const owner = server.as('owner')
    const { group_id } = await owner.post<{ group_id: number }>('/user_groups/create', {
      name: 'gardeners',
      description: '',
      members: [],
    })
    const link = await makeLink('owner', {
      invite_as: 300,
      stream_ids: [channels.private, channels.public],
      group_ids: [group_id],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'The kettle is *upstairs*.',
    })
    const watch = await server.as('member').watch('user_group')
    const person = somebody()
    assert.equal((await browser(server).fill(link, person)).status, 303)
    const state = await stateOf(person)
    assert.deepEqual(
      state.subscriptions.map(({ stream_id }) => stream_id).sort((a, b) => a - b),
      [...new Set([...defaults, channels.public, channels.private])].sort((a, b) => a - b),
    )
    assert.equal((await callAs(person, '/users/me')).role, 300)
    const members = state.realm_user_groups.find(({ id }) => id === group_id)?.members
    assert.deepEqual(members, [state.user_id])
    const heard = (await watch.drain()).filter((event) => event.group_id === group_id)
    assert.deepEqual(heard, [
      { type: 'user_group', op: 'add_members', group_id, user_ids: [state.user_id] },
    ])
    const [welcome, ...more] = await directMessages(person)
    assert.deepEqual(more, [])
    assert.equal(welcome?.sender_full_name, 'Welcome Bot')
    assert.match(welcome?.content ?? '', /^Hello, and welcome to \*\*Zulip Dev\*\*!/)
    assert.match(welcome?.content ?? '', /\n\nThe kettle is \*upstairs\*\.$/)
    assert.equal(welcome?.flags.includes('read'), false)
  })

  describe('the welcome text', () => {
    const texts: [string, CallParams, string | undefined][] = [
      ['is the organization’s by default', {}, 'Ours.'],
      ['is the organization’s for null', { welcome_message_custom_text: null }, 'Ours.'],
      ['is nothing for the empty string', { welcome_message_custom_text: '' }, undefined],
      ['is the link’s where it has one', { welcome_message_custom_text: 'Mine.' }, 'Mine.'],
    ]
    for (const [what, params, expected] of texts) {
      test(what, async () => {
        await setRealm({ welcome_message_custom_text: 'Ours.' })
        const person = somebody()
        await browser(server).fill(await makeLink('admin', params), person)
        const content = (await directMessages(person))[0]?.content ?? ''
        assert.equal(content.includes('Ours.'), expected === 'Ours.')
        assert.equal(content.includes('Mine.'), expected === 'Mine.')
        await setRealm({ welcome_message_custom_text: '' })
      })
    }

    test('only administrators may set it; for others it is null', async () => {
      await setRealm({
        welcome_message_custom_text: 'Ours.',
        create_multiuse_invite_group: { new: everyMember },
      })
      const link = await makeLink('member', { welcome_message_custom_text: 'Mine.' })
      const person = somebody()
      await browser(server).fill(link, person)
      const content = (await directMessages(person))[0]?.content ?? ''
      assert.deepEqual([content.includes('Ours.'), content.includes('Mine.')], [true, false])
      await setRealm({ welcome_message_custom_text: '' })
    })
  })

  test('channels and groups that are gone by then are left out', async () => {
    const owner = server.as('owner')
    const { id } = await owner.post<{ id: number }>('/channels/create', {
      name: 'gone',
      subscribers: [],
    })
    const { group_id } = await owner.post<{ group_id: number }>('/user_groups/create', {
      name: 'gone',
      description: '',
      members: [],
    })
    const link = await makeLink('owner', {
      stream_ids: [id, channels.public],
      group_ids: [group_id],
    })
    await owner.del(`/streams/${id}`)
    await owner.post(`/user_groups/${group_id}/deactivate`)
    const person = somebody()
    assert.equal((await browser(server).fill(link, person)).status, 303)
    const { subscriptions } = await stateOf(person)
    assert.deepEqual(
      subscriptions.map(({ stream_id }) => stream_id),
      [channels.public],
    )
  })
})

const wrong = `/join/${'0'.repeat(40)}/`
const page404 = (await browser(server).go(wrong)).text

test('what its maker could not give anymore, a link does not give either', async () => {
  const owner = server.as('owner')
  const { id } = await owner.post<{ id: number }>('/channels/create', {
    name: 'secrets',
    subscribers: [server.ids.member, server.ids.owner],
    invite_only: true,
  })
  const { group_id } = await owner.post<{ group_id: number }>('/user_groups/create', {
    name: 'keepers',
    description: '',
    members: [],
    can_add_members_group: { direct_members: [server.ids.member], direct_subgroups: [] },
  })
  const link = await makeLink('member', {
    stream_ids: [id, channels.public],
    group_ids: [group_id],
  })
  await owner.del('/users/me/subscriptions', {
    subscriptions: ['secrets'],
    principals: [server.ids.member],
  })
  await owner.patch(`/user_groups/${group_id}`, {
    can_add_members_group: { new: administrators },
  })
  const person = somebody()
  assert.equal((await browser(server).fill(link, person)).status, 303)
  const { subscriptions, realm_user_groups } = await stateOf(person)
  assert.deepEqual(
    subscriptions.map(({ stream_id }) => stream_id),
    [channels.public],
  )
  assert.deepEqual(realm_user_groups.find((group) => group.id === group_id)?.members, [])
})

describe('the page that says how to connect', () => {
  const button = /Create an invitation link/
  async function loggedIn(username: string) {
    const user = openBrowser(server.url)
    await user.go('/api/v1/dev_fetch_api_key', { username })
    return user
  }

  test('makes a link for whoever may make one', async () => {
    const user = await loggedIn('iago@zulip.com')
    const connect = await user.go('/connect')
    assert.match(connect.text, button)
    const made = await user.go('/connect/invite', { form: sealOf(connect.text) })
    const [, path = ''] = new RegExp(`<pre>${server.url}(/join/\\w+/)</pre>`).exec(made.text) ?? []
    assert.match(made.text, /can join until \d+ \w+ \d{4} at \d\d:\d\d:\d\d UTC:/)
    const person = somebody()
    assert.equal((await browser(server).fill(path, person)).status, 303)
    assert.equal((await callAs(person, '/users/me')).role, 400)
    const { subscriptions } = await stateOf(person)
    assert.equal(subscriptions.length, defaults.length)
  })

  test('makes none for others, for who is not logged in, and from another site', async () => {
    await setRealm({ create_multiuse_invite_group: { new: administrators } })
    const count = async () =>
      (await server.as('owner').get<{ invites: object[] }>('/invites')).invites.length
    const before = await count()
    const guest = await loggedIn('polonius@zulip.com')
    assert.equal(button.test((await guest.go('/connect')).text), false)
    const form = guest.cookies.get('parley_form') ?? ''
    assert.equal((await guest.go('/connect/invite', { form })).status, 400)
    const stranger = await openBrowser(server.url).go('/connect/invite', {})
    assert.equal(stranger.headers.get('location'), '/login/')
    const admin = await loggedIn('iago@zulip.com')
    const foreign = await admin.go('/connect/invite', { form: 'x'.repeat(64) })
    assert.deepEqual([foreign.status, foreign.headers.get('location')], [303, '/connect'])
    assert.equal(await count(), before)
    await setRealm({ create_multiuse_invite_group: { new: everyMember } })
  })
})

describe('wrong, expired and revoked links look alike', () => {
  const typed = { ...ann, email: 'late@example.com' }
  // biome-ignore format: a table reads best in columns
  const table: [string, () => Promise<string>][] = [
    ['one that never was', async () => wrong],
    ['an empty one', async () => '/join/x/'],
    ['a hostile one', async () => "/join/'%20OR%201=1--/"],
    ['an unknown confirmation', async () => `/register/${'0'.repeat(64)}/`],
    ['a revoked one', async () => {
      const link = await makeLink('admin')
      const { invites } = await server.as('admin').get<{ invites: { id: number }[] }>('/invites')
      await server.as('admin').del(`/invites/multiuse/${invites.at(-1)?.id}`)
      return link
    }],
    ['an expired one', async () => {
      const link = await makeLink('admin', { invite_expires_in_minutes: 1 })
      server.clock.advance(60_000)
      return link
    }],
    ['one of somebody who is deactivated', async () => {
      await setRealm({ create_multiuse_invite_group: { new: everyMember } })
      const link = await makeLink('zoe')
      await server.as('admin').del(`/users/${server.ids.zoe}`)
      return link
    }],
    ['one of somebody who has lost the role that it gives', async () => {
      const link = await makeLink('moderator', { invite_as: 300 })
      await server.as('owner').patch(`/users/${server.ids.moderator}`, { role: 400 })
      return link
    }],
    ['open registration, which is closed', async () => '/register/'],
  ]
  for (const [what, make] of table) {
    test(what, async () => {
      const user = browser(server)
      const link = await make()
      const get = await user.go(link)
      assert.deepEqual([get.status, get.text], [404, page404])
      const post = await user.go(link, { form: 'x'.repeat(64), ...typed })
      assert.deepEqual([post.status, post.text], [404, page404])
    })
  }

  test('nobody has joined by any of them', async () => {
    const { members } = await server.as('owner').get<{ members: { email: string }[] }>('/users')
    assert.equal(
      members.some(({ email }) => email === typed.email),
      false,
    )
  })
})

const link = await makeLink('admin', { invite_expires_in_minutes: null })

describe('the form', () => {
  const good = { ...ann, email: 'good@example.com' }
  // biome-ignore format: a table reads best in columns
  const table: [string, Record<string, string>, RegExp][] = [
    ['no name',             { ...good, full_name: ' ' },              /The full name is missing/],
    ['a name with markup',  { ...good, full_name: 'A<b>"' },          /The full name may not contain/],
    ['a long name',         { ...good, full_name: 'x'.repeat(101) },  /The full name is too long/],
    ['no address',          { ...good, email: '' },                   /The email address is missing/],
    ['what is no address',  { ...good, email: 'here' },               /This is not an email address/],
    ['no password',         { ...good, password: '' },                /The password is missing/],
    ['a long password',     { ...good, password: 'x'.repeat(101) },   /too long \(at most 100/],
    ['an address in use',   { ...good, email: 'HAMLET@zulip.com' },   /already in use/],
    ['a deactivated user’s', { ...good, email: 'zoe@zulip.com' },     /already in use/],
    ['a placeholder',       { ...good, email: `user11@${botDomain}` }, /already in use/],
    ['a throw-away mailbox', { ...good, email: 'a@mailinator.com' },  /real email address/],
    ['nothing at all',      {},                                       /marked below/],
  ]
  for (const [what, typed, problem] of table) {
    test(`refuses ${what}, and says so`, async () => {
      const before = await server.as('owner').get('/users')
      const page = await browser(server).fill(link, typed)
      assert.equal(page.status, 400)
      assert.match(page.text, problem)
      assert.match(page.text, /<title>Error: Join/)
      assert.equal(page.text.includes(typed.password || 'correct horse'), false)
      assert.deepEqual(await server.as('owner').get('/users'), before)
    })
  }

  test('keeps what was typed, escaped, but for the password', async () => {
    const page = await browser(server).fill(link, {
      ...good,
      email: '"><script>',
      password: 'short',
    })
    assert.deepEqual(page.text.match(/<script[^>]*>/g), ['<script src="/static/show-password.js">'])
    assert.match(page.text, /value="&quot;&gt;&lt;script&gt;"/)
    assert.match(page.text, /value="Ann Example"/)
    assert.equal(page.text.includes('short"'), false)
  })

  test('is worth nothing from another site: it has to be this browser’s own', async () => {
    const user = browser(server)
    const bare = await user.go(link, good)
    assert.equal(bare.status, 400)
    assert.match(bare.text, /must accept cookies/)
    const stolen = sealOf((await browser(server).go(link)).text)
    assert.equal((await user.go(link, { form: stolen, ...good })).status, 400)
    assert.equal((await user.go(link, { form: '', ...good })).status, 400)
  })

  test('sets a cookie that scripts and other sites do not get', async () => {
    const [cookie = ''] = (await browser(server).go(link)).headers.getSetCookie()
    assert.match(cookie, /^parley_form=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('past all bounds is refused', async () => {
    const page = await browser(server).fill(link, { ...good, full_name: 'x'.repeat(100_000) })
    assert.equal(page.status, 413)
  })

  test('sent twice at once makes one account', async () => {
    const user = browser(server)
    const seal = sealOf((await user.go(link)).text)
    const twice = { ...somebody(), form: seal }
    const pages = await Promise.all([user.go(link, twice), user.go(link, twice)])
    assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 400])
  })

  test('takes an address of an allowed domain alone where addresses are restricted', async () => {
    await server
      .as('owner')
      .post('/realm/domains', { domain: 'zulip.com', allow_subdomains: false })
    await setRealm({ emails_restricted_to_domains: true })
    const refused = await browser(server).fill(link, somebody())
    assert.match(refused.text, /not allowed in this organization/)
    const inside = { ...somebody(), email: 'new@zulip.com' }
    assert.equal((await browser(server).fill(link, inside)).status, 303)
    await setRealm({ emails_restricted_to_domains: false })
  })

  test('takes no name twice where names are unique', async () => {
    await setRealm({ require_unique_names: true })
    const page = await browser(server).fill(link, { ...somebody(), full_name: 'King Hamlet' })
    assert.match(page.text, /Unique names required/)
    await setRealm({ require_unique_names: false })
  })
})

describe('open registration', () => {
  test('is there while no invitation is required', async () => {
    await setRealm({ invite_required: false })
    const page = await browser(server).go('/register/')
    assert.equal(page.status, 200)
    const person = somebody()
    assert.equal((await browser(server).fill('/register/', person)).status, 303)
    assert.equal((await callAs(person, '/users/me')).role, 400)
    const { subscriptions } = await stateOf(person)
    assert.deepEqual(
      subscriptions.map(({ stream_id }) => stream_id).sort((a, b) => a - b),
      defaults,
      'the default channels',
    )
    await setRealm({ invite_required: true })
  })

  test('closes at once, for forms that are open too', async () => {
    await setRealm({ invite_required: false })
    const user = browser(server)
    const seal = sealOf((await user.go('/register/')).text)
    await setRealm({ invite_required: true })
    assert.equal((await user.go('/register/', { form: seal, ...somebody() })).status, 404)
  })
})

test('too many tries from one address have to wait', async () => {
  const limited = await startServer({ config: { rateLimits: true } })
  try {
    const { invite_link } = await limited
      .as('admin')
      .post<{ invite_link: string }>('/invites/multiuse')
    const link = new URL(invite_link).pathname
    const user = browser(limited)
    for (let i = 0; i < 30; i++) assert.equal((await user.fill(link, {})).status, 400)
    const page = await user.fill(link, {})
    assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '10'])
    assert.match(page.text, /Too many attempts/)
    limited.clock.advance(10_000)
    assert.equal((await user.fill(link, {})).status, 400)
  } finally {
    await limited.close()
  }
})

test('nobody joins an organization that is not there yet', async () => {
  const reply = await server.anonymous.get('/invites')
  assert.deepEqual(
    reply,
    failure('Not logged in: API authentication or user session required', 'UNAUTHORIZED'),
  )
})
