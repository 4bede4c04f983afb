import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { parleyVersion } from '#platform/version.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

/** What the site with releases answers. */
let answer: { status: number; body: string } = { status: 200, body: '' }
const asked: string[] = []
const site = createServer(({ url = '', headers }, response) => {
  asked.push(`${url} ${headers['user-agent']}`)
  response.writeHead(answer.status).end(answer.body)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const { port } = site.address() as AddressInfo
const releasesUrl = `http://127.0.0.1:${port}/release.json`

const config = { releasesUrl, allowedNetworks: ['127.0.0.1'], ownersOperate: true }
const page = 'https://example.org/parley/9.9.9'
const newer = { version: '9.9.9', url: page }
const list = (reply: unknown, status = 200) => {
  answer = { status, body: JSON.stringify(reply) }
}
list({ tag_name: 'v9.9.9', html_url: page, url: 'https://api.example.org/' })
const server = await startServer({ config })
await server.settled()
after(async () => {
  await server.close()
  site.close()
})

interface Told {
  newer_release?: object | null
  asks_for_releases?: boolean
}
const health = async () => (await (await fetch(`${server.url}/health`)).json()) as Told
const day = 24 * 3600 * 1000

describe('a server that is told where releases are listed', () => {
  test('asks at its start, without a word about itself, and tells of a newer one', async () => {
    assert.deepEqual(asked, ['/release.json Parley'])
    assert.deepEqual((await health()).newer_release, newer)
    const status = await server.as('owner').get<Told>('/server/status')
    assert.deepEqual([status.newer_release, status.asks_for_releases], [newer, true])
  })

  test('asks again a day later', async () => {
    list({ version: '9.10.0' })
    server.clock.advance(day / 2)
    await server.settled()
    assert.deepEqual((await health()).newer_release, newer)
    server.clock.advance(day / 2)
    await server.settled()
    assert.deepEqual((await health()).newer_release, { version: '9.10.0', url: null })
  })

  const known = { version: '9.10.0', url: null }
  // After a failure it asks again sooner.
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, unknown, number, number, object | undefined][] = [
    ['keeps what it knows while nobody answers', {},                                        500, day,     known],
    ['and while the answer names no version',    { version: 'latest' },                     200, day / 4, known],
    ['shows no link that is no web page',        { version: '9.9.9', url: 'javascript:1' }, 200, day / 4, { version: '9.9.9', url: null }],
    ['forgets it once it has that version',      { version: parleyVersion },                200, day,     undefined],
  ]
  for (const [what, reply, status, later, expected] of matrix) {
    test(what, async () => {
      list(reply, status)
      const before = asked.length
      server.clock.advance(later)
      await server.settled()
      assert.deepEqual([asked.length, (await health()).newer_release], [before + 1, expected])
    })
  }
})

test('a server that is told nothing asks nobody', async () => {
  const before = asked.length
  const other = await startServer({ config: { ownersOperate: true } })
  await other.settled()
  const status = await other.as('owner').get<Told>('/server/status')
  assert.deepEqual([status.newer_release, status.asks_for_releases], [null, false])
  await other.close()
  assert.equal(asked.length, before)
})

describe('"parley upgrade" without a file', () => {
  const env = { PARLEY_RELEASES_URL: releasesUrl, PARLEY_ALLOWED_NETWORKS: '127.0.0.1' }

  test('tells whether there is a newer version', async () => {
    list({ version: '9.9.9', url: page })
    const found = await parley(['upgrade'], '', env)
    assert.deepEqual(found, {
      code: 0,
      out: `Version 9.9.9 was released: ${page}. This is ${parleyVersion}.\n`,
      err: '',
    })
    list({ version: parleyVersion })
    assert.equal(
      (await parley(['upgrade'], '', env)).out,
      `${parleyVersion} is the newest version.\n`,
    )
  })

  test('says what to set where it knows nobody to ask', async () => {
    const { code, err } = await parley(['upgrade'])
    assert.deepEqual([code, /set PARLEY_RELEASES_URL/.test(err)], [1, true])
    const wrong = await parley(['upgrade'], '', { PARLEY_RELEASES_URL: 'ftp://example.org' })
    assert.match(wrong.err, /PARLEY_RELEASES_URL must be a web address/)
  })
})
