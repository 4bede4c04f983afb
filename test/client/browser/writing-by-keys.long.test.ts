import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'

/** What has the focus, and its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement
    return `${field.getAttribute('aria-label') ?? field.tagName}: ${field.value ?? ''}`
  })

/** A promise, and what keeps it. */
function later<T>(): readonly [promise: Promise<T>, keep: (value: T) => void] {
  let keep: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    keep = resolve
  })
  return [promise, keep]
}

describe('keys where people write', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  await site.server.say('othello', 'public', 'a plan', 'Shall we?')

  for (const [opener, fields] of [
    ['x', ['To']],
    ['c', ['Channel', 'Topic']],
  ] as const) {
    test(`after ${opener}, Tab leads through the fields to the message, and letters are text`, async () => {
      const { page } = await site.at('member', '#inbox')
      await page.keyboard.press(opener)
      for (const [i, field] of fields.entries()) {
        if (i > 0) await page.keyboard.press('Tab')
        await page.keyboard.type('zq')
        await eventually(() => focused(page), `${field}: zq`)
        await page.keyboard.press('Backspace')
        await page.keyboard.press('Backspace')
      }
      await page.keyboard.press('Tab')
      await page.keyboard.type('can')
      assert.equal(await focused(page), 'Message: can')
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press('Tab')
        const isInside = await page.evaluate(
          () => document.activeElement?.closest('.compose') !== null,
        )
        if (!isInside) break
        await page.keyboard.press('n')
      }
      assert.match(page.url(), /#inbox$/)
      await page.locator('.compose').getByRole('textbox', { name: 'Message' }).focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.press('Delete')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New direct message' }).last().waitFor()
      assert.match(page.url(), /#inbox$/)
    })
  }

  // biome-ignore format: a table reads best in columns
  const late: [string, string, string][] = [
    ['x', 'write', 'To'],
    ['x', 'rest', 'To'],
    ['x', 'keys', 'To'],
    ['c', 'rest', 'Channel'],
    ['c', 'write', 'Channel'],
    ['c', 'keys', 'Channel'],
    ['q', 'rest', 'Filter channels'],
    ['q', 'bar', 'Filter channels'],
    ['w', 'rest', 'Filter people'],
    ['/', 'rest', 'Search'],
    ['/', 'keys', 'Search'],
  ]
  for (const [opener, part, field] of late) {
    test(`what is typed after ${opener} is for its field while ${part} is loaded`, async () => {
      const [loading, load] = later<void>()
      const [opened, open] = later<Page>()
      const entered = site.logIn('member', {
        hash: '#inbox',
        prepare: async (page) => {
          const late = async (route: Route) => {
            await loading
            await route.continue()
          }
          await page.route(`**/static/client/${part}-*`, late, { times: 1 })
          open(page)
        },
      })
      const page = await opened
      await page.locator('#app .shell').waitFor()
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
      await page.keyboard.type(`${opener}zcqy`)
      await page.keyboard.press('Backspace')
      // There is nothing yet that it could finish, so it does nothing elsewhere either.
      await page.keyboard.press('Enter')
      load()
      const { leave } = await entered
      await eventually(() => focused(page), `${field}: zcq`)
      assert.match(page.url(), /#inbox$/)
      await leave()
    })
  }

  test('Escape in a field of a new conversation closes it, and the view stays', async () => {
    const { page } = await site.at('member', '#inbox')
    for (const opener of ['x', 'c']) {
      await page.keyboard.press(opener)
      await page.locator('.compose-target').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.locator('.compose-target').waitFor({ state: 'detached' })
      assert.match(page.url(), /#inbox$/)
    }
  })

  for (const [key, typed, address] of [
    ['q', 'denm', /Denmark/],
    ['q', 'a plan', /a\.20plan/],
    ['w', 'othel', /#narrow\/dm\//],
  ] as const) {
    test(`${key}, ${typed} and Enter at once open what the filter leaves first`, async () => {
      const { page } = await site.at('member', '#recent')
      await page.keyboard.type(`${key}${typed}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(address)
    })
  }

  for (const [name, composing] of [
    ['in the order of WebKit', { keyCode: 229, isComposing: false }],
    ['in that of Chromium and Firefox', { keyCode: 229, isComposing: true }],
  ] as const) {
    test(`an Enter that takes a candidate, ${name}, does nothing else`, async () => {
      const { page } = await site.at('member', '#recent')
      for (const opener of ['q', 'w', '/', 'Control+k']) {
        await page.keyboard.press(opener)
        await page.keyboard.type('e')
        await eventually(async () => (await focused(page)).endsWith(': e'), true)
        const before = [page.url(), await focused(page)]
        await page.evaluate((init) => {
          const field = document.activeElement as HTMLElement
          field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: 'e' }))
          const event = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...init }
          field.dispatchEvent(new KeyboardEvent('keydown', event))
        }, composing)
        assert.deepEqual([page.url(), await focused(page)], before, opener)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await page.evaluate(() => location.assign('#recent'))
      }
    })
  }
})
