import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BrowserPage, findChromium, openChromium } from '#test/support/chromium.ts'
import { startServer } from '#test/support/server.ts'

const program = findChromium()
const skip = program === undefined && 'there is no Chromium on this machine'

describe('in a real browser, without JavaScript', { skip }, () => {
  let page: BrowserPage
  before(async () => {
    page = await openChromium(program ?? '')
  })
  after(() => page.close())

  test('a person joins by an invitation link and gets a zuliprc that works', async () => {
    const server = await startServer()
    try {
      const { invite_link } = await server
        .as('admin')
        .post<{ invite_link: string }>('/invites/multiuse', {
          stream_ids: [server.channels.public],
        })
      await page.open(invite_link)
      await page.type('#full_name', 'Ann Example')
      await page.type('#email', 'ann@example.com')
      await page.type('#password', 'short')
      await page.click('button')
      const refused = await page.html()
      assert.match(refused, /The password is too short/)
      assert.match(refused, /<input id="full_name"[^>]* value="Ann Example"/)
      await page.type('#password', 'correct horse')
      await page.click('button')
      assert.equal(await page.url(), `${server.url}/connect`)
      assert.match(await page.html(), /You are logged in as Ann Example/)
      const login = await server.anonymous.post<{ api_key: string }>('/fetch_api_key', {
        username: 'ann@example.com',
        password: 'correct horse',
      })
      const basic = Buffer.from(`ann@example.com:${login.api_key}`).toString('base64')
      const me = await fetch(`${server.url}/api/v1/users/me`, {
        headers: { authorization: `Basic ${basic}` },
      })
      assert.equal(((await me.json()) as { full_name: string }).full_name, 'Ann Example')
      await page.open(invite_link.replace(/\w{8}\/$/, '00000000/'))
      assert.match(await page.html(), /This link is not valid/)
    } finally {
      await server.close()
    }
  })

  test('the first owner sets up an organization and invites somebody, who joins', async () => {
    const server = await startServer({ fixture: false })
    try {
      await page.open(server.server.setupUrl ?? '')
      await page.type('#organization', 'Ours')
      await page.type('#full_name', 'Olga Owner')
      await page.type('#email', 'olga@example.com')
      await page.type('#password', 'correct horse')
      await page.click('button')
      assert.equal(await page.url(), `${server.url}/connect`)
      await page.click('button')
      const [, link] = /<pre>(http\S+)<\/pre>/.exec(await page.html()) ?? []
      await page.open(link ?? '')
      assert.match(await page.html(), /<h1>Join Ours<\/h1>/)
      await page.type('#full_name', 'Mo Member')
      await page.type('#email', 'mo@example.com')
      await page.type('#password', 'battery staple')
      await page.click('button')
      const connect = await page.html()
      assert.match(connect, /You are logged in as Mo Member/)
      assert.equal(connect.includes('Create an invitation link'), false)
    } finally {
      await server.close()
    }
  })
})
