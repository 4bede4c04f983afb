import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { probe } from '#platform/pictures/probe.ts'
import { fetchFile, sendPicture } from '#test/support/files.ts'
import {
  blue,
  gifPicture,
  hostilePictures,
  pixelOf,
  pngPicture,
  red,
} from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const add = (actor: Actor, name: string, contents: Uint8Array = pngPicture()) =>
  sendPicture(server, actor, `/realm/emoji/${encodeURIComponent(name)}`, [contents])
const remove = (actor: Actor, name: string) => server.as(actor).del(`/realm/emoji/${name}`)

interface Emoji {
  id: string
  name: string
  source_url: string
  still_url: string | null
  deactivated: boolean
  author_id: number
}

async function find(name: string): Promise<Emoji> {
  const { emoji } = await server.as('member').get<{ emoji: Record<string, Emoji> }>('/realm/emoji')
  const found = Object.values(emoji).findLast((each) => each.name === name)
  assert.ok(found, name)
  return found
}

const setting = (group: number) =>
  server.as('owner').patch('/realm', { can_add_custom_emoji_group: { new: group } })

describe('who adds custom emoji', () => {
  const refused = failure('Insufficient permission')
  // The ids of the system groups, in the order in which they are created.
  const groups = { nobody: 1, administrators: 3, moderators: 4, members: 6 } as const
  // biome-ignore format: a matrix reads best in columns
  const matrix: [keyof typeof groups, Actor, object][] = [
    ['members',        'owner',     success],
    ['members',        'member',    success],
    ['members',        'guest',     refused],
    ['members',        'bot',       success],
    ['moderators',     'moderator', success],
    ['moderators',     'member',    refused],
    ['administrators', 'admin',     success],
    ['administrators', 'moderator', refused],
    ['nobody',         'owner',     refused],
  ]
  for (const [group, actor, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} while it is for ${group}`, async () => {
      assert.deepEqual(await setting(groups[group]), success)
      assert.deepEqual(await add(actor, `of ${group} ${actor}`), expected)
      await setting(groups.members)
    })
  }
})

describe('who takes custom emoji out of use', () => {
  const refused = failure('Must be an organization administrator or the author of the emoji')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner',     success],
    ['admin',     success],
    ['moderator', refused],
    ['member',    success],
    ['outsider',  refused],
    ['guest',     refused],
  ]
  for (const [actor, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} take one out that a member added`, async () => {
      const name = `for_${actor}`
      await add('member', name)
      assert.deepEqual(await remove(actor, name), expected)
      assert.equal((await find(name)).deactivated, expected === success)
    })
  }

  test('one that does not exist is not found, nor one that is out of use already', async () => {
    await add('member', 'twice')
    await remove('member', 'twice')
    for (const name of ['none', 'twice']) {
      const reply = await remove('owner', name)
      assert.deepEqual(reply, failure(`Emoji '${name}' does not exist`, 'NOT_FOUND'))
      assert.equal(reply.status, 404)
    }
  })
})

describe('names of emoji', () => {
  const characters = failure(
    'The name of an emoji consists of letters, digits, dashes, underscores and spaces, and ends with a letter or digit.',
  )
  // biome-ignore format: a table reads best in columns
  const table: [string, Actor, string | object][] = [
    ['Party Parrot',  'member', 'party_parrot'],
    ['a-b_c9',        'member', 'a-b_c9'],
    ['9',             'member', '9'],
    ['ends_',         'member', characters],
    ['a.b',           'member', characters],
    ['grün',          'member', characters],
    ['<b>',           'member', characters],
    ['a:b',           'member', characters],
    ['../x',          'member', characters],
    [' ',             'member', failure('The name of the emoji is missing.')],
    ['x'.repeat(101), 'member', failure('The name of the emoji is too long (limit: 100 characters).')],
    ['green_tick',    'owner',  failure('A custom emoji with this name already exists.')],
    ['Green Tick',    'member', failure('A custom emoji with this name already exists.')],
    ['smile',         'member', failure('Only administrators can replace built-in emoji.')],
    ['zulip',         'moderator', failure('Only administrators can replace built-in emoji.')],
    ['smile',         'admin',  'smile'],
    ['__proto__',     'member', characters],
    ['constructor',   'member', 'constructor'],
  ]
  for (const [name, actor, expected] of table) {
    const refused = typeof expected === 'object'
    test(`${actor} ${refused ? 'cannot call' : 'calls'} one ${JSON.stringify(name.slice(0, 20))}`, async () => {
      assert.deepEqual(await add(actor, name), refused ? expected : success)
      if (!refused) assert.equal((await find(expected)).author_id, server.ids[actor])
    })
  }

  test('the name of one that is out of use is free again', async () => {
    await add('member', 'again')
    const before = await find('again')
    await remove('member', 'again')
    assert.deepEqual(await add('outsider', 'again'), success)
    assert.notEqual((await find('again')).id, before.id)
  })
})

test('everyone may fetch the picture: square, of 64 pixels, as an image and nothing else', async () => {
  await add('member', 'square')
  const { source_url, still_url } = await find('square')
  assert.equal(still_url, null)
  const reply = await fetchFile(server, undefined, source_url)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'image/png')
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  assert.match(reply.headers.get('cache-control') ?? '', /^public, max-age=/)
  const picture = probe(new Uint8Array(await reply.arrayBuffer()))
  assert.deepEqual([picture.contentType, picture.width, picture.height], ['image/png', 64, 64])
})

test('a wide picture is whole', async () => {
  await add('member', 'wide', pngPicture(120, 20))
  const { source_url } = await find('wide')
  const picture = new Uint8Array(
    await (await fetchFile(server, undefined, source_url)).arrayBuffer(),
  )
  assert.deepEqual([pixelOf(picture, 2, 32), pixelOf(picture, 61, 32)], [red, blue])
})

test('an animation moves, and has a still picture besides', async () => {
  assert.deepEqual(await add('member', 'moving', gifPicture(30, 20, 3)), success)
  const { source_url, still_url } = await find('moving')
  const pictures = []
  for (const url of [source_url, still_url ?? '']) {
    const reply = await fetchFile(server, undefined, url)
    const { contentType, animated, width } = probe(new Uint8Array(await reply.arrayBuffer()))
    assert.equal(reply.headers.get('content-type'), contentType)
    pictures.push([contentType, animated, width])
  }
  assert.deepEqual(pictures, [
    ['image/gif', true, 64],
    ['image/png', false, 64],
  ])
})

test('clients hear of single changes, or of all emoji if they do not follow those', async () => {
  const types = { event_types: ['realm_emoji'] }
  const single = await server.as('guest').watchWith({
    ...types,
    client_capabilities: { individual_emoji_changes: true },
  })
  const whole = await server.as('guest').watchWith(types)
  await add('member', 'heard')
  await remove('admin', 'heard')
  const now = await find('heard')
  assert.deepEqual(await single.drain(), [
    { type: 'realm_emoji', op: 'add', emoji: { ...now, deactivated: false } },
    { type: 'realm_emoji', op: 'update_one', emoji_id: now.id, data: { deactivated: true } },
  ])
  const { realm_emoji } = await server
    .as('guest')
    .post('/register', { fetch_event_types: ['realm_emoji'] })
  const events = await whole.drain()
  assert.deepEqual(
    events.map(({ op }) => op),
    ['update', 'update'],
  )
  assert.deepEqual(events.at(-1)?.realm_emoji, realm_emoji)
})

test('a reaction outlives its emoji, which nobody else can use anymore', async () => {
  await add('member', 'fading')
  const id = await server.say('member', 'shared')
  const react = (actor: Actor, message = id) =>
    server.as(actor).post(`/messages/${message}/reactions`, { emoji_name: 'fading' })
  await react('member')
  const { id: code } = await find('fading')
  await remove('member', 'fading')
  const { message } = await server
    .as('guest')
    .get<{ message: { reactions: { emoji_code: string }[] } }>(`/messages/${id}`)
  assert.deepEqual(
    message.reactions.map(({ emoji_code }) => emoji_code),
    [code],
  )
  const other = await server.say('member', 'shared')
  assert.equal((await react('guest', other)).result, 'error')
  assert.deepEqual(
    await server.as('guest').post(`/messages/${id}/reactions`, {
      emoji_name: 'fading',
      emoji_code: code,
      reaction_type: 'realm_emoji',
    }),
    success,
  )
})

test('a message shows a new emoji', async () => {
  await add('member', 'shown')
  const id = await server.say('member', 'shared', 'plans', ':shown:')
  const { message } = await server
    .as('guest')
    .get<{ message: { content: string } }>(`/messages/${id}`)
  const { source_url } = await find('shown')
  assert.equal(
    message.content,
    `<p><img alt=":shown:" class="emoji" src="${source_url}" title="shown"></p>`,
  )
})

describe('what is no picture does not become an emoji', () => {
  for (const [what, contents] of hostilePictures) {
    test(what, async () => {
      const queue = await server.as('member').watch('realm_emoji')
      const reply = await add('member', 'hostile', contents)
      assert.equal(reply.code, 'BAD_IMAGE')
      assert.equal(reply.status, 400)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

test('exactly one file is taken, and not a larger one than the limit', async () => {
  const send = (files: Uint8Array[]) => sendPicture(server, 'member', '/realm/emoji/count', files)
  const wrong = failure('Exactly one file must be sent as the emoji.')
  assert.deepEqual(await send([]), wrong)
  assert.deepEqual(await send([pngPicture(), pngPicture()]), wrong)
  assert.deepEqual(await server.as('member').post('/realm/emoji/count'), wrong)
  const large = Buffer.concat([pngPicture(), Buffer.alloc(5 * 1024 * 1024)])
  assert.deepEqual(await send([large]), failure('The emoji is larger than the limit of 5 MiB.'))
})
