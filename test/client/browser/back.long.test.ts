import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addToMessage } from '#test/support/add-menu.ts'
import { clientDrawn, openSite, type Site } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { upload } from '#test/support/files.ts'
import { hold } from '#test/support/hold.ts'
import { pngPicture } from '#test/support/pictures.ts'

const view = '#narrow/channel/3-Verona/topic/history'
const other = '#narrow/channel/4-Denmark'

describe('Back', { skip: noChromium }, async () => {
  if (noChromium) return
  // The search for GIFs fails, which its picker says.
  const gifsUrl = 'http://giphy:key@127.0.0.1:1/v1/gifs'
  const site: Site = await openSite({ config: { allowedNetworks: ['127.0.0.1'], gifsUrl } })
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
    await page.locator('main [data-message-id]').first().waitFor()
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

  describe('is over before a link leads on that is followed at once', () => {
    /**
     * Clicks a link in the moment in which `act` has asked the browser to go back, and returns the
     * addresses that follow.
     */
    const clickWhile = async (at: Page, act: 'closing settings' | 'skipping a menu') => {
      await at.evaluate(
        ([when, to]) => {
          const link = document.createElement('a')
          link.href = to
          document.body.append(link)
          const passed: string[] = []
          Object.assign(window, { passed })
          navigation.addEventListener('currententrychange', () => {
            if (passed.at(-1) !== location.hash) passed.push(location.hash)
          })
          if (when === 'closing settings') {
            document.querySelector<HTMLElement>('dialog [aria-label="Close"]')?.click()
            link.click()
          } else {
            // The client's own listener, before this one, goes back once more.
            addEventListener('popstate', () => link.click(), { once: true })
            history.back()
          }
        },
        [act, other] as const,
      )
      const passed = () => at.evaluate(() => (window as unknown as { passed: string[] }).passed)
      await at.waitForFunction(
        (to) => (window as unknown as { passed: string[] }).passed.includes(to),
        other,
      )
      return await passed()
    }
    const closeMenu = async (at: Page) => {
      await at.locator('main').focus()
      await at.keyboard.press('i')
      await at.getByRole('menu').waitFor()
      await at.keyboard.press('Escape')
      await at.locator('[popover]').waitFor({ state: 'detached' })
    }

    test('while settings are being left', async () => {
      await go(view)
      await page.evaluate(() => location.assign('#settings/preferences'))
      await page.locator('[data-setting=color_scheme]').waitFor()
      assert.deepEqual(await clickWhile(page, 'closing settings'), [view, other])
    })

    test('while the entry of a menu is skipped that is closed', async () => {
      await go(view)
      await closeMenu(page)
      assert.deepEqual(await clickWhile(page, 'skipping a menu'), [view, other])
      await back()
      await page.waitForFunction((to) => location.hash === to, view)
    })

    test('even if there is nothing to go back to', async () => {
      const opened = page.context().waitForEvent('page')
      await page.evaluate((to) => void window.open(`/${to}`), view)
      const first = await opened
      // The picture of the last page, which covers it until then, has another `main`.
      await clientDrawn(first)
      await first.locator('[data-message-id]').first().waitFor()
      assert.equal(await first.evaluate(() => history.length), 1)
      await closeMenu(first)
      assert.deepEqual(await clickWhile(first, 'skipping a menu'), [view, other])
      await first.close()
    })
  })

  test('leads out of a place to which something open led', async () => {
    await go(view)
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

  describe('closes each of the things that open, and leaves the view', async () => {
    const name = 'surfaces'
    const place = `#narrow/channel/3-Verona/topic/${name}`
    const url = await upload(server, 'othello', 'castle.png', new Uint8Array(pngPicture()))
    const id = await server.say('othello', 'shared', name, `[castle.png](${url})`)
    assert.equal((await server.as('othello').post(`/messages/${id}/pin`)).status, 200)
    const wide = await site.logIn('admin', { hash: place })
    const narrow = await site.logIn('admin', {
      hash: place,
      context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
    // The GIFs that cannot be searched for.
    narrow.expectProblems(/400 \(Bad Request\)/)
    const button = (at: Page, label: string | RegExp) =>
      at.getByRole('button', { name: label, exact: true }).first()

    const surfaces: readonly (readonly [
      what: string,
      at: Page,
      open: (at: Page) => Promise<unknown>,
      opened: (at: Page) => Locator,
    ])[] = [
      ...([wide.page, narrow.page] as const).flatMap((at) => {
        const where = at === wide.page ? 'beside panes' : 'on a phone'
        const dialog = (title: string) => () => at.getByRole('dialog', { name: title })
        return [
          [
            `the card of a person ${where}`,
            at,
            () => at.locator('.message-sender').first().click(),
            () => at.locator('.popover'),
          ],
          [
            `a picture ${where}`,
            at,
            () => at.locator('[data-message-id] img[data-original-dimensions]').first().click(),
            () => at.locator('.lightbox[open]'),
          ],
          [
            `the menu of a topic ${where}`,
            at,
            () => button(at, 'Topic menu').click(),
            () => at.locator('.popover'),
          ],
          [
            `emoji to write ${where}`,
            at,
            () => button(at, 'Emoji').click(),
            () => at.locator('.popover'),
          ],
          [
            `the pause of notifications ${where}`,
            at,
            async () => {
              await at.locator('main').focus()
              await at.keyboard.press('g')
              await at.getByRole('menuitem', { name: 'Pause notifications' }).click()
            },
            dialog('Pause notifications'),
          ],
          [
            `a dialog of a message ${where}`,
            at,
            async () => {
              await at.locator('main').focus()
              await at.keyboard.press('Shift+V')
            },
            () => at.locator('dialog[open]'),
          ],
        ] as const
      }),
      [
        'GIFs on a phone',
        narrow.page,
        async () => {
          await addToMessage(narrow.page, 'GIFs')
        },
        () => narrow.page.getByRole('dialog', { name: /GIF/ }),
      ],
      [
        'what is pinned beside panes',
        wide.page,
        () => wide.page.locator('.pins-chip').click(),
        () => wide.page.getByRole('dialog', { name: 'Pinned messages' }),
      ],
      [
        'people and the details of the channel on a phone',
        narrow.page,
        () => narrow.page.locator('.head').getByRole('button', { name: 'People' }).tap(),
        () => narrow.page.locator('[data-pane="right"]'),
      ],
    ]
    for (const [what, at, open, opened] of surfaces) {
      test(what, async () => {
        await at.evaluate((next) => location.assign(next), place)
        await at.locator('.compose .editor-text').waitFor()
        await open(at)
        await opened(at).first().waitFor()
        await at.evaluate(() => history.back())
        await opened(at).first().waitFor({ state: 'detached' })
        assert.equal(new URL(at.url()).hash, place)
        assert.equal(await at.locator('dialog[open], .popover').count(), 0)
      })
    }
  })

  describe('what is asked for while its code is still being loaded', () => {
    /** Holds the code of a part back. Returns a function that lets it come, and waits for it. */
    const holdPart = async (at: Page, name: string) => {
      const letThrough = await hold(at, new RegExp(`/${name}-`))
      return async () => {
        const loaded = at.waitForEvent('requestfinished', (each) => each.url().includes(name))
        letThrough()
        await loaded
      }
    }
    const search = '#narrow/search/something'
    const dates = (at: Page) => at.getByRole('button', { name: 'Date', exact: true })
    const box = (at: Page) => at.getByRole('combobox', { name: 'Search', exact: true })

    test('is over by Escape, and keys in between are not for the page below', async () => {
      const { page: own } = await site.logIn('othello', { hash: search })
      await dates(own).waitFor()
      const letPartCome = await holdPart(own, 'date-menu')
      await dates(own).click()
      await own.keyboard.press('Shift+I')
      await own.keyboard.press('Escape')
      assert.equal(new URL(own.url()).hash, search)
      await own.keyboard.press('/')
      await own.keyboard.type('today')
      assert.equal(await box(own).inputValue(), 'something today')
      await letPartCome()
      await own.keyboard.press('Escape')
      await dates(own).click()
      await own.getByRole('menu', { name: 'Date' }).waitFor()
      assert.equal(await own.getByRole('menu').count(), 1)
      await own.close()
    })

    test('is over by Back, by a press elsewhere and by a change of the view', async () => {
      const { page: own } = await site.logIn('othello', { hash: search })
      await dates(own).waitFor()
      const letPartCome = await holdPart(own, 'date-menu')
      await dates(own).click()
      await own.evaluate(() => history.back())
      await own.waitForFunction(() => (history.state as { level?: number } | null)?.level !== 1)
      assert.equal(new URL(own.url()).hash, search)
      await dates(own).click()
      await box(own).click()
      await dates(own).click()
      await own.evaluate((to) => location.assign(to), view)
      await own.locator('.pane-scroller').waitFor()
      await letPartCome()
      await own.evaluate((to) => location.assign(to), search)
      await dates(own).click()
      await own.getByRole('menu', { name: 'Date' }).waitFor()
      assert.equal(await own.getByRole('menu').count(), 1)
      await own.close()
    })

    test('opens even if an overlay is being left at that time', async () => {
      const { page: own } = await site.logIn('othello', { hash: view })
      await own.locator('.pane-scroller').waitFor()
      await own.evaluate(() => location.assign('#settings/preferences'))
      await own.locator('[data-setting=color_scheme]').waitFor()
      const letPartCome = await holdPart(own, 'status-dialog')
      const address = await own.evaluate(async () => {
        document.querySelector<HTMLElement>('dialog [aria-label="Close"]')?.click()
        // Until it is drawn no more, but before the browser goes back.
        for (let i = 0; i < 10_000 && document.querySelector('dialog'); i++) await undefined
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Y', shiftKey: true, bubbles: true }),
        )
        return location.hash
      })
      assert.equal(address, '#settings/preferences')
      await own.waitForFunction((to) => location.hash === to, view)
      await letPartCome()
      await own.getByRole('dialog', { name: 'Set your status' }).waitFor()
      await own.evaluate(() => history.back())
      await own.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(new URL(own.url()).hash, view)
      await own.close()
    })
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
