import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, describe, test } from 'node:test'
import { externalContentLink } from '#features/files/external-content/links.queries.ts'
import { insertPlaceholderMessage } from '#features/files/thumbnails/queries.ts'
import { updateMessage } from '#features/messaging/messages/editing/queries.ts'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { createOutsidePictures, outsidePictureLimits } from '#platform/outgoing/pictures.ts'
import { mostRedirects } from '#platform/outgoing/redirects.ts'
import { readConfig } from '#program/config.ts'
import { pngBomb, pngPicture } from '#test/support/pictures.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const png = pngPicture()
const { bytes: largest } = outsidePictureLimits

const asPng =
  (body: Uint8Array, type = 'image/png'): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': type, 'Set-Cookie': 'tracker=1' }).end(body)
const to =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { Location: location }).end()
const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)])

const seen: { url: string; headers: IncomingHttpHeaders }[] = []
const answers: Record<string, RequestListener> = {
  '/a.png': asPng(png),
  '/moved.png': to('/a.png'),
  '/round.png': to('/round.png'),
  '/inside.png': (request, response) =>
    to(`http://127.0.0.2:${request.socket.localPort}/a.png`)(request, response),
  '/file.png': to('file:///etc/passwd'),
  '/nowhere.png': (_, response) => response.writeHead(302).end(),
  '/svg.png': asPng(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
  '/svg-as-png.png': asPng(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  '/html.png': asPng(Buffer.from('<script>alert(1)</script>'), 'text/html'),
  '/png-as-html.png': asPng(png, 'text/html'),
  '/html-as-png.png': asPng(Buffer.from('<script>alert(1)</script>')),
  '/bomb.png': asPng(pngBomb(60_000, 60_000)),
  '/large.png': asPng(padded(largest)),
  '/too-large.png': asPng(padded(largest + 1)),
  '/endless.png': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' })
    const feed = () => void (response.destroyed || response.write(Buffer.alloc(65_536), feed))
    feed()
  },
  '/silent.png': () => {},
  '/gone.png': (_, response) => response.writeHead(404).end(),
}

const outside = createServer((request, response) => {
  const url = request.url ?? ''
  seen.push({ url, headers: request.headers })
  const answer = answers[url.replace(/\?.*/, '')]
  if (answer) answer(request, response)
  else response.writeHead(404).end()
}).listen(0, '0.0.0.0')
await once(outside, 'listening')
const { port } = outside.address() as AddressInfo
after(() => {
  outside.closeAllConnections()
  outside.close()
})
beforeEach(() => void seen.splice(0))

const at = (path: string) => `http://127.0.0.1:${port}${path}`
const allowedNetworks = ['127.0.0.1']
const server = await startServer({ config: { allowedNetworks } })
after(server.close)

function linkTo(url: string, { server: { context } }: TestServer = server): string {
  const link = externalContentLink(context.store, url, 'picture')
  assert.ok(link)
  return link
}

const open = (path: string, one: TestServer = server) => fetch(one.url + path)

describe('a message with a picture from elsewhere', () => {
  test('shows it through the server, and still links to where it is', async () => {
    const url = at('/a.png?in=message')
    const id = await server.say('member', 'public', 'plans', `See ${url}`)
    const reply = await server.as('owner').get<{ message: { content: string } }>(`/messages/${id}`)
    const { content } = reply.message
    const image = `<div class="message_inline_image"><a href="${url}"><img src="${linkTo(url)}"></a></div>`
    assert.ok(content.includes(image), content)
    assert.ok(content.includes(`See <a href="${url}">`))
    assert.match(linkTo(url), /^\/external_content\/[0-9a-f]{40}\/[0-9a-f]+$/)
    const hex = linkTo(url).split('/').at(-1) ?? ''
    assert.equal(Buffer.from(hex, 'hex').toString(), url)
    assert.deepEqual(seen, [], 'nothing is fetched before somebody looks')
  })

  test('from before there was this is rendered again, as the upgrade lists it', async () => {
    const url = at('/a.png')
    const id = await server.say('member', 'public', 'plans', `See ${url}`)
    await server.server.context.store.write((tx) => {
      updateMessage(tx, id, { renderedContent: `<img data-original-src="${url}">` })
      insertPlaceholderMessage(tx, id)
      wakeJobs(tx)
    })
    await server.settled()
    const reply = await server.as('owner').get<{ message: { content: string } }>(`/messages/${id}`)
    assert.ok(reply.message.content.includes(`<img src="${linkTo(url)}">`))
  })

  test('shows no video, for that would be loaded from elsewhere', async () => {
    const { rendered } = await server
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content: 'https://x.org/v.mp4' })
    assert.doesNotMatch(rendered, /<video/)
  })

  test('tells where it is from nothing about who looks', async () => {
    const response = await fetch(server.url + linkTo(at('/a.png')), {
      headers: {
        authorization: 'Basic abc',
        cookie: 'sessionid=1',
        referer: `${server.url}/#narrow/channel/4`,
        'user-agent': 'ZulipFlutter/30.0',
        'x-forwarded-for': '203.0.113.9',
        'accept-language': 'is',
      },
    })
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), png)
    const { headers = {} } = seen[0] ?? {}
    const names = ['accept', 'connection', 'host', 'user-agent']
    assert.deepEqual(Object.keys(headers).sort(), names)
    assert.equal(headers['user-agent'], 'Parley')
    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.equal(response.headers.get('set-cookie'), null)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'; sandbox/,
    )
    assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=/)
  })
})

describe('what is shown', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string, number, hits: number][] = [
    ['a picture',                          '/a.png?one',         200, 1],
    ['one that moved',                     '/moved.png',         200, 2],
    ['the largest',                        '/large.png',         200, 1],
    ['a larger one',                       '/too-large.png',     404, 1],
    ['one without an end',                 '/endless.png',       404, 1],
    ['one that moves for ever',            '/round.png',         404, mostRedirects + 1],
    ['one that moved to a private address', '/inside.png',       404, 1],
    ['one that moved to a file',           '/file.png',          404, 1],
    ['one that moved nowhere',             '/nowhere.png',       404, 1],
    ['SVG',                                '/svg.png',           404, 1],
    ['SVG under another name',             '/svg-as-png.png',    404, 1],
    ['a page',                             '/html.png',          404, 1],
    ['a page under another name',          '/html-as-png.png',   404, 1],
    ['a picture under another name',       '/png-as-html.png',   404, 1],
    ['more pixels than memory holds',      '/bomb.png',          404, 1],
    ['what is gone',                       '/gone.png',          404, 1],
  ]
  for (const [what, path, status, hits] of table) {
    test(`${what}: ${status}, and the second time from memory`, async () => {
      const link = linkTo(at(path))
      for (let i = 0; i < 2; i++) {
        const response = await open(link)
        assert.equal(response.status, status)
        await response.arrayBuffer()
      }
      assert.equal(seen.length, hits)
    })
  }

  test('once for all who look at the same time', async () => {
    const link = linkTo(at('/a.png?crowd'))
    const replies = await Promise.all(Array.from({ length: 20 }, () => open(link)))
    for (const reply of replies) {
      assert.equal(reply.status, 200)
      await reply.arrayBuffer()
    }
    assert.equal(seen.length, 1)
  })

  test('nothing that takes longer than ten seconds', async () => {
    const reply = open(linkTo(at('/silent.png')))
    while (seen.length === 0) await new Promise((done) => setTimeout(done, 5))
    server.clock.advance(outsidePictureLimits.timeout)
    assert.equal((await reply).status, 404)
  })

  test('nothing for which the server did not make the link', async () => {
    const [, , digest = '', hex = ''] = linkTo(at('/a.png')).split('/')
    const other = Buffer.from(at('/a.png?other')).toString('hex')
    const forged = [
      `/external_content/${digest}/${other}`,
      `/external_content/${'0'.repeat(40)}/${hex}`,
      `/external_content/${digest.slice(0, 39)}/${hex}`,
      `/external_content/${digest}/${hex}0`,
      `/external_content/${digest}/zz`,
      `/external_content/${digest}/`,
    ]
    for (const path of forged) assert.equal((await open(path)).status, 404, path)
    const elsewhere = await startServer({ config: { allowedNetworks } })
    assert.notEqual(linkTo(at('/a.png'), elsewhere), undefined)
    await elsewhere.close()
    assert.deepEqual(seen, [])
  })

  test('nothing of the network of the server, unless the operator allows it', async () => {
    const strict = await startServer()
    const own = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']
    for (const host of own) {
      const link = linkTo(`http://${host}:${port}/a.png`, strict)
      assert.equal((await open(link, strict)).status, 404, host)
    }
    assert.deepEqual(seen, [])
    await strict.close()
  })

  test('no more in a minute for one client than it may ask for', async () => {
    const limited = await startServer({ config: { allowedNetworks, rateLimits: true } })
    const statuses: number[] = []
    for (let i = 0; i < 505; i++) {
      const reply = await open(linkTo(at(`/gone.png?${i}`), limited), limited)
      statuses.push(reply.status)
      await reply.arrayBuffer()
    }
    assert.deepEqual(new Set(statuses.slice(0, 500)), new Set([404]))
    assert.equal(statuses.at(-1), 429)
    await limited.close()
  })
})

describe('where the operator wants no pictures from elsewhere', () => {
  test('messages have none, and no link works', async () => {
    const link = linkTo(at('/a.png'))
    const off = await startServer({ config: { allowedNetworks, externalContent: false } })
    const { rendered } = await off
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content: at('/a.png') })
    assert.equal(rendered, `<p><a href="${at('/a.png')}">${at('/a.png')}</a></p>`)
    assert.equal((await open(link, off)).status, 404)
    assert.deepEqual(seen, [])
    await off.close()
  })

  test('they say so in the environment', () => {
    assert.equal(readConfig({}).externalContent, true)
    assert.equal(readConfig({ PARLEY_EXTERNAL_PICTURES: 'off' }).externalContent, false)
  })
})

test('what is remembered has an end', async () => {
  const clock = manualClock(0)
  const pictures = createOutsidePictures({ clock, config: { ...defaultConfig, allowedNetworks } })
  const request = { client: 'one', signal: new AbortController().signal }
  const get = (i: number) => pictures.get(at(`/large.png?${i}`), request, () => {})
  const fits = Math.floor(outsidePictureLimits.cachedBytes / largest)
  for (let i = 0; i <= fits; i++) assert.ok(await get(i))
  await get(fits)
  assert.equal(seen.length, fits + 1)
  await get(0)
  assert.equal(seen.length, fits + 2, 'the oldest was forgotten')
  clock.advance(outsidePictureLimits.kept)
  await get(0)
  assert.equal(seen.length, fits + 3, 'and everything after an hour')
})
