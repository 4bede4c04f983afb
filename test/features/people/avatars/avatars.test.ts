import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { probe } from '#platform/pictures/probe.ts'
import { fetchFile, sendPicture } from '#test/support/files.ts'
import {
  blue,
  hostilePictures,
  jpegPicture,
  pixelOf,
  pngPicture,
  red,
} from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const upload = (actor: Actor, ...files: Uint8Array[]) =>
  sendPicture(server, actor, '/users/me/avatar', files)
const remove = (actor: Actor) => server.as(actor).del('/users/me/avatar')

interface Picture {
  avatar_url: string
  avatar_version: number
}

async function shown(viewer: Actor, actor: Actor): Promise<Picture> {
  const { user } = await server.as(viewer).get<{ user: Picture }>(`/users/${server.ids[actor]}`)
  return user
}

async function fetchPicture(url: string, actor?: Actor) {
  const reply = await fetchFile(server, actor, url)
  assert.equal(reply.status, 200, url)
  assert.equal(reply.headers.get('content-type'), 'image/png')
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const { width, height } = probe(bytes)
  return { width, height, bytes, caching: reply.headers.get('cache-control') }
}

const medium = (url: string) => url.replace('.png', '-medium.png')

test('an uploaded picture is shown in both sizes, cut to a square, to everyone', async () => {
  const before = await shown('member', 'member')
  const reply = await upload('member', pngPicture(600, 300))
  const now = await shown('guest', 'member')
  assert.deepEqual(reply, { ...success, avatar_url: now.avatar_url })
  assert.equal(now.avatar_version, before.avatar_version + 1)
  for (const [url, size] of [
    [now.avatar_url, 100],
    [medium(now.avatar_url), 500],
  ] as const) {
    const picture = await fetchPicture(url)
    assert.deepEqual([picture.width, picture.height], [size, size])
    assert.deepEqual(pixelOf(picture.bytes, 1, 1), red)
    assert.deepEqual(pixelOf(picture.bytes, size - 2, size - 2), blue)
    assert.equal(picture.caching, 'public, max-age=86400')
  }
})

test('a photo is upright, and does not say where it was taken', async () => {
  const { avatar_url } = await upload('othello', jpegPicture(64, 64, 6))
  const { bytes } = await fetchPicture(String(avatar_url))
  assert.ok((pixelOf(bytes, 50, 3)[0] ?? 255) < 60)
  assert.ok((pixelOf(bytes, 50, 96)[0] ?? 0) > 200)
  assert.equal(Buffer.from(bytes).includes('Exif'), false)
})

test('everyone hears of a new picture and of its removal; both are in the state', async () => {
  const queue = await server.as('guest').watch('realm_user')
  const { avatar_url } = await upload('cordelia', pngPicture())
  const state = await server.as('cordelia').post('/register', { fetch_event_types: ['realm_user'] })
  assert.deepEqual(
    [state.avatar_source, state.avatar_url, state.avatar_url_medium],
    ['U', avatar_url, medium(String(avatar_url))],
  )
  const removed = await remove('cordelia')
  const after = await shown('guest', 'cordelia')
  assert.deepEqual(removed, { ...success, avatar_url: after.avatar_url })
  const person = (source: string, url: string, version: number) => ({
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: server.ids.cordelia,
      avatar_url: url,
      avatar_source: source,
      avatar_url_medium: medium(url),
      avatar_version: version,
    },
  })
  assert.deepEqual(await queue.drain(), [
    person('U', String(avatar_url), after.avatar_version - 1),
    person('G', after.avatar_url, after.avatar_version),
  ])
})

test('to remove what is not there changes nothing', async () => {
  const queue = await server.as('guest').watch('realm_user')
  const before = await shown('guest', 'zoe')
  assert.deepEqual(await remove('zoe'), { ...success, avatar_url: before.avatar_url })
  assert.deepEqual(await shown('guest', 'zoe'), before)
  assert.deepEqual(await queue.drain(), [])
})

test('a removed picture is no longer served, and its user has a drawn one again', async () => {
  const { avatar_url } = await upload('prospero', pngPicture(50, 50))
  await remove('prospero')
  assert.equal((await fetchFile(server, undefined, String(avatar_url))).status, 404)
  const { avatar_url: drawn } = await shown('guest', 'prospero')
  assert.equal((await fetchPicture(drawn)).width, 100)
  assert.equal((await fetchPicture(medium(drawn))).width, 500)
})

test('its contents go when nobody has them as their picture anymore', async () => {
  const picture = pngPicture(10, 10, [9, 9, 9], [8, 8, 8])
  for (const actor of ['prospero', 'zoe'] as const) await upload(actor, picture)
  const { avatar_url } = await shown('guest', 'zoe')
  const hash = avatar_url.match(/[0-9a-f]{64}/)?.[0] ?? ''
  const isKept = async () => {
    server.clock.advance(2 * 3600 * 1000)
    await server.settled()
    return (await server.server.context.files.size(hash)) !== undefined
  }
  await remove('prospero')
  assert.equal(await isKept(), true)
  await remove('zoe')
  assert.equal(await isKept(), false)
})

test('by the id of a user, an uploaded picture is for those who may know of that user', async () => {
  await upload('othello', pngPicture(40, 40))
  const isUploaded = async (actor?: Actor) => {
    const { bytes, caching } = await fetchPicture(`/avatar/${server.ids.othello}`, actor)
    const private_ = caching?.startsWith('private') ?? false
    assert.equal(String(pixelOf(bytes, 3, 50)) === String(red), private_)
    return private_
  }
  assert.equal(await isUploaded('guest'), true)
  assert.equal(await isUploaded(), false)
  const limited = { can_access_all_users_group: { new: 6 } }
  assert.deepEqual(await server.as('owner').patch('/realm', limited), success)
  const { subscriptions } = await server
    .as('othello')
    .get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions')
  const names = subscriptions.map(({ name }) => name)
  await server.as('othello').del('/users/me/subscriptions', { subscriptions: names })
  assert.equal(await isUploaded('guest'), false)
  assert.equal(await isUploaded('member'), true)
  const size = await fetchPicture(`/avatar/${server.ids.othello}/medium`, 'member')
  assert.equal(size.width, 500)
  await server.as('owner').patch('/realm', { can_access_all_users_group: { new: 7 } })
})

describe('who changes their picture when such changes are disabled', () => {
  const refused = failure('Avatar changes are disabled in this organization.')
  for (const [actor, can] of administrators) {
    test(`${actor} ${can ? 'can' : 'cannot'}; everyone can otherwise`, async () => {
      assert.equal((await upload(actor, pngPicture(20, 20))).result, 'success')
      const change = (disabled: boolean) =>
        server.as('owner').patch('/realm', { avatar_changes_disabled: disabled })
      await change(true)
      const before = await shown('member', actor)
      const replies = [await upload(actor, pngPicture(30, 30)), await remove(actor)]
      await change(false)
      if (can)
        return assert.deepEqual(
          replies.map(({ result }) => result),
          ['success', 'success'],
        )
      assert.deepEqual(replies, [refused, refused])
      assert.deepEqual(await shown('member', actor), before)
    })
  }
})

describe('what is no picture is refused and changes nothing', () => {
  for (const [what, contents] of hostilePictures) {
    test(what, async () => {
      const before = await shown('guest', 'moderator')
      const reply = await upload('moderator', contents)
      assert.equal(reply.code, 'BAD_IMAGE')
      assert.deepEqual(await shown('guest', 'moderator'), before)
    })
  }
})

test('exactly one file is taken, and not a larger one than the limit', async () => {
  const wrong = failure('Exactly one file must be sent as the avatar.')
  assert.deepEqual(await upload('member'), wrong)
  assert.deepEqual(await upload('member', pngPicture(), pngPicture()), wrong)
  const large = Buffer.concat([pngPicture(), Buffer.alloc(5 * 1024 * 1024)])
  assert.deepEqual(
    await upload('member', large),
    failure('The avatar is larger than the limit of 5 MiB.'),
  )
  const huge = Buffer.alloc(7 * 1024 * 1024)
  assert.equal((await upload('member', huge)).code, 'REQUEST_TOO_LARGE')
})

test('messages show the picture of their sender as it is now', async () => {
  const id = await server.say('outsider', 'shared')
  const { avatar_url } = await upload('outsider', pngPicture(33, 33))
  const { message } = await server.as('guest').get<{ message: Picture }>(`/messages/${id}`)
  assert.equal(message.avatar_url, avatar_url)
})

test('everyone has a picture here, also for clients that could compute one themselves', async () => {
  const asked = { client_gravatar: true }
  const owner = server.as('owner')
  const queue = await owner.watchWith(asked)
  await server.say('othello', 'public')
  await owner.post('/bots', { full_name: 'Painter', short_name: 'painter' })
  await upload('othello', pngPicture())
  await remove('othello')
  const found: Record<string, unknown[]> = {
    state: picturesIn(queue.state),
    events: picturesIn(await queue.drain()),
  }
  const pages = { anchor: 'newest', num_before: 10, num_after: 0 }
  for (const path of [
    '/users',
    '/users/me',
    `/users/${server.ids.othello}`,
    '/bots',
    '/messages',
  ]) {
    const params = { ...(path === '/messages' && pages), ...(path !== '/users/me' && asked) }
    found[path] = picturesIn(await owner.get(path, params))
  }
  for (const [where, pictures] of Object.entries(found)) {
    assert.ok(pictures.length > 0, where)
    const missing = pictures.filter(
      (url) => typeof url !== 'string' || !url.startsWith('/user_avatars/'),
    )
    assert.deepEqual(missing, [], where)
  }
})

/** Every `avatar_url` in an answer. */
function picturesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'avatar_url' ? [member] : picturesIn(member),
  )
}
