import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addToMessage } from '#test/support/add-menu.ts'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes } from '#test/support/composed.ts'
import { eventually } from '#test/support/eventually.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const denmark = (topic: string) => `#narrow/channel/4-Denmark/topic/${topic}`

describe('what is said where something is missing, too much or in the way', {
  skip: noChromium,
}, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  const person = await site.logIn('member', { hash: denmark('plans') })
  const { page } = person
  await box(page).waitFor()
  const go = (hash: string) => page.evaluate((next) => location.assign(next), hash)

  test('a link to a message that is gone says so, and opens the conversation', async () => {
    await server.say('owner', 'public', 'gone', 'still here')
    const id = await server.say('owner', 'public', 'gone', 'not for long')
    await server.as('owner').del(`/messages/${id}`)
    person.expectProblems(/\/json\/messages\/\d+/)
    for (const near of [id, 99_999_999]) {
      await go(`${denmark('gone')}/near/${near}`)
      const toast = page.locator('.toast', { hasText: 'was deleted' })
      await toast.waitFor()
      await page.getByText('still here').waitFor()
      await toast.getByRole('button').click()
    }
  })

  test('the compose box counts what is left, and what is too much', async () => {
    await go(denmark('plans'))
    const most = 10_000
    for (const character of ['a', '🎉']) {
      for (const [count, note] of [
        [most * 0.9, undefined],
        [most - 800, '800 characters left'],
        [most - 1, 'one character left'],
        [most + 5, 'The message is 5 characters too long.'],
        [3, undefined],
      ] as const) {
        await box(page).fill(character.repeat(count))
        const shown = page.locator('.editor-length')
        if (note === undefined) await shown.waitFor({ state: 'detached' })
        else await page.locator('.editor-length', { hasText: note }).waitFor()
      }
    }
    await box(page).fill('')
  })

  test('quotes of several people are a card each, also of someone who has left', async () => {
    for (const sender of ['zoe', 'othello', 'zoe'] as const) {
      await server.say(sender, 'public', 'quoted', `As ${sender} said.`)
    }
    const left = await server.as('owner').del(`/users/${server.ids.zoe}`)
    assert.equal(left.result, 'success')
    await go(denmark('quoted'))
    const rows = page.locator('[data-message-id]').filter({ hasText: / said\.$/ })
    await rows.nth(2).waitFor()
    const cards = page.locator('.quote-card')
    for (const place of [2, 1, 0]) {
      await rows.nth(place).hover()
      await rows.nth(place).getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Quote and reply' }).click()
      await cards.nth(2 - place).waitFor()
    }
    const authors = ['Zoe', 'Othello, the Moor of Venice', 'Zoe']
    await eventually(() => cards.locator('strong').allTextContents(), authors)
    await page.getByRole('button', { name: /^Remove the quote of Othello/ }).click()
    await cards.nth(2).waitFor({ state: 'detached' })
    await box(page).fill('All of that.')
    await composes(
      page,
      /^(@_\*\*Zoe\|\d+\*\* \[said\]\([^)]+\):\n```quote\nAs zoe said\.\n```\n){2}All of that\.$/,
    )
    await box(page).press('Control+Enter')
    await page.locator('[data-message-id] blockquote').nth(1).waitFor()
    await eventually(() => cards.count(), 0)
  })

  test('a file whose upload broke off waits to be sent again', async () => {
    await go(denmark('files'))
    let failures = 2
    await page.route('**/json/user_uploads', async (route) => {
      if (failures-- > 0) await route.abort('connectionreset')
      else await route.continue()
    })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      addToMessage(page, 'Attach files'),
    ])
    await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('!') })
    const again = page.getByRole('button', { name: 'Try to send plan.txt again' })
    await again.click()
    await page.locator('.upload progress').waitFor({ state: 'detached' })
    await again.click()
    await composes(page, /^\[plan\.txt\]\(\/user_uploads\//)
    await page.unroute('**/json/user_uploads')
    await box(page).press('Control+Enter')
    // It has one byte.
    await page.locator('.file-card', { hasText: 'one byte' }).waitFor()
  })

  for (const who of ['nobody', '424242']) {
    test(`a search for messages of ${who} finds none, and counts them so`, async () => {
      person.expectProblems(/\/json\/messages/)
      await go(`#narrow/sender/${encodeURIComponent(who).replaceAll('%', '.')}`)
      const count = page.locator('.search-count')
      await eventually(() => count.textContent(), '0 results')
    })
  }

  for (const [where, mark] of [
    ['above', '\u0301'],
    ['below', '\u0316'],
    ['around', '\u0489'],
  ] as const) {
    test(`towers of marks ${where} letters cover no other message`, async () => {
      const topic = `towers ${where}`
      const before = await server.say('owner', 'public', topic, 'before')
      const tower = await server.say('owner', 'public', topic, `o${mark.repeat(200)} x`)
      const behind = await server.say('owner', 'public', topic, 'behind')
      await go(denmark(topic.replace(' ', '.20')))
      const body = (id: number) => page.locator(`[data-message-id="${id}"] .rendered`)
      await body(behind).waitFor()
      await page.mouse.move(0, 0)
      const others = async () =>
        await Promise.all([before, behind].map(async (id) => await body(id).screenshot()))
      const write = (text: string) =>
        page.evaluate(
          ([id, text]) => {
            const element = document.querySelector(`[data-message-id="${id}"] .rendered p`)
            if (element) element.textContent = text
          },
          [tower, text] as const,
        )
      const built = (await body(tower).locator('p').textContent()) ?? ''
      // Pictures of a page that still draws something else differ as well.
      await eventually(async () => {
        await write(built)
        const covered = await others()
        await write('o x')
        const free = await others()
        return covered.map((picture, i) => picture.equals(free[i] ?? Buffer.alloc(0)))
      }, [true, true])
    })
  }

  test('on a screen of a few lines, the box is one line until one writes', async () => {
    await go(denmark('gone'))
    await page.getByText('still here').waitFor()
    for (const size of [
      { width: 320, height: 200 },
      { width: 427, height: 267 },
      { width: 640, height: 320 },
    ]) {
      await page.setViewportSize(size)
      const compose = page.locator('.compose')
      const bar = page.locator('.editor-bar')
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await bar.waitFor({ state: 'hidden' })
      const room = await page.locator('.pane-scroller').boundingBox()
      const folded = await compose.boundingBox()
      assert.ok((room?.height ?? 0) >= 0.35 * size.height, `${room?.height} of ${size.height}`)
      await box(page).focus()
      await bar.waitFor()
      assert.ok(((await compose.boundingBox())?.height ?? 0) > (folded?.height ?? 0))
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.editor-bar').waitFor()
  })
})
