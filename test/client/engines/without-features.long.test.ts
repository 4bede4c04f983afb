import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  clientDrawn,
  openSite,
  type Person,
  partLoaded,
  type Site,
} from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { fingersOn } from '#test/support/fingers.ts'

/** Takes `field-sizing` from a browser, as those have it that do not know it. */
async function withoutFieldSizing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS) as (...parts: string[]) => boolean
    CSS.supports = (...parts: string[]) => parts[0] !== 'field-sizing' && supports(...parts)
  })
  await page.route(/\.css$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/field-sizing: ?content;?/g, '')
    await route.fulfill({ response, body })
  })
}

/** How much of a text box is out of sight, and its height, in pixels. */
const sizes = (box: Locator) =>
  box.evaluate((element) => ({
    hidden: Math.max(0, element.scrollHeight - element.clientHeight),
    height: (element as HTMLElement).offsetHeight,
  }))

/** What someone has done to a browser before its page runs. */
const lacks: Readonly<Record<string, () => void>> = {
  'light-dark()': () => {
    const supports = CSS.supports.bind(CSS) as (...parts: string[]) => boolean
    CSS.supports = (...parts: string[]) => !/light-dark/.test(parts.join()) && supports(...parts)
  },
  popovers: () => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
  },
  checkVisibility: () => {
    Reflect.deleteProperty(Element.prototype, 'checkVisibility')
  },
  toSpliced: () => {
    Reflect.deleteProperty(Array.prototype, 'toSpliced')
  },
}

describe('a browser that is too old', { skip: noChromium }, () => {
  let site: Site
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  for (const [name, lack] of Object.entries(lacks)) {
    test(`without ${name}, it says so, and loads nothing of the client`, async () => {
      const person = await site.logIn('member')
      const { page } = person
      // So that the client of before asks for nothing.
      await page.goto('about:blank')
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.addInitScript(lack)
      await page.goto('/')
      await page.getByRole('heading', { name: 'This browser is too old' }).waitFor()
      assert.equal(await page.locator('#app').count(), 0)
      await page.getByRole('link', { name: 'connect an app' }).click()
      await page.waitForURL(/\/connect/)
      assert.deepEqual(
        asked.filter((path) => path.startsWith('/json/')),
        [],
      )
      await person.leave()
    })
  }
})

describe('a browser without field-sizing', { skip: noChromium }, () => {
  let site: Site
  let usual: Person
  let older: Person
  const both = () => [usual, older] as const
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

  before(async () => {
    site = await openSite()
    const hash = '#narrow/channel/4-Denmark/topic/sizes'
    usual = await site.logIn('member', { hash })
    // Someone else, whose drafts are others.
    older = await site.logIn('othello')
    await withoutFieldSizing(older.page)
    await older.page.goto(`/${hash}`)
    await older.page.reload()
    await clientDrawn(older.page)
  })
  after(() => site.close())

  const texts = {
    'no text': '',
    'one line': 'one',
    'seven lines': 'a\nb\nc\nd\ne\nf\ng',
    'a line at the end that is empty': 'a\nb\n',
    'a long line that breaks': 'word '.repeat(200),
    'more than the window has room for': 'line\n'.repeat(80),
    'one line again': 'short',
  }
  for (const [name, text] of Object.entries(texts)) {
    test(`a box with ${name} is as high as in others`, async () => {
      const heights = await Promise.all(
        both().map(async ({ page }) => {
          await box(page).fill(text)
          return (await sizes(box(page))).height
        }),
      )
      assert.equal(heights[1], heights[0])
    })
  }

  test('a box follows the width of the window, and is low again once its text is sent', async () => {
    for (const { page } of both()) await box(page).fill('word '.repeat(120))
    for (const width of [600, 1000, 420]) {
      for (const { page } of both()) await page.setViewportSize({ width, height: 800 })
      const difference = async () => {
        const [usually, here] = await Promise.all(both().map(({ page }) => sizes(box(page))))
        return (here?.height ?? 0) - (usually?.height ?? 0)
      }
      await eventually(difference, 0)
    }
    for (const { page } of both()) await page.setViewportSize({ width: 1280, height: 720 })
    const before = await sizes(box(older.page))
    await box(older.page).press('Control+Enter')
    await eventually(async () => (await sizes(box(older.page))).height < before.height, true)
  })

  test('a box that a preview has covered, and one in which a message is edited, show all', async () => {
    const { page } = older
    await box(page).fill('one\ntwo\nthree')
    await box(page).press('Alt+p')
    await page.getByRole('button', { name: 'Write' }).click()
    assert.equal((await sizes(box(page))).hidden, 0)
    await box(page).press('Control+Enter')
    await page.locator('[data-message-id]').filter({ hasText: 'three' }).waitFor()
    await box(page).press('ArrowUp')
    const edit = page.getByRole('textbox', { name: 'Edit message' })
    await edit.waitFor()
    const { hidden, height } = await sizes(edit)
    assert.equal(hidden, 0)
    assert.ok(height > 60)
  })
})

describe('a browser that leaves popovers open when one taps beside them', {
  skip: noChromium,
}, () => {
  let site: Site
  before(async () => {
    site = await openSite()
  })
  after(() => site.close())

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true }
  for (const [device, context] of Object.entries({ phone, tablet })) {
    test(`closes them all the same on a ${device}, by a tap, and not by a finger that scrolls`, async () => {
      const { page, leave } = await site.logIn('member', {
        hash: '#narrow/channel/4-Denmark/topic/sizes',
        context,
      })
      await page.evaluate(() => {
        const { showPopover } = HTMLElement.prototype
        HTMLElement.prototype.showPopover = function () {
          // It has no say about what happens beside it.
          this.setAttribute('popover', 'manual')
          showPopover.call(this)
        }
      })
      await partLoaded(page, 'touch')
      const fingers = await fingersOn(page)
      const menu = page.getByRole('menu')
      const open = async () => {
        await page.getByRole('button', { name: 'Topic menu' }).tap()
        await menu.waitFor()
      }
      await open()
      await fingers.downAt(40, 500)
      await fingers.cancel()
      await menu.getByRole('menuitem').first().focus()
      assert.equal(await menu.count(), 1)
      await page.touchscreen.tap(40, 500)
      await menu.waitFor({ state: 'detached' })
      // What is tapped in it is done, and a second tap opens it again.
      await open()
      await menu.getByRole('menuitem', { name: 'Mark as resolved' }).tap()
      await menu.waitFor({ state: 'detached' })
      await leave()
    })
  }
})
