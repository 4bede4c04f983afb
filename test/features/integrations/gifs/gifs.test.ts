import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parseSetting } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'
import { gifPicture } from '#test/support/pictures.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { startVendor } from '#test/support/vendor.ts'

const vendor = await startVendor()
const { asked, host } = vendor
const key = 'gif-Key.1'
const media = `http://${host}/media`
const config = { allowedNetworks: ['127.0.0.1'], gifsUrl: `http://giphy:${key}@${host}/v1/gifs` }

interface Found {
  readonly gifs: {
    readonly title: string
    readonly url: string
    readonly preview_url: string
    readonly width: number
    readonly height: number
  }[]
  readonly next: string | null
}

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify(body))
const giphyGif = (n: number, changes: object = {}) => ({
  type: 'gif',
  title: `Cat ${n}`,
  rating: 'g',
  images: {
    original: { url: `${media}/${n}/giphy.gif` },
    downsized: { url: `${media}/${n}/downsized.gif?cid=someone&ct=g` },
    fixed_width_downsampled: { url: `${media}/${n}/small.gif?cid=x`, width: '200', height: '113' },
    fixed_width: { url: `${media}/${n}/200w.gif`, width: '200', height: '113' },
  },
  ...changes,
})
const giphy = (gifs: readonly unknown[]) => json(200, { data: gifs, pagination: { offset: 0 } })
const page = (from: number) => Array.from({ length: 24 }, (_, i) => giphyGif(from + i))
const failed = failure('GIFs cannot be searched at the moment.')
let tries = 0
/** A search that nobody has made. */
const fresh = () => ({ query: `q${++tries}` })

beforeEach(() => {
  asked.length = 0
  vendor.answer = giphy([giphyGif(1)])
})
const lastQuery = () => Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])

describe('GIFs of GIPHY', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ config })
  })
  after(() => server.close())
  const search = (params: Record<string, string> = {}) =>
    server.as('member').get<Found>('/gifs', params)
  const rate = async (giphy_rating: number) =>
    assert.deepEqual(await server.as('owner').patch('/realm', { giphy_rating }), success)

  test('a search asks the provider with the key, and says nothing of who asks', async () => {
    const { gifs, next } = await search({ query: ' Cats  & dogs ' })
    assert.equal(next, null)
    const [gif] = gifs
    assert.ok(gif)
    const { preview_url, ...rest } = gif
    assert.deepEqual(rest, {
      title: 'Cat 1',
      url: `${media}/1/downsized.gif`,
      width: 200,
      height: 113,
    })
    assert.match(preview_url, /^\/external_content\/[0-9a-f]{40}\/[0-9a-f]+$/)
    assert.equal(asked[0]?.url.pathname, '/v1/gifs/search')
    assert.deepEqual(lastQuery(), {
      api_key: key,
      limit: '24',
      offset: '0',
      rating: 'g',
      q: 'cats & dogs',
      lang: 'en',
    })
    const { host: to, connection, ...headers } = asked[0]?.headers ?? {}
    assert.deepEqual(headers, { accept: 'application/json', 'user-agent': 'Parley' })
  })

  test('pictures come from this server', async () => {
    const [gif] = (await search(fresh())).gifs
    const picture = gifPicture()
    vendor.answer = (response) =>
      response.writeHead(200, { 'content-type': 'image/gif' }).end(picture)
    const reply = await fetch(server.url + gif?.preview_url)
    assert.equal(reply.headers.get('content-type'), 'image/gif')
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), Buffer.from(picture))
    assert.equal(asked.at(-1)?.url.pathname, '/media/1/small.gif')
  })

  test('a message with a GIF is read without its provider', async () => {
    const [gif] = (await search(fresh())).gifs
    const id = await server.say('member', 'public', 'cats', `[${gif?.title}](${gif?.url})`)
    const { message } = await server
      .as('outsider')
      .get<{ message: { content: string } }>(`/messages/${id}`)
    assert.match(message.content, /<img [^>]*src="\/external_content\//)
    assert.doesNotMatch(message.content, /src="http/)
  })

  test('without a query, what is popular is shown', async () => {
    await search()
    assert.equal(asked[0]?.url.pathname, '/v1/gifs/trending')
    assert.equal(lastQuery()['q'], undefined)
  })

  test('pages follow each other', async () => {
    const { query } = fresh()
    vendor.answer = giphy(page(0))
    const first = await search({ query })
    assert.deepEqual([first.gifs.length, first.next], [24, '24'])
    vendor.answer = giphy([giphyGif(24)])
    const second = await search({ query, from: '24' })
    assert.deepEqual([second.gifs.length, second.next, lastQuery()['offset']], [1, null, '24'])
  })

  for (const from of ['x', '-1', '99999', '1&rating=r', '1 ']) {
    test(`a page beginning at '${from}' is refused`, async () => {
      assert.deepEqual(await search({ from }), failure("Invalid 'from'"))
      assert.equal(asked.length, 0)
    })
  }

  test('the same search is answered from memory, for everyone and for ten minutes', async () => {
    const params = fresh()
    await Promise.all([search(params), server.as('outsider').get('/gifs', params)])
    await search({ query: ` ${params.query.toUpperCase()}` })
    assert.equal(asked.length, 1)
    server.clock.advance(600_001)
    await search(params)
    assert.equal(asked.length, 2)
  })

  describe('the rating of the organization', () => {
    after(() => rate(2))
    // biome-ignore format: a table reads best in columns
    const table: [rating: number, asked: string, shown: string[]][] = [
      [1, 'g',     ['y']],
      [2, 'g',     ['y', 'g']],
      [3, 'pg',    ['y', 'g', 'pg']],
      [4, 'pg-13', ['y', 'g', 'pg', 'pg-13']],
      [5, 'r',     ['y', 'g', 'pg', 'pg-13', 'r']],
    ]
    for (const [rating, sent, shown] of table) {
      test(`${rating}: shows ${shown.join(', ')}, whatever GIPHY answers`, async () => {
        await rate(rating)
        const ratings = ['y', 'g', 'pg', 'pg-13', 'r', 'x', '']
        vendor.answer = giphy(ratings.map((each, i) => giphyGif(i, { title: each, rating: each })))
        const { gifs } = await search({ query: 'rated' })
        assert.equal(lastQuery()['rating'], sent)
        assert.deepEqual(
          gifs.map(({ url }) => ratings[Number(url.split('/').at(-2))]),
          shown,
        )
      })
    }

    test('0: nothing is searched', async () => {
      await rate(0)
      assert.deepEqual(
        await search({ query: 'rated' }),
        failure('The organization has disabled GIFs.'),
      )
      assert.equal(asked.length, 0)
    })
  })

  // biome-ignore format: a table reads best in columns
  const failures: [what: string, answer: (response: ServerResponse) => void][] = [
    ['a wrong key',         json(401, { meta: { msg: key } })],
    ['too many searches',   json(429, {})],
    ['no JSON',             (response) => response.end('<html>')],
    ['another form',        json(200, { data: 'x' })],
    ['a broken connection', (response) => response.destroy()],
    ['an endless answer',   (response) => response.end(Buffer.alloc(2_000_000, ' '))],
    ['a redirect',          (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()],
  ]
  for (const [what, answer] of failures) {
    test(`${what} is an error that says nothing of the key, and is not kept`, async () => {
      const params = fresh()
      vendor.answer = answer
      assert.deepEqual(await search(params), failed)
      vendor.answer = giphy([giphyGif(1)])
      assert.equal((await search(params)).gifs.length, 1)
    })
  }

  const bad = (images: object) => giphyGif(1, { images: { ...giphyGif(1).images, ...images } })
  // biome-ignore format: a table reads best in columns
  const hostile: [what: string, gif: unknown][] = [
    ['nothing',                 null],
    ['no pictures',             { title: 'x', rating: 'g' }],
    ['a script for a link',     bad({ downsized: { url: 'javascript:alert(1)' } })],
    ['a link with a password',  bad({ downsized: { url: 'https://me:secret@giphy.com/1.gif' } })],
    ['a link without end',      bad({ downsized: { url: `https://giphy.com/${'1'.repeat(2000)}.gif` } })],
    ['a picture of no size',    bad({ fixed_width_downsampled: { url: `${media}/1.gif`, width: '0', height: 'x' } })],
    ['a picture without bound', bad({ fixed_width_downsampled: { url: `${media}/1.gif`, width: '1e9', height: '1' } })],
    ['no rating',               giphyGif(1, { rating: undefined })],
  ]
  for (const [what, gif] of hostile) {
    test(`a GIF with ${what} is left out, and others stay`, async () => {
      vendor.answer = giphy([gif, giphyGif(2)])
      const { gifs } = await search(fresh())
      assert.deepEqual(
        gifs.map(({ title }) => title),
        ['Cat 2'],
      )
    })
  }

  // biome-ignore format: a table reads best in columns
  const titles: [given: unknown, shown: string][] = [
    ['Happy @**all** ](https://evil.net) `x` $$y$$ :cat:', 'Happy all https evil.net x y cat'],
    ['Ein süßes Kätzchen, かわいい',                        'Ein süßes Kätzchen, かわいい'],
    ['',                                                    'GIF'],
    [undefined,                                             'GIF'],
    ['*_*',                                                 'GIF'],
    ['x'.repeat(5000),                                      'x'.repeat(80)],
  ]
  for (const [given, shown] of titles) {
    test(`the title ${String(given).slice(0, 30)} becomes ${shown.slice(0, 30)}`, async () => {
      vendor.answer = giphy([giphyGif(1, { title: given })])
      assert.deepEqual(
        (await search(fresh())).gifs.map(({ title }) => title),
        [shown],
      )
    })
  }

  test('more than a page is cut', async () => {
    vendor.answer = giphy([...page(0), ...page(24)])
    assert.equal((await search(fresh())).gifs.length, 24)
  })

  test('clients hear who finds the pictures, and nobody hears the key', async () => {
    const { state } = await server.as('member').watchWith({
      client_capabilities: { extended_members: true },
    })
    assert.equal(state.server_gif_provider, 'giphy')
    assert.equal(state.giphy_api_key, '')
    assert.equal(JSON.stringify(state).includes(key), false)
  })
})

for (const name of ['tenor', 'klipy']) {
  test(`GIFs of ${name} are found with its filter, and pages by its marks`, async () => {
    const server = await startServer({
      config: { ...config, gifsUrl: `http://${name}:${key}@${host}/v2/` },
    })
    try {
      const search = (params = {}) => server.as('member').get<Found>('/gifs', params)
      const result = {
        content_description: 'a cat',
        title: '',
        media_formats: {
          mediumgif: { url: `${media}/m.gif`, dims: [400, 300], size: 1 },
          tinygif: { url: `${media}/t.gif`, dims: [220, 165], size: 1 },
        },
      }
      vendor.answer = json(200, { results: [result, { media_formats: {} }], next: 'CAgQ.x-_=' })
      const { gifs, next } = await search({ query: 'cat' })
      assert.equal(next, 'CAgQ.x-_=')
      assert.deepEqual(
        gifs.map(({ preview_url, ...gif }) => gif),
        [{ title: 'a cat', url: `${media}/m.gif`, width: 220, height: 165 }],
      )
      assert.equal(asked[0]?.url.pathname, '/v2/search')
      assert.deepEqual(lastQuery(), {
        key,
        limit: '24',
        contentfilter: 'high',
        media_filter: 'mediumgif,tinygif',
        locale: 'en',
        q: 'cat',
      })
      vendor.answer = json(200, { results: [], next: '' })
      assert.equal((await search({ query: 'cat', from: 'CAgQ.x-_=' })).next, null)
      assert.equal(lastQuery()['pos'], 'CAgQ.x-_=')
      await search()
      assert.equal(asked.at(-1)?.url.pathname, '/v2/featured')
      for (const [rating, filter] of [
        [1, 'high'],
        [3, 'medium'],
        [4, 'low'],
        [5, 'off'],
      ] as const) {
        await server.as('owner').patch('/realm', { giphy_rating: rating })
        await search()
        assert.equal(lastQuery()['contentfilter'], filter)
      }
    } finally {
      await server.close()
    }
  })
}

describe('there are no GIFs', () => {
  // biome-ignore format: a table reads best in columns
  const table: [why: string, config: object][] = [
    ['without a key',                   {}],
    ['without pictures of other sites', { ...config, externalContent: false }],
  ]
  for (const [why, configured] of table) {
    test(why, async () => {
      const server = await startServer({ config: configured })
      try {
        assert.deepEqual(
          await server.as('member').get('/gifs', { query: 'x' }),
          failure('GIFs are not configured.'),
        )
        const { state } = await server.as('member').watchWith({
          client_capabilities: { extended_members: true },
        })
        assert.equal(state.server_gif_provider, null)
        assert.equal(asked.length, 0)
      } finally {
        await server.close()
      }
    })
  }

  test('for people without an account', async () => {
    const server = await startServer({ config })
    try {
      const { code } = await server.anonymous.get('/gifs', { query: 'x' })
      assert.deepEqual([code, asked.length], ['UNAUTHORIZED', 0])
    } finally {
      await server.close()
    }
  })
})

test('what the provider is asked for is limited for each account', async () => {
  const server = await startServer({ config: { ...config, quotas: { gif_searches_per_hour: 2 } } })
  try {
    const search = (query: string) => server.as('member').get('/gifs', { query })
    const codes = [await search('a'), await search('b'), await search('c'), await search('a')]
    assert.deepEqual(
      codes.map(({ code }) => code),
      [undefined, undefined, 'RATE_LIMIT_HIT', undefined],
    )
  } finally {
    await server.close()
  }
})

test('the address of the operator names the provider', () => {
  const read = (given: string) => parseSetting(configVariables.gifsUrl, given)
  assert.equal(read('https://klipy:k@x.com/v2'), 'https://klipy:k@x.com/v2')
  for (const given of ['https://other:k@x.com', 'https://giphy@x.com', 'giphy:k']) {
    assert.throws(
      () => read(given),
      ({ message }: Error) => message.startsWith('PARLEY_GIFS must') && !message.includes(given),
    )
  }
})
