import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientDrawn, openSite, partLoaded, workerReady } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { composes } from '#test/support/composed.ts'
import { fingersOn } from '#test/support/fingers.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('on a phone', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const { server } = site

  test('a row that is pulled back follows the finger, and is answered with a quote', async () => {
    const id = await server.say('othello', 'public', 'pull', 'Pull me')
    const { page, leave } = await site.logIn('member', {
      hash: topic('pull'),
      context: { ...phone, reducedMotion: 'no-preference' },
    })
    const row = page.locator(`[data-message-id="${id}"]`)
    await row.waitFor()
    await box(page).waitFor()
    await partLoaded(page, 'fingers')
    const fingers = await fingersOn(page)
    const shift = () => row.evaluate((element) => getComputedStyle(element).translate)

    await page.evaluate(() => {
      const kept: boolean[] = []
      Object.assign(globalThis, { kept })
      document.addEventListener('touchmove', (event) => kept.push(event.defaultPrevented))
    })
    const areKept = () =>
      page.evaluate(() => Reflect.get(globalThis, 'kept').splice(0) as boolean[])

    await fingers.down(row)
    await fingers.move(-40, 2)
    assert.equal(await shift(), '-28px')
    await fingers.up()
    assert.deepEqual(await areKept(), [true], 'or else the browser takes a fast one for a fling')
    await page.waitForFunction(
      (each) => getComputedStyle(each as Element).translate === 'none',
      await row.elementHandle(),
    )
    assert.equal(await box(page).inputValue(), '', 'too short')

    // What goes down scrolls, and the browser's own gesture begins at the edge.
    await fingers.down(row)
    await fingers.move(-20, 60)
    await fingers.move(-90, 70)
    assert.equal(await shift(), 'none')
    await fingers.up()
    assert.ok((await areKept()).every((isKept) => !isKept))
    await fingers.downAt(385, (await row.boundingBox())?.y ?? 0)
    await fingers.move(-90, 0)
    await fingers.up()
    assert.equal(await box(page).inputValue(), '')

    await fingers.down(row)
    await fingers.move(-40, 0)
    await fingers.move(-90, 4)
    await page.locator('.pull-mark[data-acts]').waitFor()
    await fingers.up()
    await composes(page, /quote\nPull me/)
    await page.getByRole('list', { name: 'Quotes' }).getByText('Pull me').waitFor()
    assert.ok(await box(page).evaluate((area) => area === document.activeElement))
    assert.equal(await page.locator('.pull-mark').count(), 0)
    // Nor has it gone to the people, as the same movement elsewhere does.
    assert.equal(await page.locator('#app .shell').getAttribute('data-pane'), 'main')
    await leave()
  })

  test('nothing moves where motion is to be reduced, and the answer comes all the same', async () => {
    const id = await server.say('othello', 'public', 'still', 'Leave me where I am')
    const { page, leave } = await site.logIn('member', { hash: topic('still'), context: phone })
    const row = page.locator(`[data-message-id="${id}"]`)
    await row.waitFor()
    await box(page).waitFor()
    const fingers = await fingersOn(page)
    await fingers.down(row)
    await fingers.move(-40, 0)
    await fingers.move(-90, 0)
    await page.locator('.pull-mark[data-acts]').waitFor()
    assert.equal(await row.evaluate((element) => getComputedStyle(element).translate), 'none')
    await fingers.up()
    await composes(page, /Leave me/)
    await leave()
  })

  test('text of a message can be copied, and selected until the selection is given up', async () => {
    const id = await server.say('othello', 'public', 'words', 'Words, **words**, words')
    const { page, leave } = await site.logIn('member', { hash: topic('words'), context: phone })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.locator(`[data-message-id="${id}"]`)
    await row.waitFor()
    // Until it is there, the page is still being laid out, and nothing follows fingers.
    await box(page).waitFor()
    const fingers = await fingersOn(page)
    const openMenu = async (end: 'up' | 'cancel') => {
      // Not on the name, which is a button.
      await fingers.hold(row.locator('.rendered'))
      await fingers[end]()
      await page.getByRole('menu', { name: 'Message' }).waitFor()
    }
    await openMenu('up')
    const sheet = await page.getByRole('menu', { name: 'Message' }).boundingBox()
    assert.ok(sheet && Math.round(sheet.y + sheet.height) === 844, 'it comes to the thumb')
    const first = page.getByRole('menu', { name: 'Message' }).getByRole('button').first()
    assert.match((await first.getAttribute('aria-label')) ?? '', /^React with/)
    await page.getByRole('menuitem', { name: 'Copy text' }).tap()
    await page.getByText('Text copied.').waitFor()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    assert.equal(await copied(), 'Words, words, words')
    // It lies over the newest message for a moment.
    await page.getByRole('button', { name: 'Dismiss' }).tap()

    // As where the browser takes the touch once it is held.
    await openMenu('cancel')
    await page.getByRole('menuitem', { name: 'Select text' }).tap()
    const selected = () => page.evaluate(() => String(getSelection()).trim())
    assert.equal(await selected(), 'Words, words, words')
    const mode = () =>
      row.locator('.rendered').evaluate((element) => getComputedStyle(element).userSelect)
    assert.equal(await mode(), 'text')
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await page.locator('[data-selecting]').waitFor({ state: 'detached' })
    assert.equal(await mode(), 'none')
    await leave()
  })

  for (const width of [320, 390]) {
    test(`of ${width} pixels, the button to send stays in sight, and nothing scrolls sideways`, async () => {
      await server.say('othello', 'public', 'narrow', 'A word')
      const { page, leave } = await site.logIn('member', {
        hash: topic('narrow'),
        context: { ...phone, viewport: { width, height: 640 } },
      })
      const beyond = () =>
        page.evaluate(() => {
          const parts = [document.documentElement, ...document.querySelectorAll('.main, .pane')]
          return Math.max(...parts.map(({ scrollWidth }) => scrollWidth - innerWidth))
        })
      await box(page).click()
      await box(page).fill('An answer')
      const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()
      assert.ok(send && send.x >= 0 && send.x + send.width <= width, JSON.stringify(send))
      assert.ok((await beyond()) <= 0)
      await box(page).fill('')
      for (const hash of ['#inbox', '#recent', '#narrow/search/word', '#settings/notifications']) {
        await page.evaluate((to) => location.assign(to), hash)
        await page.waitForTimeout(300)
        assert.ok((await beyond()) <= 0, hash)
      }
      await leave()
    })
  }

  test('the head has what it is about in a second line, and the first for the name', async () => {
    const name = 'a topic that needs the width'
    await server.say('othello', 'public', name, 'A word')
    const { page, leave } = await site.logIn('member', {
      hash: topic(encodeURIComponent(name).replaceAll('%', '.')),
      context: phone,
    })
    const head = page.locator('.head')
    const title = head.getByRole('heading', { name })
    await title.waitFor()
    const boxes = await Promise.all(
      [title, head.getByRole('link', { name: 'Denmark' })].map((part) => part.boundingBox()),
    )
    const [first, second] = boxes
    assert.ok(first && second && second.y >= first.y + first.height - 2)
    assert.equal(await title.evaluate((each) => each.scrollWidth - each.clientWidth), 0)
    assert.ok(((await head.boundingBox())?.height ?? 99) <= 49)
    await server.as('othello').post('/users/me/presence', { status: 'active' })
    await page.evaluate((to) => location.assign(to), `#narrow/dm/${server.ids.othello}`)
    await head.getByText(/^ ?Active/).waitFor()
    const dot = await head.getByRole('img', { name: 'Active' }).boundingBox()
    assert.equal(dot?.width, 8)
    assert.ok(((await head.boundingBox())?.height ?? 99) <= 49)
    await leave()
  })

  test('on a page that is enlarged twice, the button to send stays in sight', async () => {
    await server.say('othello', 'public', 'enlarged', 'A word')
    const { page, leave } = await site.logIn('member', {
      hash: topic('enlarged'),
      context: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
    })
    await box(page).fill('An answer')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    const place = await send.boundingBox()
    assert.ok(place && place.x + place.width <= 720, JSON.stringify(place))
    await send.click()
    await page.locator('main').getByText('An answer').first().waitFor()
    await leave()
  })

  test('that lies on its side, one pane takes all of the width', async () => {
    const context = { ...phone, viewport: { width: 844, height: 390 } }
    const { page, leave } = await site.logIn('member', { hash: topic('words'), context })
    await box(page).waitFor()
    assert.equal((await page.getByRole('main').boundingBox())?.width, 844)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 844)
    const area = await box(page).boundingBox()
    assert.ok(area && area.y + area.height <= 390)
    await page.getByRole('button', { name: 'Back to views and channels' }).tap()
    await page.getByRole('navigation', { name: 'Main places' }).waitFor()
    await leave()
  })

  test('a row of the inbox has the width for its text: pulled, it is read; held, it opens its menu', async () => {
    await server.say('othello', 'public', 'first of two', 'Pull this one')
    await server.say('othello', 'public', 'second of two', `Hold this one, ${'long '.repeat(30)}`)
    const { page, leave } = await site.logIn('member', {
      hash: '#inbox',
      context: { ...phone, reducedMotion: 'no-preference' },
    })
    const row = (name: string) => page.locator('.inbox-row', { hasText: name })
    const first = row('first of two')
    const second = row('second of two')
    await second.getByText('Hold this one').waitFor()
    await page.waitForLoadState('load')
    const box = await second.boundingBox()
    assert.ok(box && box.height >= 48 && box.height < 60)
    const text = await second.locator('.snippet').boundingBox()
    assert.ok(text && text.width > 240, `${text?.width}`)
    // For a screen reader only.
    const button = second.getByRole('button', { name: 'Mark second of two as read' })
    assert.equal(await button.evaluate((element) => getComputedStyle(element).width), '1px')

    const fingers = await fingersOn(page)
    const url = page.url()
    await fingers.down(first)
    await fingers.move(-40, 2)
    await fingers.move(-90, 2)
    await page.locator('.pull-mark[data-acts]').waitFor()
    await fingers.up()
    await first.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).tap()
    await first.waitFor()
    assert.equal(page.url(), url)

    await fingers.hold(second)
    await fingers.up()
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Mark all as read' }).tap()
    await second.waitFor({ state: 'detached' })
    assert.equal(page.url(), url)
    await leave()
  })

  describe('a keyboard that lies over the page', () => {
    /** What the browser says of the part in sight. */
    interface Seen {
      readonly height: number
      readonly offsetTop?: number
      readonly scale?: number
    }
    const show = (page: Page, seen: Seen) =>
      page.evaluate(({ height, offsetTop = 0, scale = 1 }) => {
        Object.assign(visualViewport as object, { height, offsetTop, pageTop: offsetTop, scale })
        visualViewport?.dispatchEvent(new Event('resize'))
      }, seen)
    /** Opens a page anew, and waits until it follows what is in sight. */
    async function openAgain(page: Page, hash: string): Promise<void> {
      await page.addInitScript(() => {
        const seen = visualViewport as VisualViewport
        const add = seen.addEventListener
        seen.addEventListener = (...args: Parameters<typeof add>) => {
          Object.assign(globalThis, { isFollowed: true })
          add.apply(seen, args)
        }
      })
      await page.goto(`/?again${hash}`)
      await box(page).waitFor()
      await page.waitForFunction(() => Reflect.get(globalThis, 'isFollowed'))
    }
    const bottomOf = async (page: Page, selector: string) => {
      const found = await page.locator(selector).last().boundingBox()
      return found && Math.round(found.y + found.height)
    }

    test('leaves the compose box, the last message, sheets and dialogs in sight', async () => {
      for (let i = 0; i < 20; i++) await server.say('othello', 'public', 'keys', `Line ${i}`)
      const { page, leave } = await site.logIn('member', { hash: '#inbox', context: phone })
      await page.addInitScript(() => {
        const seen = { width: 390, height: 844, offsetTop: 0, pageTop: 0, scale: 1 }
        const value = Object.assign(new EventTarget(), seen)
        Object.defineProperty(globalThis, 'visualViewport', { value })
      })
      await openAgain(page, topic('keys'))
      await page.getByText('Line 19').waitFor()
      await box(page).click()
      await show(page, { height: 508 })
      assert.equal(await bottomOf(page, '.compose'), 508)
      const above = async () => {
        const compose = await page.locator('.compose').boundingBox()
        const last = await page.locator('[data-message-id]').last().boundingBox()
        return last && compose && last.y + last.height <= compose.y + 1
      }
      await page.waitForFunction(() => {
        const compose = document.querySelector('.compose')?.getBoundingClientRect()
        const last = [...document.querySelectorAll('[data-message-id]')].at(-1)
        return compose && last && last.getBoundingClientRect().bottom <= compose.top + 1
      })

      // The browser moves what is in sight to the caret.
      await show(page, { height: 508, offsetTop: 200 })
      assert.equal(await bottomOf(page, '.compose'), 708)
      assert.equal((await page.locator('#app .shell').boundingBox())?.y, 200)
      assert.ok(await above())

      await page.getByRole('button', { name: 'Topic menu' }).click()
      assert.equal(await bottomOf(page, '.menu'), 708)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      const dialog = await page.getByRole('dialog').boundingBox()
      assert.ok(dialog && dialog.y >= 200 && dialog.y + dialog.height <= 708)
      await page.keyboard.press('Escape')

      await show(page, { height: 844 })
      assert.equal(await bottomOf(page, '.compose, .bottom-bar'), 844)
      await leave()
    })

    test('is not mistaken for a page that was enlarged, or whose layout shrank', async () => {
      const { page, leave } = await site.logIn('member', { hash: '#inbox', context: phone })
      await openAgain(page, topic('keys'))
      const lengths = () => page.evaluate(() => document.documentElement.style.cssText)
      await page.setViewportSize({ width: 390, height: 508 })
      await page.waitForFunction(
        () => document.querySelector('.shell')?.getBoundingClientRect().bottom === 508,
      )
      assert.doesNotMatch(await lengths(), /seen|keyboard/)
      await page.evaluate(() => {
        const seen = { height: 254, offsetTop: 30, pageTop: 30, scale: 2 }
        for (const [name, value] of Object.entries(seen)) {
          Object.defineProperty(visualViewport, name, { value, configurable: true })
        }
        visualViewport?.dispatchEvent(new Event('resize'))
      })
      assert.doesNotMatch(await lengths(), /seen|keyboard/)
      await leave()
    })
  })

  /** Shares as another app does, by a page that sends the form of the manifest. */
  async function share(page: Page): Promise<void> {
    await page.goto('/health')
    await page.evaluate(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: '/share', enctype: 'multipart/form-data' })
      const add = (name: string, value: string) => {
        const input = document.createElement('input')
        Object.assign(input, { name, value })
        form.append(input)
      }
      add('title', 'A page')
      add('text', 'Read this: https://example.com/')
      add('url', 'https://example.com/')
      const files = document.createElement('input')
      Object.assign(files, { type: 'file', name: 'files' })
      const data = new DataTransfer()
      data.items.add(new File(['From another app'], 'note.txt', { type: 'text/plain' }))
      files.files = data.files
      form.append(files)
      document.body.append(form)
      form.submit()
    })
  }

  test('what another app shares waits until its place is chosen, also where one logs in first', async () => {
    await server.say('othello', 'public', 'shared things', 'Send them here.')
    const { page, leave } = await site.logIn('othello', {
      hash: '#inbox',
      context: { ...phone, serviceWorkers: 'allow' },
    })
    await workerReady(page)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.context().clearCookies()
    await share(page)
    await page.waitForURL(/\/login\//)
    await page.getByRole('button', { name: 'Othello, the Moor of Venice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share' })
    await dialog.getByText('Read this: https://example.com/', { exact: true }).waitFor()
    await dialog.getByText('note.txt').waitFor()
    // Not chosen yet: it waits for the next start as well.
    await page.reload()
    await dialog.getByRole('combobox').fill('shared things')
    await dialog
      .getByRole('option', { name: /shared things/ })
      .first()
      .tap()
    await page.waitForURL(/topic\/shared/)
    await composes(page, /^Read this: https:\/\/example\.com\/\n+\[note\.txt\]\(\/user_uploads\//)
    await page.waitForFunction(async () => !(await caches.has('shared')))
    await leave()
  })

  test('what the service worker could not take is said', async () => {
    const { page, leave } = await site.logIn('member', { hash: '#inbox', context: phone })
    await share(page)
    await page
      .getByText('What you shared could not be taken over. Please share it again.')
      .waitFor()
    assert.match(page.url(), /#inbox$/)
    await leave()
  })

  test('the app is offered once, and in the settings', async () => {
    const { page, leave } = await site.logIn('member', { hash: '#inbox', context: phone })
    const offer = () =>
      page.evaluate(() => {
        const event = new Event('beforeinstallprompt', { cancelable: true })
        let isAsked = false
        Object.assign(event, {
          prompt: async () => {
            isAsked = true
            Object.assign(globalThis, { isAsked })
          },
        })
        dispatchEvent(event)
        return event.defaultPrevented
      })
    assert.equal(await offer(), true)
    const card = page.getByRole('region', { name: 'Install the app' })
    await card.getByRole('button', { name: 'Not now' }).tap()
    await card.waitFor({ state: 'detached' })
    await page.reload()
    await clientDrawn(page)
    await offer()
    await page.evaluate(() => location.assign('#settings/preferences'))
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('button', { name: 'Install', exact: true }).tap()
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'isAsked')), true)
    await settings
      .getByRole('button', { name: 'Install', exact: true })
      .waitFor({ state: 'detached' })
    assert.equal(await card.count(), 0)
    await leave()
  })

  test('a search shows how many results it has, and its filters', async () => {
    await server.say('othello', 'public', 'thimbles', 'A thimble.')
    await server.say('owner', 'public', 'thimbles', 'Another thimble.')
    const { page, leave } = await site.logIn('member', {
      hash: '#narrow/search/thimble/sender/12',
      context: phone,
    })
    await page.getByText('one result').waitFor()
    await page.getByRole('button', { name: /^Remove sender:/ }).click()
    await page.getByText('2 results').waitFor()
    await page.getByRole('button', { name: 'Date', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Yesterday' }).click()
    await page.getByText('0 results').waitFor()
    assert.match(new URL(page.url()).hash, /^#narrow\/search\/thimble\/after\/\d+\/before\/\d+$/)
    await leave()
  })
})
