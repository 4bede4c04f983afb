import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { closeChromium, noChromium, openChromium } from '#test/support/chromium.ts'
import { startServer } from '#test/support/server.ts'

describe('in a real browser, without JavaScript', { skip: noChromium }, () => {
  let browser: Browser
  let page: Page
  before(async () => {
    browser = await openChromium()
    page = await browser.newPage({ javaScriptEnabled: false })
  })
  after(async () => {
    await page.context().close()
    await closeChromium(browser)
  })

  test('a person joins by an invitation link and gets a zuliprc that works', async () => {
    const server = await startServer()
    try {
      const { invite_link } = await server
        .as('admin')
        .post<{ invite_link: string }>('/invites/multiuse', {
          stream_ids: [server.channels.public],
        })
      await page.goto(invite_link)
      await page.fill('#full_name', 'Ann Example')
      await page.fill('#email', 'ann@example.com')
      await page.fill('#password', 'x'.repeat(101))
      await page.click('button')
      await page.getByText('The password is too long').waitFor()
      assert.equal(await page.inputValue('#full_name'), 'Ann Example')
      await page.fill('#password', 'correct horse')
      await page.click('button')
      await page.waitForURL(`${server.url}/`)
      await page.click('noscript a')
      await page.getByText('You are logged in as Ann Example').waitFor()
      const login = await server.anonymous.post<{ api_key: string }>('/fetch_api_key', {
        username: 'ann@example.com',
        password: 'correct horse',
      })
      const basic = Buffer.from(`ann@example.com:${login.api_key}`).toString('base64')
      const me = await fetch(`${server.url}/api/v1/users/me`, {
        headers: { authorization: `Basic ${basic}` },
      })
      assert.equal(((await me.json()) as { full_name: string }).full_name, 'Ann Example')
      await page.goto(invite_link.replace(/\w{8}\/$/, '00000000/'))
      assert.match(await page.content(), /This link is not valid/)
    } finally {
      await server.close()
    }
  })

  test('the first owner sets up an organization and invites someone, who joins', async () => {
    const server = await startServer({ fixture: false })
    try {
      await page.goto(server.server.setupUrl ?? '')
      await page.fill('#organization', 'Ours')
      await page.fill('#full_name', 'Olga Owner')
      await page.fill('#email', 'olga@example.com')
      await page.fill('#password', 'correct horse')
      await page.click('button')
      await page.waitForURL(`${server.url}/`)
      await page.goto(`${server.url}/connect`)
      await page.click('button')
      await page.goto((await page.textContent('pre')) ?? '')
      assert.equal(await page.textContent('h1'), 'Join Ours')
      await page.fill('#full_name', 'Mo Member')
      await page.fill('#email', 'mo@example.com')
      await page.fill('#password', 'battery staple')
      await page.click('button')
      await page.waitForURL(`${server.url}/`)
      await page.goto(`${server.url}/connect`)
      const connect = await page.content()
      assert.match(connect, /You are logged in as Mo Member/)
      assert.equal(connect.includes('Create an invitation link'), false)
    } finally {
      await server.close()
    }
  })
})
