import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const bar = (page: Page) => page.getByRole('navigation', { name: 'Main places' })
const upright = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const onItsSide = { ...upright, viewport: { width: 844, height: 390 } }

/** What is shown: the address, the pane, and what lies over it. */
const shownSource = `[
  location.hash,
  document.querySelector('.shell')?.dataset.pane,
  document.querySelectorAll('dialog[open]').length,
  document.querySelectorAll('[popover]').length,
  document.activeElement?.matches('.search-input'),
  document.querySelectorAll('.compose-target').length,
].join(' ')`
const shown = (page: Page): Promise<string> => page.evaluate(shownSource)

describe('the bars of a phone', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site
  await server.say('othello', ['member'], '', 'The older one')
  await server.say('zoe', ['member'], '', 'The **newer** one')
  await server.say('othello', 'public', 'bars', 'Words')
  const topic = '#narrow/channel/4-Denmark/topic/bars'
  const direct = `#narrow/dm/${server.ids.zoe}`

  test('lead to the direct conversations, the newest first, and from there to all messages', async () => {
    const { page, leave } = await site.logIn('member', { hash: '#inbox', context: upright })
    await bar(page).getByRole('link', { name: 'Direct' }).tap()
    const rows = page.getByRole('list', { name: 'Direct messages' }).getByRole('listitem')
    await rows.getByText('The newer one').waitFor()
    const texts = await rows.allInnerTexts()
    assert.equal(texts.length, 2)
    assert.match(texts[0] ?? '', /^Zoe\s+The newer one\s+\S.*\s1\b/s)
    assert.match(texts[1] ?? '', /^Othello.*The older one/s)
    await rows.getByRole('link', { name: /Zoe/ }).tap()
    await box(page).waitFor()
    await page.getByRole('button', { name: 'Back to direct messages' }).tap()
    await rows.first().waitFor()
    await page.getByRole('link', { name: 'All direct messages' }).tap()
    await page.getByRole('heading', { name: 'All direct messages' }).waitFor()
    await page.locator('[data-message-id]').getByText('The older one').waitFor()
    await page.getByRole('link', { name: 'Direct messages', exact: true }).tap()
    await page.getByRole('button', { name: 'New direct message' }).tap()
    await page.getByRole('combobox', { name: 'To' }).waitFor()
    await leave()
  })

  for (const [where, context] of [
    ['upright', upright],
    ['on its side', onItsSide],
  ] as const) {
    test(`have controls each of which Back undoes, ${where}, and no arrow at a root`, async () => {
      const { page, leave } = await site.logIn('member', { hash: '#inbox', context })
      const places = ['#inbox', '#direct', '#recent', '#feed', '#narrow/is/dm', topic, direct]
      for (const hash of [...places, '#topics/channel/4-Denmark', '#narrow/channel/4-Denmark']) {
        await page.evaluate((to) => location.assign(to), hash)
        const controls = page.locator('.head :is(a, button):visible, .bottom-bar :is(a, button)')
        await controls.first().waitFor()
        await page.waitForTimeout(300)
        const names = await controls.evaluateAll((all) =>
          all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
        )
        const isRoot = hash === '#inbox' || hash === '#direct'
        assert.equal(
          names.some((name) => name.startsWith('Back to')),
          !isRoot,
          hash,
        )
        const before = await shown(page)
        for (const [at, name] of names.entries()) {
          const control = controls.nth(at)
          // It is where one is.
          if ((await control.getAttribute('aria-current')) === 'page') continue
          await control.tap()
          await eventually(async () => [name, (await shown(page)) !== before], [name, true])
          await page.evaluate(() => history.back())
          await eventually(async () => [name, await shown(page)], [name, before])
        }
      }
      await leave()
    })
  }

  test('leave what one writes in its conversation, as a draft', async () => {
    const { page, leave } = await site.logIn('member', { hash: topic, context: upright })
    await box(page).fill('Not sent yet')
    for (const hash of ['#inbox', '#direct', '#feed', '#recent', '#narrow/is/dm']) {
      await page.evaluate((to) => location.assign(to), hash)
      await page.locator('.compose-closed').waitFor()
      assert.equal(await box(page).count(), 0, hash)
    }
    await page.evaluate((to) => location.assign(to), topic)
    await box(page).waitFor()
    assert.equal(await box(page).inputValue(), 'Not sent yet')
    await box(page).fill('')
    await leave()
  })

  test('take one line each on a phone that lies on its side, and so does the compose box', async () => {
    const { page, leave } = await site.logIn('member', { hash: topic, context: onItsSide })
    const height = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.height ?? Infinity
    await box(page).waitFor()
    assert.ok((await height('.head')) <= 42)
    assert.ok((await height('.compose')) <= 60)
    await box(page).tap()
    await page.getByRole('button', { name: 'Emoji', exact: true }).waitFor()
    // What is written can be sent.
    await box(page).fill('A word')
    await box(page).blur()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await box(page).fill('')
    await page.evaluate(() => location.assign('#inbox'))
    await bar(page).waitFor()
    assert.ok((await height('.bottom-bar')) <= 42)
    await leave()
  })

  test('have a search that begins with people and topics, before its operators', async () => {
    const { page, leave } = await site.logIn('member', { hash: '#inbox', context: upright })
    await bar(page).getByRole('button', { name: 'Search' }).tap()
    const options = page.getByRole('option')
    await options.first().waitFor()
    const labels = await options.allInnerTexts()
    assert.match(labels[0] ?? '', /^Zoe/)
    const first = (pattern: RegExp) => labels.findIndex((label) => pattern.test(label))
    assert.ok(first(/#Denmark › bars/) < first(/^channel:/), labels.join(', '))
    await options.first().tap()
    await page.locator('[data-message-id]').getByText('The newer one').waitFor()
    await leave()
  })

  test('a sheet of a message has all emoji at the end of its reactions, and only there', async () => {
    const { page, leave } = await site.logIn('member', { hash: topic, context: upright })
    await box(page).waitFor()
    await page.locator('main').focus()
    await page.keyboard.press('i')
    const sheet = page.getByRole('menu', { name: 'Message' })
    await sheet.waitFor()
    assert.equal(await sheet.getByRole('menuitem', { name: 'Add reaction' }).count(), 0)
    await sheet.getByRole('button', { name: 'Add reaction' }).tap()
    await page
      .getByRole('option', { name: /thumbs.?up|\+1/i })
      .first()
      .tap()
    await page.locator('.reaction').first().waitFor()
    await leave()
  })
})
