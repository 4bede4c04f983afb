import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { probe } from '#platform/pictures/probe.ts'
import { problemsOf } from '#test/support/client-html.ts'
import { fetchFile, upload } from '#test/support/files.ts'
import { gifPicture, hostilePictures, jpegPicture, pngPicture } from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Shown {
  content: string
  last_edit_timestamp?: number
  edit_history?: unknown
}

const spinner = '/static/images/loading/loader-black.svg'
const add = (name: string, contents: Uint8Array, actor: Actor = 'member') =>
  upload(server, actor, name, new Uint8Array(contents))

async function shown(id: number, actor: Actor = 'member'): Promise<string> {
  const { message } = await server.as(actor).get<{ message: Shown }>(`/messages/${id}`)
  return message.content
}

const thumbnailOf = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
const preview = (url: string, name: string, image: string) =>
  `<div class="message_inline_image"><a href="${url}" title="${name}">${image}</a></div>`
const facts = (type: string, size: string) =>
  `data-original-content-type="image/${type}" data-original-dimensions="${size}"`

/**
 * Uploads pictures while no thumbnail can be made: each upload reads its own contents once, and
 * whatever reads more waits for `release`.
 */
async function held(pictures: Record<string, Uint8Array>) {
  const { files } = server.server.context
  const { read } = files
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  const seen = new Set<string>()
  const gated = async (hash: string) => {
    if (seen.has(hash)) await released
    seen.add(hash)
    return await read(hash)
  }
  Object.assign(files, { read: gated })
  const urls: string[] = []
  for (const [name, contents] of Object.entries(pictures)) urls.push(await add(name, contents))
  const finish = async () => {
    Object.assign(files, { read })
    release()
    await server.settled()
  }
  return { urls, url: urls[0] ?? '', finish }
}

async function ready(name: string, contents: Uint8Array): Promise<string> {
  const url = await add(name, contents)
  await server.settled()
  return url
}

test('a picture is a placeholder until its thumbnail is there; then the message changes', async () => {
  const { url, finish } = await held({ 'cat.png': pngPicture(1200, 800) })
  const queue = await server.as('guest').watch('update_message')
  const id = await server.say('member', 'shared', 'plans', `[cat.png](${url})`)
  const size = facts('png', '1200x800')
  const waiting = preview(
    url,
    'cat.png',
    `<img class="image-loading-placeholder" ${size} src="${spinner}">`,
  )
  assert.equal(await shown(id), waiting)
  const path = `/thumbnail/status/${url.replace('/user_uploads/', '')}`
  assert.deepEqual(await server.as('guest').get(path), { ...success, has_thumbnail: false })
  assert.equal((await fetchFile(server, 'guest', thumbnailOf(url))).status, 404)
  await finish()
  assert.deepEqual(await server.as('guest').get(path), { ...success, has_thumbnail: true })
  const html = preview(url, 'cat.png', `<img ${size} src="${thumbnailOf(url)}">`)
  assert.equal(await shown(id), html)
  const [event, ...more] = await queue.drain()
  assert.deepEqual(more, [])
  assert.deepEqual(event, {
    type: 'update_message',
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    flags: [],
    edit_timestamp: Math.floor(server.clock.now() / 1000),
    stream_id: server.channels.shared,
    stream_name: 'Verona',
    content: `[cat.png](${url})`,
    rendered_content: html,
    is_me_message: false,
  })
})

test('clients can show every form of it', async () => {
  const { urls, finish } = await held({ 'a.png': pngPicture(5, 5), 'b.gif': gifPicture(6, 6) })
  const content = urls.map((url) => `[x](${url})\n\na ![y](${url}) b`).join('\n\n')
  const id = await server.say('member', 'shared', 'plans', content)
  assert.deepEqual(problemsOf(await shown(id)), [])
  await finish()
  assert.deepEqual(problemsOf(await shown(id)), [])
})

test('nobody edited the message whose thumbnail has come', async () => {
  const { url, finish } = await held({ 'cat.png': pngPicture() })
  const id = await server.say('member', 'shared', 'plans', `[cat.png](${url})`)
  await finish()
  const { message } = await server.as('member').get<{ message: Shown }>(`/messages/${id}`)
  assert.equal(message.last_edit_timestamp, undefined)
  assert.equal(message.edit_history, undefined)
})

test('a picture whose thumbnail is there already is shown at once', async () => {
  const url = await ready('cat.png', pngPicture(30, 20))
  const queue = await server.as('guest').watch('update_message')
  const id = await server.say('member', 'shared', 'plans', `[cat.png](${url})`)
  assert.match(await shown(id), /src="\/user_uploads\/thumbnail\//)
  await server.settled()
  assert.deepEqual(await queue.drain(), [])
})

test('an edited message gets its thumbnails as well', async () => {
  const id = await server.say('member', 'shared')
  const { url, finish } = await held({ 'cat.png': pngPicture(21, 20) })
  await server.as('member').patch(`/messages/${id}`, { content: `[cat.png](${url})` })
  assert.match(await shown(id), /image-loading-placeholder/)
  await finish()
  assert.match(await shown(id), /src="\/user_uploads\/thumbnail\//)
})

test('several pictures change together, when the last one is there', async () => {
  const { urls, finish } = await held({ 'a.png': pngPicture(22, 20), 'b.jpg': jpegPicture() })
  const queue = await server.as('guest').watch('update_message')
  const content = urls.map((url) => `[x](${url})`).join('\n')
  const id = await server.say('member', 'shared', 'plans', content)
  await finish()
  for (const url of urls) assert.ok((await shown(id)).includes(thumbnailOf(url)))
  assert.equal((await queue.drain()).length, 1)
})

test('a picture in the text is one of its own form', async () => {
  const { url, finish } = await held({ 'cat.jpg': jpegPicture(64, 32, 6) })
  const id = await server.say('member', 'shared', 'plans', `a ![cat](${url}) b`)
  const image = (name: string, source: string) =>
    `<p>a <img alt="cat" class="${name}" ${facts('jpeg', '32x64')} data-original-src="${url}" src="${source}"> b</p>`
  assert.equal(await shown(id), image('inline-image image-loading-placeholder', spinner))
  await finish()
  assert.equal(await shown(id), image('inline-image', thumbnailOf(url)))
})

test('an animation says so, and its preview moves', async () => {
  const url = await ready('moving.gif', gifPicture(60, 40, 3))
  const id = await server.say('member', 'shared', 'plans', `[moving.gif](${url})`)
  const moving = thumbnailOf(url, '840x560-anim.webp')
  assert.equal(
    await shown(id),
    preview(
      url,
      'moving.gif',
      `<img data-animated="true" ${facts('gif', '60x40')} src="${moving}">`,
    ),
  )
  const reply = await fetchFile(server, 'member', moving)
  const { contentType, animated } = probe(new Uint8Array(await reply.arrayBuffer()))
  assert.deepEqual([contentType, animated], ['image/webp', true])
})

describe('every announced format exists for every picture', () => {
  const pictures = {
    'a large picture': () => pngPicture(1800, 900),
    'a small one': () => pngPicture(10, 20),
    'an animation': () => gifPicture(400, 300, 2),
  }
  for (const [what, make] of Object.entries(pictures)) {
    test(what, async () => {
      const contents = make()
      const url = await ready(what === 'an animation' ? 'x.gif' : 'x.png', contents)
      const { server_thumbnail_formats: formats } = await server
        .as('member')
        .post<{ server_thumbnail_formats: Record<'name' | 'max_width' | 'max_height', never>[] }>(
          '/register',
          { fetch_event_types: ['realm'] },
        )
      assert.equal(formats.length, 3)
      for (const { name, max_width, max_height } of formats) {
        const reply = await fetchFile(server, 'member', thumbnailOf(url, name))
        assert.equal(reply.status, 200, name)
        assert.equal(reply.headers.get('content-type'), 'image/webp')
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
        const { width, height } = probe(new Uint8Array(await reply.arrayBuffer()))
        const own = probe(contents)
        assert.ok(width <= Math.min(max_width, own.width), `${name}: ${width}`)
        assert.ok(height <= Math.min(max_height, own.height), `${name}: ${height}`)
        // As large as it can be.
        const full = width === max_width || height === max_height || width === own.width
        assert.ok(full, `${name}: ${width}x${height}`)
      }
    })
  }
})

test('a thumbnail is not sent again to who has it', async () => {
  const url = await ready('cat.png', pngPicture(44, 44))
  const first = await fetchFile(server, 'member', thumbnailOf(url))
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  const tag = first.headers.get('etag') ?? ''
  const again = await fetchFile(server, 'member', thumbnailOf(url), { 'if-none-match': tag })
  assert.equal(again.status, 304)
})

describe('who may have a thumbnail', () => {
  // The message with the picture is in the private channel; the outsider gets it directly.
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor | undefined, string, number][] = [
    ['member',   'its owner',                  200],
    ['owner',    'who reads the message',      200],
    ['admin',    'who reads the message',      200],
    ['moderator','who does not',               404],
    ['guest',    'who does not',               404],
    ['outsider', 'who does not',               404],
    [undefined,  'somebody without an account', 404],
  ]
  for (const [actor, what, status] of matrix) {
    test(`${actor ?? 'nobody'}, ${what}, gets ${status}, as for the file itself`, async () => {
      const url = await ready('cat.png', pngPicture(50, 50))
      await server.say('member', 'private', 'plans', `[cat.png](${url})`)
      for (const path of [url, thumbnailOf(url), thumbnailOf(url, '300x200.webp')]) {
        assert.equal((await fetchFile(server, actor, path)).status, status, path)
      }
      if (!actor) return
      const reply = await server.as(actor).get(url.replace('/user_uploads', '/thumbnail/status'))
      if (status === 200) assert.deepEqual(reply, { ...success, has_thumbnail: true })
      else assert.deepEqual(reply, failure('File not found', 'NOT_FOUND'))
    })
  }

  test('nobody anymore, when the message is deleted', async () => {
    const url = await ready('cat.png', pngPicture(51, 51))
    const id = await server.say('member', 'shared', 'plans', `[cat.png](${url})`)
    assert.equal((await fetchFile(server, 'guest', thumbnailOf(url))).status, 200)
    await server.as('owner').del(`/messages/${id}`)
    for (const actor of ['guest', 'member', 'owner'] as const) {
      assert.equal((await fetchFile(server, actor, thumbnailOf(url))).status, 404)
    }
  })
})

describe('addresses that are no thumbnail', () => {
  const odd = ['/', '/840x560.png', '/840x560', '/1x1.webp', '/840x560-anim-anim.webp', '']
  for (const end of odd) {
    test(JSON.stringify(end), async () => {
      const url = await ready('cat.png', pngPicture())
      const path = thumbnailOf(url).replace('/840x560.webp', end)
      assert.equal((await fetchFile(server, 'member', path)).status, 404)
    })
  }
})

test('the contents of thumbnails go with the picture', async () => {
  const url = await ready('cat.png', pngPicture(77, 11, [7, 7, 7], [9, 9, 9]))
  const { store, files } = server.server.context
  const hashes = store.db.$client
    .prepare<[], string>('SELECT file_hash FROM thumbnails ORDER BY attachment_id DESC LIMIT 2')
    .pluck()
    .all()
  const kept = () => Promise.all(hashes.map((hash) => files.size(hash)))
  assert.ok((await kept()).every((size) => size !== undefined))
  const { attachments } = await server
    .as('member')
    .get<{ attachments: { id: number; path_id: string }[] }>('/attachments')
  const own = attachments.find(({ path_id }) => url.endsWith(path_id))
  assert.deepEqual(await server.as('member').del(`/attachments/${own?.id}`), success)
  server.clock.advance(2 * 3600 * 1000)
  await server.settled()
  assert.deepEqual(await kept(), [undefined, undefined])
})

describe('what is called a picture and is none has no preview', () => {
  // An empty file is no upload.
  for (const [what, contents] of hostilePictures.filter(([, { length }]) => length > 0)) {
    test(what, async () => {
      const url = await add('fake.png', contents)
      const queue = await server.as('guest').watch('update_message')
      const id = await server.say('member', 'shared', 'plans', `[fake.png](${url})`)
      await server.settled()
      assert.equal(await shown(id), `<p><a href="${url}">fake.png</a></p>`)
      for (const { rendered_content } of await queue.drain()) {
        assert.equal(rendered_content, `<p><a href="${url}">fake.png</a></p>`)
      }
      assert.equal((await fetchFile(server, 'member', thumbnailOf(url))).status, 404)
    })
  }

  for (const name of ['drawing.svg', 'page.html', 'picture.pdf', 'picture']) {
    test(`a picture that is called ${name} has no preview`, async () => {
      const url = await ready(name, pngPicture())
      const id = await server.say('member', 'shared', 'plans', `[x](${url})`)
      assert.equal(await shown(id), `<p><a href="${url}">x</a></p>`)
    })
  }

  test('an image of it in the text stays a link', async () => {
    const url = await ready('fake.png', Buffer.from('<svg onload=alert(1)>'))
    const id = await server.say('member', 'shared', 'plans', `![x](${url})`)
    assert.equal(await shown(id), `<p>!<a href="${url}">x</a></p>`)
  })
})

test('the description of a channel shows no uploads: it gives nobody access to them', async () => {
  const url = await upload(server, 'owner', 'cat.png', new Uint8Array(pngPicture()))
  const description = `![x](${url})`
  await server.as('owner').patch(`/streams/${server.channels.shared}`, { description })
  const { stream } = await server
    .as('member')
    .get<{ stream: { rendered_description: string } }>(`/streams/${server.channels.shared}`)
  assert.equal(stream.rendered_description, `<p>!<a href="${url}">x</a></p>`)
})

test('the picture that clients show until a thumbnail is there needs no account', async () => {
  const reply = await fetchFile(server, undefined, spinner)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'image/svg+xml')
})

test('a message that is deleted before its thumbnail is there leaves nothing to do', async () => {
  const { url, finish } = await held({ 'cat.png': pngPicture(300, 300) })
  const id = await server.say('member', 'shared', 'plans', `[cat.png](${url})`)
  await server.as('owner').del(`/messages/${id}`)
  await finish()
  const { db } = server.server.context.store
  for (const table of ['placeholder_messages', "upload_pictures WHERE state = 'pending'"]) {
    assert.deepEqual(db.$client.prepare(`SELECT * FROM ${table}`).all(), [])
  }
})

test('a server that stopped before it had made a thumbnail makes it when it starts again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-thumbnails-'))
  const before = await startServer({ data })
  const url = await upload(before, 'member', 'cat.png', new Uint8Array(pngPicture()))
  await before.settled()
  const id = await before.say('member', 'shared', 'plans', `[cat.png](${url})`)
  // As if it had stopped between the message and the thumbnail.
  before.server.context.store.db.$client.exec(`
    DELETE FROM thumbnails;
    UPDATE upload_pictures SET state = 'pending';
    UPDATE messages SET rendered_content = 'a placeholder' WHERE id = ${id};
    INSERT INTO placeholder_messages VALUES (${id});`)
  await before.close()
  const again = await startServer({ data })
  await again.settled()
  const { message } = await again.as('guest').get<{ message: Shown }>(`/messages/${id}`)
  assert.ok(message.content.includes(thumbnailOf(url)), message.content)
  assert.equal((await fetchFile(again, 'guest', thumbnailOf(url))).status, 200)
  await again.close()
  rmSync(data, { recursive: true })
})
