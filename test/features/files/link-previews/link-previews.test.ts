import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { externalContentLink } from '#features/files/external-content/links.queries.ts'
import { factsOfOEmbed, oEmbedAddress, readPage } from '#features/files/link-previews/page.ts'
import { manualClock } from '#platform/clock.ts'
import { probe } from '#platform/pictures/probe.ts'
import { problemsOf } from '#test/support/client-html.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Event, startServer, type TestServer } from '#test/support/server.ts'

const page =
  (head: string): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<html><head>${head}</head>`)
const to =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { Location: location }).end()
const story =
  '<title>Other</title><meta property="og:title" content="A &quot;story&quot;"><meta property="og:description" content="Of two\nlines"><meta property="og:image" content="/cat.png">'

const seen: string[] = []
const answers: Record<string, RequestListener> = {
  '/story': page(story),
  '/plain': page('<title> Plain\n page </title>'),
  '/moved': to('/story'),
  '/round': to('/round'),
  '/inside': (request, response) =>
    to(`http://127.0.0.2:${request.socket.localPort}/story`)(request, response),
  '/untitled': page('<meta name="description" content="x">'),
  '/gone': (_, response) =>
    void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Gone</title>'),
  '/text': (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('<title>x</title>'),
  '/packed': (_, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
      .end('<title>x</title>'),
  '/silent': () => {},
  '/held': (request, response) => {
    response.setHeader('Content-Type', 'text/html')
    held.set(request.url ?? '', response)
  },
  '/endless': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.write('<title>Endless</title><style>')
    const feed = () => void (response.destroyed || response.write(Buffer.alloc(65_536, 'x'), feed))
    feed()
  },
  '/hostile': page(
    `<meta property="og:title" content="&lt;/a&gt;&lt;script&gt;alert(1)&lt;/script&gt; @**all** \u202eevil"><meta property="og:image" content="https://x.example/&quot;);background:url('//y')">`,
  ),
  '/script': page(
    '<meta property="og:title" content="S"><meta property="og:image" content="javascript:alert(1)">',
  ),
  '/film': page(
    '<title>Film</title><link rel="alternate" type="application/json+oembed" href="/oembed">',
  ),
  '/oembed': (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        title: 'The film',
        author_name: 'Ada',
        provider_name: 'Films',
        html: '<iframe>',
        thumbnail_url: 'https://films.example/still.jpg',
      }),
    ),
}
/** The requests for pages that answer when a test says so, by their paths. */
const held = new Map<string, ServerResponse>()
const outside = createServer((request, response) => {
  seen.push(request.url ?? '')
  const answer = answers[(request.url ?? '').replace(/\?.*/, '')] ?? answers['/gone']
  answer?.(request, response)
}).listen(0, '0.0.0.0')
await once(outside, 'listening')
const { port } = outside.address() as AddressInfo
after(() => {
  outside.closeAllConnections()
  outside.close()
})
beforeEach(() => void seen.splice(0))
const at = (path: string) => `http://127.0.0.1:${port}${path}`

const clock = manualClock(Date.UTC(2026, 10, 24))
const server = await startServer({ clock, config: { allowedNetworks: ['127.0.0.1'] } })
after(server.close)
const turn = (isOn: boolean, { as }: TestServer = server) =>
  as('owner').patch('/realm', { inline_url_embed_preview: isOn })

async function shown(id: number, actor: Actor = 'member', where: TestServer = server) {
  await where.settled()
  const { message } = await where.as(actor).get<{ message: { content: string } }>(`/messages/${id}`)
  return message.content
}

const card = (url: string, picture: string, title: string, description = '') =>
  `<p><a href="${url}">${url}</a></p>\n<div class="message_embed">` +
  `<a class="message_embed_image" href="${url}" style="background-image: url(&quot;${picture}&quot;)"></a>` +
  `<div class="data-container"><div class="message_embed_title"><a href="${url}" title="${title}">${title}</a></div>` +
  `${description && `<div class="message_embed_description">${description}</div>`}</div></div>`
const linkTo = (url: string) =>
  externalContentLink(server.server.context.store, url, 'picture') ?? ''
const globe = '/static/images/link-card.png'

test('it is off at first: nothing is fetched', async () => {
  const id = await server.say('member', 'public', 'plans', at('/story'))
  assert.doesNotMatch(await shown(id), /message_embed/)
  assert.deepEqual(seen, [])
  assert.equal((await turn(true)).result, 'success')
})

test('the card of a page comes after the message, by an update that only renders', async () => {
  const url = at('/story?1')
  const queue = await server.as('member').watch('message', 'update_message')
  const id = await server.say('member', 'public', 'plans', url)
  await server.settled()
  const [sent, update] = await queue.drain()
  assert.ok(sent && update)
  assert.doesNotMatch(JSON.stringify(sent), /message_embed/)
  assert.equal(update.type, 'update_message')
  assert.equal(update.rendering_only, true)
  assert.equal(update.user_id, null)
  assert.equal(update.message_id, id)
  const html = String(update.rendered_content)
  assert.equal(html, await shown(id))
  assert.deepEqual(problemsOf(html), [])
  // In texts, quotes stand for themselves.
  const plain = (text: string) => text.replaceAll('&quot;', '"')
  const expected = card(url, linkTo(at('/cat.png')), 'A &quot;story&quot;', 'Of two lines')
  assert.equal(plain(html), plain(expected))
  const { message_history: history } = await server.as('member').get(`/messages/${id}/history`)
  assert.equal((history as unknown[]).length, 1)
})

describe('what pages say', () => {
  // biome-ignore format: a table reads best in columns
  const table: [path: string, html: (url: string) => string | undefined][] = [
    ['/plain',    (url) => card(url, globe, 'Plain page')],
    ['/endless',  (url) => card(url, globe, 'Endless')],
    ['/script',   (url) => card(url, globe, 'S')],
    ['/film',     (url) => card(url, linkTo('https://films.example/still.jpg'), 'The film', 'Ada · Films')],
    ['/untitled', () => undefined],
    ['/gone',     () => undefined],
    ['/text',     () => undefined],
    ['/packed',   () => undefined],
    ['/round',    () => undefined],
    ['/inside',   () => undefined],
  ]
  for (const [path, html] of table) {
    test(path, async () => {
      const url = at(path)
      const content = await shown(await server.say('member', 'public', 'plans', url))
      assert.equal(content, html(url) ?? `<p><a href="${url}">${url}</a></p>`)
      assert.deepEqual(problemsOf(content), [])
    })
  }

  test('redirects are followed, and the card leads where the link does', async () => {
    const content = await shown(await server.say('member', 'public', 'plans', at('/moved')))
    assert.match(content, /message_embed_title"><a href="[^"]*\/moved"/)
  })

  test('HTML, mentions and turned directions in it are text', async () => {
    const content = await shown(await server.say('member', 'public', 'plans', at('/hostile')))
    assert.match(content, /&lt;\/a&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; @\*\*all\*\* evil/)
    assert.deepEqual(problemsOf(content), [])
    assert.doesNotMatch(content, /user-mention|\u202e/)
  })
})

test('a page is fetched once a day, whoever links to it', async () => {
  const url = at('/story?day')
  for (const actor of ['member', 'outsider', 'member'] as const) {
    assert.match(await shown(await server.say(actor, 'public', 'plans', url)), /message_embed/)
  }
  assert.deepEqual(seen, ['/story?day'])
  clock.advance(25 * 3_600_000)
  assert.match(await shown(await server.say('member', 'public', 'plans', url)), /message_embed/)
  assert.deepEqual(seen, ['/story?day', '/story?day'])
})

describe('which links get cards', () => {
  // biome-ignore format: a table reads best in columns
  const table: [what: string, content: string, cards: number, fetches: string[]][] = [
    ['one with a text',            `See [the story](${at('/story?a')}).`,        1, ['/story?a']],
    ['the same one twice',         `${at('/story?b')} ${at('/story?b')}`,        1, ['/story?b']],
    ['two parts of the same one',  `${at('/story?p#a')} ${at('/story?p#b')}`,    2, ['/story?p']],
    ['one in a quote',             `> ${at('/story?c')}`,                        0, []],
    ['one in code',                `\`${at('/story?d')}\``,                      0, []],
    ['a picture',                  at('/x.png'),                                 0, []],
    ['a message of this server',   '#**Verona>plans@1**',                        0, []],
    ['six: the first five',        [1, 2, 3, 4, 5, 6].map((n) => at(`/story?e${n}`)).join('\n'), 5,
      [1, 2, 3, 4, 5].map((n) => `/story?e${n}`)],
  ]
  for (const [what, content, cards, fetches] of table) {
    test(what, async () => {
      const html = await shown(await server.say('member', 'public', 'plans', content))
      assert.equal(html.split('class="message_embed"').length - 1, cards)
      assert.deepEqual([...seen].sort(), fetches)
    })
  }

  test('those in messages of incoming webhooks do not', async () => {
    const url = at('/story?hook')
    const made = await server
      .as('member')
      .post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
    const query = new URLSearchParams({
      api_key: String(made.api_key),
      topic: 'x',
      stream: 'Verona',
    })
    const reply = await server.server.fetch(
      new Request(`http://localhost/api/v1/external/slack_incoming?${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text: url }),
      }),
    )
    assert.equal(reply.status, 200)
    await server.settled()
    assert.deepEqual(seen, [])
  })

  test('a preview of a text tells nobody which pages are known', async () => {
    const url = at('/story?known')
    await shown(await server.say('member', 'public', 'plans', url))
    const { rendered } = await server.as('outsider').post('/messages/render', { content: url })
    assert.doesNotMatch(String(rendered), /message_embed/)
  })
})

test('an edit keeps the cards of the links that stay, and fetches new ones', async () => {
  const id = await server.say('member', 'public', 'plans', at('/story?edit'))
  await shown(id)
  const edited = `${at('/story?edit')} and ${at('/plain?edit')}`
  assert.deepEqual(await server.as('member').patch(`/messages/${id}`, { content: edited }), {
    ...success,
    detached_uploads: [],
  })
  const html = await shown(id)
  assert.equal(html.split('class="message_embed"').length - 1, 2)
  assert.deepEqual(seen, ['/story?edit', '/plain?edit'])
})

test('an edited message waits only for the pages that it links to now', async () => {
  const asked = once(outside, 'request')
  const id = await server.say('member', 'public', 'plans', at('/held?old'))
  await asked
  const askedAgain = once(outside, 'request')
  await server.say('outsider', 'shared', 'plans', at('/held?new'))
  await askedAgain
  await server.as('member').patch(`/messages/${id}`, { content: at('/held?new') })
  const queue = await server.as('member').watch('update_message')
  held.get('/held?new')?.end('<title>New</title>')
  let update: Event | undefined
  while (update?.message_id !== id)
    [update] = (await queue.next()).filter((each) => each.message_id === id)
  held.get('/held?old')?.end('<title>Old</title>')
  assert.match(String(update?.rendered_content), /title="New"/)
  await server.settled()
})

test('an edit of a message whose previews are hidden fetches nothing', async () => {
  const id = await server.say('member', 'public', 'plans', 'Soon')
  await server.as('member').patch(`/messages/${id}/link_previews`, { hidden: true })
  await server.as('member').patch(`/messages/${id}`, { content: at('/story?hidden') })
  assert.doesNotMatch(await shown(id), /message_embed/)
  assert.deepEqual(seen, [])
})

describe('hiding the previews of a message', () => {
  const refused = failure('Only the author of a message can hide its link previews')
  const unknown = failure('Invalid message(s)')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, 'public' | 'private', object][] = [
    ['member',   'public',  success],
    ['member',   'private', success],
    ['outsider', 'public',  refused],
    ['owner',    'public',  refused],
    ['outsider', 'private', unknown],
    ['guest',    'public',  unknown],
  ]
  for (const [actor, channel, expected] of matrix) {
    test(`${actor} in a ${channel} channel: ${expected === success ? 'hidden' : 'refused'}`, async () => {
      const id = await server.say('member', channel, 'plans', at('/story?hide'))
      assert.match(await shown(id), /message_embed/)
      assert.deepEqual(
        await server.as(actor).patch(`/messages/${id}/link_previews`, { hidden: true }),
        expected,
      )
      assert.equal(/message_embed/.test(await shown(id)), expected !== success)
      if (expected !== success) return
      // They stay away after an edit, and come back when they are shown again.
      await server.as(actor).patch(`/messages/${id}`, { content: `${at('/story?hide')} again` })
      assert.doesNotMatch(await shown(id), /message_embed/)
      await server.as(actor).patch(`/messages/${id}/link_previews`, { hidden: false })
      assert.match(await shown(id), /message_embed/)
    })
  }
})

test('a limit of pages an hour ends previews, not messages', async () => {
  const limits = { link_previews_per_hour: 2 }
  const limited = await startServer({ config: { allowedNetworks: ['127.0.0.1'], quotas: limits } })
  await turn(true, limited)
  for (const [n, expected] of [
    [1, true],
    [2, true],
    [3, false],
  ] as const) {
    const id = await limited.say('member', 'public', 'plans', at(`/story?limit${n}`))
    assert.equal(/message_embed/.test(await shown(id, 'member', limited)), expected)
  }
  await limited.close()
})

test('a stop does not wait for a page, which is read after the next start', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  const options = { data, config: { allowedNetworks: ['127.0.0.1'] } }
  const first = await startServer(options)
  await turn(true, first)
  const asked = once(outside, 'request')
  const id = await first.say('member', 'public', 'plans', at('/held?stop'))
  await asked
  // The clock of the server does not move, so that no timeout ends the request.
  await first.close()
  const askedAgain = once(outside, 'request')
  const second = await startServer(options)
  await askedAgain
  held.get('/held?stop')?.end('<title>Late</title>')
  assert.match(await shown(id, 'member', second), /title="Late"/)
  await second.close()
  rmSync(data, { recursive: true })
})

test('where the operator allows no previews, the setting changes nothing', async () => {
  const without = await startServer({
    config: { allowedNetworks: ['127.0.0.1'], linkPreviews: false },
  })
  await turn(true, without)
  assert.equal(
    (await without.as('member').watch('realm')).state.server_inline_url_embed_preview,
    false,
  )
  await shown(await without.say('member', 'public', 'plans', at('/story')), 'member', without)
  assert.deepEqual(seen, [])
  await without.close()
})

test('the picture of cards without one is a picture', async () => {
  const reply = await server.server.fetch(new Request(`http://localhost${globe}`))
  assert.equal(reply.headers.get('content-type'), 'image/png')
  assert.equal(probe(Buffer.from(await reply.arrayBuffer())).width, 48)
})

describe('the descriptions of large sites', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string | undefined][] = [
    ['https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ'],
    ['https://youtu.be/aqz-KE-bpKQ',                'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fyoutu.be%2Faqz-KE-bpKQ'],
    ['https://vimeo.com/76979871',                  'https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871'],
    ['https://open.spotify.com/track/4cOdK2wG',     'https://open.spotify.com/oembed?format=json&url=https%3A%2F%2Fopen.spotify.com%2Ftrack%2F4cOdK2wG'],
    ['https://youtube.com.evil.example/watch?v=1',  undefined],
    ['https://evil.example/?https://vimeo.com/1',   undefined],
    ['https://example.com/',                        undefined],
  ]
  for (const [url, address] of table) test(url, () => assert.equal(oEmbedAddress(url), address))

  test('a reply that is none says nothing', () => {
    for (const body of ['', '[]', 'null', '{"title":7}', '<html>']) {
      assert.equal(factsOfOEmbed(body), undefined)
    }
  })
})

test('a document of nothing but tags is read in time that grows with its length', async () => {
  const read = await readPage('<b><p>'.repeat(80_000), 'https://example.com/')
  assert.equal(read.facts, undefined)
})
