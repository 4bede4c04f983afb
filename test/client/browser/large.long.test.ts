import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite, type Person, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes } from '#test/support/composed.ts'
import { hold } from '#test/support/hold.ts'

const mebibyte = 1024 * 1024
const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

describe('what is large', { skip: noChromium }, () => {
  let site: Site
  let hamlet: Person
  before(async () => {
    site = await openSite()
    hamlet = await site.logIn('member', { hash: topic('files') })
  })
  after(() => site.close())

  const add = (page: Page, name: string) =>
    page.locator('.compose input[type="file"]').setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(9 * mebibyte, name),
    })

  test('a large file is sent in parts, goes on after a lost connection, and is linked where it was begun', async () => {
    const { page } = hamlet
    const parts: string[] = []
    await page.route('**/api/v1/tus/**', async (route) => {
      const request = route.request()
      if (request.method() === 'PATCH') parts.push(request.headers()['upload-offset'] ?? '')
      // The second part is lost.
      await (parts.length === 2 && request.method() === 'PATCH' ? route.abort() : route.continue())
    })
    await box(page).waitFor()
    await add(page, 'film.bin')
    await page.getByRole('list', { name: 'Uploading files' }).waitFor()
    await page.goto(`/${topic('elsewhere')}`)
    await page.getByPlaceholder(/elsewhere/).waitFor()
    await box(page).fill('Meanwhile')
    await page.goto(`/${topic('files')}`)
    const text = await composes(page, /\/user_uploads\//)
    assert.deepEqual(parts, ['0', 4 * mebibyte, 4 * mebibyte, 8 * mebibyte].map(String))
    const [, url = ''] = /\[film\.bin\]\((.+)\)/.exec(text) ?? []
    const answer = await page.request.get(url)
    assert.deepEqual(await answer.body(), Buffer.alloc(9 * mebibyte, 'film.bin'))
    await page.goto(`/${topic('elsewhere')}`)
    await page.getByPlaceholder(/elsewhere/).waitFor()
    assert.equal(await box(page).inputValue(), 'Meanwhile')
    await box(page).fill('')
    await page.unroute('**/api/v1/tus/**')
  })

  for (const [when, method] of [
    ['before the server has answered', 'POST'],
    ['while its first part is sent', 'PATCH'],
  ] as const) {
    test(`a large file that is cancelled ${when} leaves nothing in the text and nothing on the server`, async () => {
      const { page } = hamlet
      await page.goto(`/${topic(`cancelled-${method}`)}`)
      await page.getByPlaceholder(/cancelled/).waitFor()
      const release = await hold(page, '**/api/v1/tus{,/**}', { method })
      const begun = page.waitForRequest((request) => request.method() === method)
      await add(page, 'film.bin')
      await begun
      const [deleted] = await Promise.all([
        // Drafts are deleted as well.
        page.waitForResponse(
          (response) =>
            response.request().method() === 'DELETE' && response.url().includes('/api/v1/tus/'),
        ),
        page.getByRole('button', { name: 'Cancel film.bin' }).click().then(release),
      ])
      assert.equal(deleted.status(), 204)
      assert.equal(await box(page).inputValue(), '')
      await page.unroute('**/api/v1/tus{,/**}')
    })
  }

  test('a long message is folded; unfolding and folding leave its row where it is', async () => {
    const { page } = hamlet
    const { server } = site
    const lines = Array.from({ length: 60 }, (_, i) => `Line ${i}`)
    for (let i = 0; i < 10; i++) await server.say('othello', 'public', 'long', `Short ${i}`)
    const id = await server.say('othello', 'public', 'long', lines.join('\n'))
    for (let i = 0; i < 10; i++) await server.say('othello', 'public', 'long', `Short again ${i}`)
    await page.goto(`/#narrow/channel/${server.channels.public}/topic/long/near/${id}`)
    const row = page.locator(`[data-message-id="${id}"]`)
    const more = row.getByRole('button', { name: 'Show more' })
    const less = row.getByRole('button', { name: 'Show less' })
    await more.waitFor()
    const boxOf = async () => {
      // Rows are put back before the next frame is painted.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
      )
      return await row.boundingBox()
    }
    const top = async () => (await boxOf())?.y ?? Number.NaN
    const height = async () => (await boxOf())?.height ?? Number.NaN
    await more.scrollIntoViewIfNeeded()
    const before = await top()
    const folded = await height()
    await more.click()
    await less.waitFor()
    assert.ok((await height()) > 2 * folded)
    assert.equal(await top(), before)

    // Its top is above the pane by now, where folding would leave nothing of it in sight.
    await less.scrollIntoViewIfNeeded()
    await less.click()
    await more.waitFor()
    const pane = await page.locator('.pane-scroller').boundingBox()
    assert.ok((await top()) >= (pane?.y ?? 0))

    await row.focus()
    await row.click({ position: { x: 300, y: 8 } })
    const at = await top()
    await page.keyboard.press('-')
    await less.waitFor()
    assert.equal(await top(), at)
    await page.goto(`/${topic('elsewhere')}`)
    await page.getByPlaceholder(/elsewhere/).waitFor()
    await page.goBack()
    await less.waitFor()
    await page.keyboard.press('Escape')
  })
})
