import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientDrawn, openSite, partLoaded } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import type { Actor } from '#test/support/server.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const rowWith = (page: Page, text: string) =>
  page.locator('[data-message-id]').filter({ hasText: text })
const topic = (name: string) => `#narrow/channel/4-Denmark/topic/${name}`

/** What the page told its user by the system, in the order in which it did. */
interface Told {
  permission: string
  readonly titles: string[]
  tones: number
}

declare global {
  var told: Told
}

/** Takes the place of what headless browsers do not show. Runs before the page's own scripts. */
function recordNotices(): void {
  globalThis.told = { permission: 'default', titles: [], tones: 0 }
  class Recorded extends EventTarget {
    static get permission() {
      return told.permission
    }
    static async requestPermission() {
      told.permission = 'granted'
      return told.permission
    }
    constructor(title: string) {
      super()
      told.titles.push(title)
    }
    close() {}
  }
  Object.assign(globalThis, { Notification: Recorded })
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...when) {
    told.tones += 1
    start.apply(this, when)
  }
}

describe('going away and coming back', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())

  const logIn = (actor: Actor, hash: string) => site.logIn(actor, { hash })

  test('a topic that moves takes along who reads and writes in it', async () => {
    const id = await site.server.say('othello', 'public', 'before', 'Where will this go?')
    const { page } = await logIn('member', topic('before'))
    await box(page).fill('Half an ans')
    const moved = { topic: 'after', propagate_mode: 'change_all' }
    await site.server.as('owner').patch(`/messages/${id}`, moved)
    await page.waitForURL(/topic\/after$/)
    await rowWith(page, 'Where will this go?').waitFor()
    await box(page).pressSequentially('wer')
    assert.equal(await box(page).inputValue(), 'Half an answer')
    await box(page).press('Control+Enter')
    await rowWith(page, 'Half an answer').waitFor()
    // A link to the topic names a message of it, which is where the topic is.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Topic menu' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(link, /#narrow\/channel\/4-Denmark\/topic\/after\/with\/\d+$/)
    // What is begun anew under the old name is a topic of its own.
    await site.server.say('othello', 'public', 'before', 'Another question.')
    await page.evaluate((hash) => {
      location.hash = hash
    }, topic('before'))
    await rowWith(page, 'Another question.').waitFor()
    assert.equal(new URL(page.url()).hash, topic('before'))
    // A link to a message leads to where the message is now.
    await page.evaluate(
      (hash) => {
        location.hash = hash
      },
      `${topic('before')}/near/${id}`,
    )
    await page.waitForURL(new RegExp(`topic/after/near/${id}$`))
    await rowWith(page, 'Half an answer').waitFor()
    await page.context().close()
  })

  /** The paths below `/json/events` that a page asks for from now on. */
  function followCalls(page: Page): string[] {
    const calls: string[] = []
    page.on('request', (request) => {
      const path = /\/json\/events(.*)/.exec(new URL(request.url()).pathname)?.[1]
      if (path !== undefined) calls.push(path)
    })
    return calls
  }

  test('events come by one stream, and by polls where a proxy lets no stream through', async () => {
    const { page } = await logIn('member', topic('streams'))
    const calls = followCalls(page)
    await page.reload()
    await page.waitForResponse(/\/json\/events\/stream/)
    await clientDrawn(page)
    calls.length = 0
    for (const text of ['One.', 'Two.', 'Three.']) {
      await site.server.say('othello', 'public', 'streams', text)
      await rowWith(page, text).waitFor()
    }
    assert.deepEqual(calls, [])
    await page.route(/\/json\/events\/stream/, (route) => route.abort())
    await page.reload()
    await page.waitForRequest(/\/json\/events\/stream/)
    await clientDrawn(page)
    for (const text of ['Four.', 'Five.', 'Six.', 'Seven.']) {
      await site.server.say('othello', 'public', 'streams', text)
      await rowWith(page, text).waitFor()
    }
    assert.ok(calls.filter((path) => path === '').length >= 4, calls.join())
    assert.equal(calls.filter((path) => path === '/stream').length, 3)
    await page.context().close()
  })

  test('a queue that expired in a long sleep is registered anew, in the middle of a sentence', async () => {
    await site.server.say('othello', 'public', 'sleep', 'Good night.')
    const hamlet = await logIn('member', topic('sleep'))
    const { page } = hamlet
    hamlet.expectProblems(/400 \(Bad Request\)/)
    const polled = page.waitForRequest(/\/json\/events\?/)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const queue_id = new URL((await polled).url()).searchParams.get('queue_id') ?? ''
    await box(page).fill('To sleep, perch')
    await page.context().setOffline(true)
    await site.server.as('member').del('/events', { queue_id })
    await site.server.say('othello', 'public', 'sleep', 'Good morning.')
    await page.context().setOffline(false)
    await rowWith(page, 'Good morning.').waitFor()
    assert.equal(await box(page).inputValue(), 'To sleep, perch')
    assert.ok(await box(page).evaluate((element) => element === document.activeElement))
    await page.keyboard.type('ance to dream')
    await page.keyboard.press('Control+Enter')
    await rowWith(page, 'To sleep, perchance to dream').waitFor()
    assert.equal(await rowWith(page, 'Good night.').count(), 1)
    await page.context().close()
  })

  test('a view that was opened without a network is there once it is back', async () => {
    await site.server.say('othello', 'public', 'unseen', 'You have not seen this.')
    const { page } = await logIn('member', topic('sleep'))
    await rowWith(page, 'Good morning.').waitFor()
    await page.context().setOffline(true)
    await page.evaluate((hash) => location.assign(hash), topic('unseen'))
    await page.getByText('The messages could not be loaded.').waitFor()
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await rowWith(page, 'You have not seen this.').waitFor()
    await page.context().close()
  })

  test('notices ask for permission on a click, and come as the settings want them', async () => {
    const { server } = site
    const hamlet = await site.visit('/login/')
    const { page } = hamlet
    // What TypeScript was compiled with wraps named functions into this.
    await page.addInitScript('globalThis.__name = (named) => named')
    await page.addInitScript(recordNotices)
    await page.goto('/login/#inbox')
    await page.getByRole('button', { name: 'King Hamlet', exact: true }).click()
    const card = page.getByRole('region', { name: 'Desktop notifications' })
    await page.getByRole('navigation', { name: 'Views and channels' }).waitFor()
    await partLoaded(page, 'rest')
    assert.equal(await card.count(), 0, 'no message for this person has come')
    await server.say('othello', ['member'], '', 'A message for you')
    await card.waitFor()
    assert.equal(await page.evaluate(() => told.permission), 'default')
    await card.getByRole('button', { name: 'Turn on' }).click()
    await card.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => told.permission), 'granted')
    // The pages may still be agreeing on who tells of that message.
    await page.waitForTimeout(1000)

    const heard = () => page.evaluate(() => [...told.titles, `${told.tones} tones`])
    /** A direct message, and its notification once the pages have agreed on who tells. */
    async function tell(content: string): Promise<string[]> {
      const before = await page.evaluate(() => {
        told.titles.length = 0
        told.tones = 0
        return document.title
      })
      await server.say('othello', ['member'], '', content)
      await page.waitForFunction((title) => document.title !== title, before)
      await page.waitForTimeout(1000)
      return await heard()
    }
    const name = 'Othello, the Moor of Venice'
    assert.deepEqual(await tell('First'), [name, '2 tones'])
    await server.as('member').patch('/settings', { enable_sounds: false })
    assert.deepEqual(await tell('Second'), [name, '0 tones'])
    await server.as('member').patch('/settings', { enable_desktop_notifications: false })
    assert.deepEqual(await tell('Third'), ['0 tones'])
    await page.context().close()
  })

  test('on a phone there is one pane at a time, and everything can be hit with a finger', async () => {
    const { page } = await site.logIn('member', {
      hash: topic('sleep'),
      context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
    const panes = [
      page.getByRole('navigation', { name: 'Views and channels' }),
      page.getByRole('main'),
      page.getByRole('complementary', { name: 'People' }),
    ]
    const shown = () => Promise.all(panes.map((pane) => pane.isVisible()))
    await box(page).waitFor()
    assert.deepEqual(await shown(), [false, true, false])
    const edges = await box(page).boundingBox()
    assert.ok(edges && edges.y + edges.height <= 844, 'the text box is in sight')
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)

    await page.getByRole('button', { name: 'Back to views and channels' }).tap()
    assert.deepEqual(await shown(), [true, false, false])
    const bar = page.getByRole('navigation', { name: 'Main places' })
    await bar.getByRole('link', { name: 'Inbox' }).tap()
    assert.deepEqual(await shown(), [false, true, false])
    await bar.getByRole('button', { name: 'Channels' }).tap()
    assert.deepEqual(await shown(), [true, false, false])
    await bar.getByRole('button', { name: 'Channels' }).tap()
    await bar.getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('option', { name: /messages in a channel/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate((next) => location.assign(next), topic('sleep'))
    await box(page).waitFor()
    assert.equal(await bar.count(), 0, 'a conversation has the whole screen')

    for (const hash of [topic('sleep'), '#inbox', '#recent']) {
      await page.evaluate((next) => location.assign(next), hash)
      await page
        .locator(hash.startsWith('#narrow') ? '[data-message-id]' : 'main a')
        .first()
        .waitFor()
      const small = await page.evaluate(() => {
        const targets = document.querySelectorAll<HTMLElement>(
          '.bottom-place, .head button, .compose button',
        )
        return [...targets].flatMap((target) => {
          const { width, height } = target.getBoundingClientRect()
          const isHit = width >= 44 && height >= 44
          return width === 0 || isHit
            ? []
            : [`${target.ariaLabel ?? target.textContent}: ${width}x${height}`]
        })
      })
      assert.deepEqual(small, [], hash)
    }

    // A finger that rests on a message opens its menu, which tells who reacted.
    await site.server.say('othello', 'public', 'sleep', 'The first unread one is selected.')
    const id = await site.server.say('othello', 'public', 'sleep', 'Rest your finger here.')
    await site.server.as('othello').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await page.evaluate((next) => location.assign(next), topic('sleep'))
    const row = page.locator(`[data-message-id="${id}"]`)
    await row.locator('.reaction').waitFor()
    const { x, y } = (await row.locator('.rendered').boundingBox()) ?? { x: 0, y: 0 }
    const fingers = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', [{ x: x + 20, y: y + 8 }])
    await page.locator(`.message-selected[data-message-id="${id}"]`).waitFor()
    await touch('touchEnd', [])
    await page.getByRole('menuitem', { name: 'See who reacted' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    await dialog.getByRole('link', { name: 'Othello' }).waitFor()
    await page.context().close()
  })
})
