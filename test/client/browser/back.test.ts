import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'

const view = '#narrow/channel/3-Verona/topic/history'
const other = '#narrow/channel/4-Denmark'

describe('Back', { skip: noChromium }, async () => {
  if (noChromium) return
  const site: Site = await openSite()
  after(() => site.close())
  const { server } = site
  await server.say('othello', 'shared', 'history', 'Something to act on')
  const { page } = await site.logIn('member', {
    hash: '#inbox',
    context: { viewport: { width: 390, height: 844 }, hasTouch: true },
  })
  const message = page.locator('[data-message-id]').first()
  const hash = () => new URL(page.url()).hash
  const go = async (to: string) => {
    await page.evaluate((next) => location.assign(next), to)
    await page.locator('.pane-scroller').waitFor()
  }
  const back = () => page.evaluate(() => history.back())

  test('closes the drawer of channels, and leaves the view', async () => {
    await go(view)
    await page.getByRole('button', { name: 'Back to views and channels' }).tap()
    await page.locator('[data-pane="left"]').waitFor()
    await back()
    await page.locator('[data-pane="main"]').waitFor()
    assert.equal(hash(), view)
  })

  test('closes the menu of a message, which Escape and a tap beside it close as well', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('i')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await back()
    await menu.waitFor({ state: 'detached' })
    assert.equal(hash(), view)
    await page.keyboard.press('i')
    await menu.waitFor()
    await page.keyboard.press('Escape')
    // The browser hides it before the client takes it away; what is hidden has no role.
    await page.locator('[popover]').waitFor({ state: 'detached' })
  })

  test('leads to the view before where what was open is closed by now', async () => {
    await back()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    assert.equal(hash(), '#inbox')
  })

  test('closes dialogs one by one', async () => {
    await go(view)
    await page.locator('main').focus()
    await page.keyboard.press('Shift+Y')
    const status = page.getByRole('dialog', { name: 'Set your status' })
    await status.waitFor()
    await status.getByRole('button', { name: /emoji/i }).first().click()
    const picker = page.locator('.popover')
    await picker.waitFor()
    await back()
    await picker.waitFor({ state: 'detached' })
    assert.ok(await status.isVisible())
    await back()
    await status.waitFor({ state: 'detached' })
    assert.equal(hash(), view)
  })

  test('closes what lies over settings before it closes settings', async () => {
    await page.evaluate(() => location.assign('#settings/account-and-privacy'))
    const change = page.getByRole('button', { name: 'Change password' })
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.waitFor()
    await back()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(hash(), '#settings/account-and-privacy')
    await back()
    await change.waitFor({ state: 'detached' })
    assert.equal(hash(), view)
  })

  test('is not needed to close an overlay with which the page began, nor one over it', async () => {
    const settings = '#settings/preferences'
    const { page: own } = await site.logIn('othello', { hash: settings })
    const [dialog, theme] = [own.getByRole('dialog'), own.locator('[data-setting=color_scheme]')]
    await theme.waitFor()
    for (const _ of [1, 2, 3]) {
      await own.evaluate((next) => location.assign(next), '#invite')
      await dialog.filter({ hasText: 'Invite people' }).waitFor()
      await own.keyboard.press('Escape')
      await own.waitForURL((url) => url.hash === settings)
      await theme.waitFor()
    }
    await own.keyboard.press('Escape')
    await own.waitForURL((url) => !url.hash.startsWith('#settings'))
    await own.locator('main').focus()
  })

  test('does not take along what opens while an overlay is being left', async () => {
    await go(view)
    await page.evaluate(() => location.assign('#settings/preferences'))
    const theme = page.locator('[data-setting=color_scheme]')
    await theme.waitFor()
    await page.keyboard.press('Escape')
    await theme.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.waitForURL((url) => url.hash === view)
    const box = page.getByRole('combobox', { name: /^Jump to/ })
    await box.waitFor()
    await back()
    await box.waitFor({ state: 'detached' })
    assert.equal(hash(), view)
  })

  test('leads out of a place to which something open led', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: /^Jump to/ })
    await box.fill('Denmark')
    await page
      .getByRole('option', { name: /Denmark/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => location.hash.includes('Denmark'))
    await back()
    await message.waitFor()
    assert.equal(hash(), view)
  })

  test('nothing that is open survives a change of the view', async () => {
    await page.locator('main').focus()
    await page.keyboard.press('i')
    await page.getByRole('menu').waitFor()
    await go(other)
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.locator('main').focus()
    await page.keyboard.press('Shift+Y')
    await page.getByRole('dialog').waitFor()
    await go(view)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await back()
    await page.waitForFunction((to) => location.hash === to, other)
  })
})
