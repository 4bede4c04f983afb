import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { probe } from '#platform/pictures/probe.ts'
import { fetchFile, sendPicture } from '#test/support/files.ts'
import { hostilePictures, pngPicture } from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, administrators, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const pictures = ['icon', 'logo', 'night_logo'] as const
type Kind = (typeof pictures)[number]

const path = (kind: Kind) => (kind === 'icon' ? '/realm/icon' : '/realm/logo')
const params = (kind: Kind): Record<string, string> =>
  kind === 'icon' ? {} : { night: String(kind === 'night_logo') }
const upload = (actor: Actor, kind: Kind, contents: Uint8Array = pngPicture(900, 90)) =>
  sendPicture(server, actor, path(kind), [contents], params(kind))
const remove = (actor: Actor, kind: Kind) => server.as(actor).del(path(kind), params(kind))

/** What clients learn about one of the pictures, by its names without `realm_`. */
async function shown(kind: Kind): Promise<{ url: string; source: string }> {
  const state = await server.as('guest').post('/register', { fetch_event_types: ['realm'] })
  return {
    url: String(state[`realm_${kind}_url`]),
    source: String(state[`realm_${kind}_source`]),
  }
}

async function sizeOf(url: string): Promise<number[]> {
  const reply = await fetchFile(server, undefined, url)
  assert.equal(reply.headers.get('content-type'), 'image/png')
  const { width, height } = probe(new Uint8Array(await reply.arrayBuffer()))
  return [width, height]
}

describe('who changes the pictures of the organization', () => {
  const refused = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
  for (const [actor, can] of administrators) {
    for (const kind of pictures) {
      test(`${actor} ${can ? 'can' : 'cannot'} change the ${kind}`, async () => {
        const before = await shown(kind)
        const [added, removed] = [await upload(actor, kind), await remove(actor, kind)]
        if (!can) assert.deepEqual([added, removed], [refused, refused])
        else assert.deepEqual([added.result, removed.result], ['success', 'success'])
        assert.deepEqual(await shown(kind), before)
      })
    }
  }
})

describe('an uploaded picture', () => {
  // biome-ignore format: a table reads best in columns
  const table: [Kind, number[], string][] = [
    ['icon',       [100, 100], 'G'],
    ['logo',       [800, 80],  'D'],
    ['night_logo', [800, 80],  'D'],
  ]
  for (const [kind, size, source] of table) {
    test(`the ${kind} is shown to everyone in its size, until it is removed`, async () => {
      const before = await shown(kind)
      assert.equal(before.source, source)
      const queue = await server.as('guest').watch('realm')
      const reply = await upload('admin', kind)
      const now = await shown(kind)
      assert.deepEqual(reply, kind === 'icon' ? { ...success, icon_url: now.url } : success)
      assert.equal(now.source, 'U')
      assert.deepEqual(await sizeOf(now.url), size)
      await upload('admin', kind, pngPicture(30, 30))
      const again = await shown(kind)
      assert.notEqual(again.url, now.url)
      await remove('admin', kind)
      assert.deepEqual(await shown(kind), before)
      assert.equal((await fetchFile(server, undefined, now.url)).status, 404)
      const change = (url: string, by: string) => ({
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { [`${kind}_url`]: url, [`${kind}_source`]: by },
      })
      assert.deepEqual(await queue.drain(), [
        change(now.url, 'U'),
        change(again.url, 'U'),
        change(before.url, source),
      ])
    })
  }

  test('to remove what is not there is no change', async () => {
    const queue = await server.as('guest').watch('realm')
    assert.equal((await remove('admin', 'icon')).result, 'success')
    assert.deepEqual(await queue.drain(), [])
  })

  test('a client that has not logged in yet sees the icon', async () => {
    await upload('admin', 'icon')
    const { realm_icon } = await server.anonymous.get('/server_settings')
    assert.equal(realm_icon, (await shown('icon')).url)
    await remove('admin', 'icon')
  })
})

describe('what is no picture is refused and changes nothing', () => {
  for (const [what, contents] of hostilePictures) {
    test(what, async () => {
      const before = await shown('logo')
      assert.equal((await upload('owner', 'logo', contents)).code, 'BAD_IMAGE')
      assert.deepEqual(await shown('logo'), before)
    })
  }
})

describe('bad requests', () => {
  const large = Buffer.concat([pngPicture(), Buffer.alloc(5 * 1024 * 1024)])
  // biome-ignore format: a table reads best in columns
  const table: [string, string, Uint8Array[], Record<string, string>, object][] = [
    ['no file',        '/realm/icon', [],                         {},                failure('Exactly one file must be sent as the icon.')],
    ['two files',      '/realm/icon', [pngPicture(), pngPicture()], {},              failure('Exactly one file must be sent as the icon.')],
    ['a large icon',   '/realm/icon', [large],                    {},                failure('The icon is larger than the limit of 5 MiB.')],
    ['a large logo',   '/realm/logo', [large],                    { night: 'true' }, failure('The logo is larger than the limit of 5 MiB.')],
    ['no night',       '/realm/logo', [pngPicture()],             {},                failure("Missing 'night' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'night' })],
    ['a wrong night',  '/realm/logo', [pngPicture()],             { night: '7' },    failure('night is not a boolean')],
  ]
  for (const [what, to, files, given, expected] of table) {
    test(what, async () => {
      const reply = await sendPicture(server, 'owner', to, files, given)
      assert.deepEqual(reply, expected)
    })
  }
})
