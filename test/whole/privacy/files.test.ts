import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { fetchFile, upload } from '#test/support/files.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

/*
 * Who may have a file, by where the messages are that link to it. Each place is a channel of its
 * own, with the same people in it.
 */

const server = await startServer()
after(server.close)
const { ids } = server

const viewers = {
  uploader: 'member',
  /** Subscribed before the message was sent. */
  subscriber: 'othello',
  /** Subscribed after it. */
  latecomer: 'cordelia',
  member: 'outsider',
  owner: 'owner',
  guest: 'guest',
  strangerGuest: 'prospero',
  deactivated: 'zoe',
  nobody: undefined,
} as const satisfies Record<string, Actor | undefined>
type Viewer = keyof typeof viewers
const everyViewer = Object.keys(viewers) as Viewer[]

const subscribers = [ids.member, ids.othello, ids.guest, ids.zoe]

async function ok(call: Promise<{ result: string; msg: string }>): Promise<void> {
  const reply = await call
  assert.equal(reply.result, 'success', reply.msg)
}

/** Made by an owner who is not in it; an administrator who is not either may bring people in. */
async function makeChannel(name: string, settings: object): Promise<number> {
  const reply = await server.as('owner').post<{ id: number }>('/channels/create', {
    name,
    subscribers,
    can_add_subscribers_group: { direct_members: [ids.admin], direct_subgroups: [] },
    ...settings,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.id
}

async function join(name: string): Promise<void> {
  await ok(
    server.as('admin').post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [ids.cordelia],
    }),
  )
}

async function send(to: number, url: string, topic = 'files'): Promise<number> {
  const sent = await server
    .as('member')
    .post<{ id: number; msg: string; result: string }>('/messages', {
      type: 'channel',
      to,
      topic,
      content: `[file](${url})`,
    })
  assert.equal(sent.result, 'success', sent.msg)
  return sent.id
}

const kinds = {
  public: {},
  'web-public': { is_web_public: true },
  'private, shared history': { invite_only: true, history_public_to_subscribers: true },
  'private, protected history': { invite_only: true, history_public_to_subscribers: false },
} as const
type Kind = keyof typeof kinds

let channelCount = 0

/** A file that one message links to, in a channel of this kind. */
async function inChannel(kind: Kind): Promise<{ url: string; channel: number; message: number }> {
  channelCount += 1
  const name = `files ${channelCount}`
  const channel = await makeChannel(name, kinds[kind])
  const url = await upload(server, 'member')
  const message = await send(channel, url)
  await join(name)
  return { url, channel, message }
}

async function archived(kind: Kind): Promise<string> {
  const { url, channel } = await inChannel(kind)
  await ok(server.as('admin').del(`/streams/${channel}`))
  return url
}

async function moved(from: Kind, to: Kind): Promise<string> {
  const { url, message } = await inChannel(from)
  const { channel } = await inChannel(to)
  await ok(server.as('member').patch(`/messages/${message}`, { stream_id: channel }))
  return url
}

async function direct(url: string): Promise<number> {
  return await server.say('member', ['othello', 'guest'], '', `[file](${url})`)
}

const everyMember = ['uploader', 'subscriber', 'latecomer', 'member', 'owner'] as const
const inside = ['uploader', 'subscriber', 'guest'] as const

/** Where the links are, and who may have the file then. */
const places: [name: string, make: () => Promise<string>, allowed: readonly Viewer[]][] = [
  ['nowhere', () => upload(server, 'member'), ['uploader']],
  ['a public channel', async () => (await inChannel('public')).url, [...everyMember, 'guest']],
  [
    'a web-public channel',
    async () => (await inChannel('web-public')).url,
    [...everyMember, 'guest', 'strangerGuest', 'nobody'],
  ],
  [
    'a private channel with shared history',
    async () => (await inChannel('private, shared history')).url,
    [...inside, 'latecomer'],
  ],
  [
    'a private channel with protected history',
    async () => (await inChannel('private, protected history')).url,
    inside,
  ],
  [
    'a direct message',
    async () => {
      const url = await upload(server, 'member')
      await direct(url)
      return url
    },
    inside,
  ],
  ['an archived public channel', () => archived('public'), [...everyMember, 'guest']],
  [
    'an archived web-public channel',
    () => archived('web-public'),
    [...everyMember, 'guest', 'strangerGuest'],
  ],
  ['an archived private channel', () => archived('private, protected history'), inside],
  [
    'a message that was deleted',
    async () => {
      const { url, message } = await inChannel('web-public')
      await ok(server.as('admin').del(`/messages/${message}`))
      return url
    },
    [],
  ],
  [
    'a direct message and a deleted public one',
    async () => {
      const { url, message } = await inChannel('web-public')
      await direct(url)
      await ok(server.as('admin').del(`/messages/${message}`))
      return url
    },
    inside,
  ],
  [
    'an edited message, before the edit',
    async () => {
      const { url, message } = await inChannel('web-public')
      await ok(server.as('member').patch(`/messages/${message}`, { content: 'Over.' }))
      return url
    },
    ['uploader'],
  ],
  [
    'a message moved from public to private',
    () => moved('public', 'private, shared history'),
    [...inside, 'latecomer'],
  ],
  [
    'a message moved from private to public',
    () => moved('private, protected history', 'public'),
    [...everyMember, 'guest'],
  ],
  [
    'a message moved to a protected history that began after it was sent',
    () => moved('web-public', 'private, protected history'),
    [...inside, 'latecomer'],
  ],
  [
    'a message moved to a protected history that it belongs to',
    async () => {
      const { channel } = await inChannel('private, protected history')
      const { url, message } = await inChannel('web-public')
      await ok(server.as('member').patch(`/messages/${message}`, { stream_id: channel }))
      return url
    },
    [...inside, 'latecomer'],
  ],
  [
    'a channel that became private',
    async () => {
      const { url, channel } = await inChannel('public')
      await ok(
        server.as('admin').patch(`/streams/${channel}`, {
          is_private: true,
          history_public_to_subscribers: true,
        }),
      )
      return url
    },
    [...inside, 'latecomer'],
  ],
  [
    'a private channel that the subscriber has left',
    async () => {
      const { url, channel } = await inChannel('private, shared history')
      await ok(
        server.as('admin').del('/users/me/subscriptions', {
          subscriptions: [`files ${channelCount}`],
          principals: [ids.othello],
        }),
      )
      assert.ok(channel > 0)
      return url
    },
    ['uploader', 'guest', 'latecomer'],
  ],
]

const missing = '/user_uploads/1/00/000000000000000000000000/plans.txt'
const urls = new Map<string, string>()
const links = new Map<string, string>()

await ok(
  server.as('owner').patch('/realm', {
    enable_spectator_access: true,
    can_move_messages_between_channels_group: {
      new: { direct_members: [ids.member], direct_subgroups: [] },
    },
  }),
)
await ok(server.as('owner').patch(`/users/${ids.prospero}`, { role: 600 }))
for (const [name, make] of places) urls.set(name, await make())
for (const [name, url] of urls) {
  const reply = await server.as('member').get<{ url?: string }>(`/user_uploads/${bare(url)}`)
  if (reply.url) links.set(name, reply.url)
}
await ok(server.as('owner').del(`/users/${ids.zoe}`))

function bare(url: string): string {
  return url.replace('/user_uploads/', '')
}

/** What a request for a file outside the API is answered with, without what differs each time. */
async function answer(viewer: Viewer, path: string) {
  const response = await fetchFile(server, viewers[viewer], path)
  const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name))
  return { status: response.status, headers, body: await response.text() }
}

for (const [name, , allowed] of places) {
  describe(`a file linked to in ${name}`, () => {
    const url = () => urls.get(name) ?? ''
    for (const viewer of everyViewer) {
      const may = allowed.includes(viewer)
      const actor = viewers[viewer]

      test(`${may ? 'is given to' : 'does not exist for'} ${viewer}`, async () => {
        for (const prefix of ['/user_uploads/', '/user_uploads/download/']) {
          const found = await answer(viewer, prefix + bare(url()))
          if (may) {
            assert.deepEqual([found.status, found.body], [200, 'Contents of plans.txt'])
          } else {
            assert.deepEqual(found, await answer(viewer, prefix + bare(missing)))
          }
        }
        if (!actor) return
        const temporary = await server.as(actor).get(`/user_uploads/${bare(url())}`)
        if (may) assert.equal(temporary.result, 'success')
        else {
          assert.deepEqual(temporary, await server.as(actor).get(`/user_uploads/${bare(missing)}`))
        }
      })
    }
  })
}

test('a missing file is 404, and 401 for a deactivated user', async () => {
  const statuses = await Promise.all(
    everyViewer.map(async (viewer) => (await answer(viewer, missing)).status),
  )
  assert.deepEqual(
    statuses,
    everyViewer.map((viewer) => (viewer === 'deactivated' ? 401 : 404)),
  )
})

test('spectators see nothing if the organization does not allow them', async () => {
  const url = urls.get('a web-public channel') ?? ''
  await ok(server.as('owner').patch('/realm', { enable_spectator_access: false }))
  assert.deepEqual(await answer('nobody', url), await answer('nobody', missing))
  await ok(server.as('owner').patch('/realm', { enable_spectator_access: true }))
  assert.equal((await fetchFile(server, undefined, url)).status, 200)
})

test('anyone can fetch a file by a temporary link that a user with access made, until it expires', async () => {
  const gone = await fetchFile(server, undefined, '/user_uploads/temporary/none/plans.txt')
  const nothing = await gone.text()
  for (const [name, link] of links) {
    const live = await fetchFile(server, undefined, link)
    assert.equal(await live.text(), 'Contents of plans.txt', name)
  }
  server.clock.advance(60_000)
  for (const [name, link] of links) {
    const expired = await fetchFile(server, undefined, link)
    assert.deepEqual([expired.status, await expired.text()], [404, nothing], name)
  }
  assert.equal(links.size, places.filter(([, , allowed]) => allowed.includes('uploader')).length)
})

test('the list of own files contains all messages that link to them, even unreadable ones', async () => {
  const { attachments } = await server
    .as('member')
    .get<{ attachments: { path_id: string }[] }>('/attachments')
  const own = new Set(attachments.map(({ path_id }) => `/user_uploads/${path_id}`))
  for (const [name, , allowed] of places) {
    assert.equal(own.has(urls.get(name) ?? ''), allowed.includes('uploader'), name)
  }
  assert.deepEqual(await server.as('outsider').get('/attachments'), {
    ...success,
    attachments: [],
    upload_space_used: attachments.length * 'Contents of plans.txt'.length,
  })
})
