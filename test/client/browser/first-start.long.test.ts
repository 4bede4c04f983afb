import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { hold } from '#test/support/hold.ts'

describe('the first start in a browser', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  /** A page of someone who is logged in, about to open a topic in a browser that has kept nothing. */
  async function arrive(name: string) {
    const hash = `#narrow/channel/4-Denmark/topic/${name}`
    await site.server.say('othello', 'public', name, `Said in ${name}`)
    const { page } = await site.logIn('member', { hash: '#settings' })
    await page.goto('/health')
    await page.evaluate(async () => {
      localStorage.clear()
      for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name ?? '')
    })
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/json\/(register|messages)$/.test(pathname)) calls.push(pathname)
    })
    const open = () => page.goto(`/${hash}`, { waitUntil: 'commit' })
    const row = page.locator('[data-message-id]').filter({ hasText: `Said in ${name}` })
    return { page, open, calls, row }
  }

  test('registers before any file is there, and asks for the messages before the program is', async () => {
    const { page, open, calls, row } = await arrive('early')
    const letFirst = await hold(page, /\/first-\w+\.js$/)
    const letProgram = await hold(page, /\/main-\w+\.js$/)
    const registered = page.waitForRequest('**/json/register')
    await open()
    await registered
    const asked = page.waitForRequest(/\/json\/messages\?/)
    letFirst()
    await asked
    letProgram()
    await row.waitFor()
    await page.locator('.left a', { hasText: 'Denmark' }).first().waitFor()
    assert.deepEqual(calls.slice(0, 2), ['/json/register', '/json/messages'])
    assert.equal(calls.filter((call) => call === '/json/register').length, 1)
  })

  test('draws the screen with its messages, or without them where they take long', async () => {
    const { page, open, row } = await arrive('late')
    const letThrough = await hold(page, /\/json\/messages\?/)
    await open()
    const coming = page.getByRole('status').filter({ hasText: 'Loading messages' })
    await coming.waitFor()
    assert.equal(await coming.locator('i').count(), 3)
    await page.locator('.left a', { hasText: 'Denmark' }).first().waitFor()
    letThrough()
    await row.waitFor()
  })

  test('draws the frame of the screen before any script is there', async () => {
    const { page, open, row } = await arrive('framed')
    const letThrough = await hold(page, /\/(first|main)-\w+\.js$/)
    await open()
    const frame = (part: string) =>
      page.locator('#app').evaluate((app, pseudo) => {
        const { content, width, height } = getComputedStyle(app, pseudo)
        return [content, Number.parseFloat(width) > 300, Number.parseFloat(height) > 30]
      }, part)
    await page.locator('#app').waitFor({ state: 'attached' })
    for (const part of ['::before', '::after']) {
      await eventually(() => frame(part), ['""', true, true])
    }
    letThrough()
    await row.waitFor()
    assert.deepEqual((await frame('::before'))[0], 'none')
  })

  test('says that it is loading where the program takes long', async () => {
    const { page, open, row } = await arrive('slow')
    const letThrough = await hold(page, /\/json\/register$/)
    await open()
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    letThrough()
    await row.waitFor()
  })
})
