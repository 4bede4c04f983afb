import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openSite } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { eventually } from '#test/support/eventually.ts'
import { upload } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { places, settling } from './places.ts'

const topic = '#narrow/channel/3-Verona/topic/plans'

/**
 * The controls that take the focus although something lies over them, or they are nowhere in the window.
 * As source, because functions of a test need what its loader adds.
 */
const covered = `(async () => {
  const turn = new MessageChannel()
  const draw = () => new Promise((resolve) => {
    turn.port1.onmessage = resolve
    turn.port2.postMessage(0)
  })
  const controls = 'a[href], button, input, select, textarea, summary, audio, video, [tabindex], [contenteditable]'
  const found = []
  for (const each of document.querySelectorAll(controls)) {
    if (each.tabIndex < 0 || !each.isConnected) continue
    each.focus({ preventScroll: true })
    await draw()
    if (document.activeElement !== each) continue
    each.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const boxes = [...each.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    const labels = [...(each.labels ?? [])]
    const isOnTop = [each, ...labels].some((part) => {
      const box = part.getClientRects()[0]
      if (!box) return false
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      return top !== null && [each, ...labels].some((one) => one.contains(top))
    })
    if (!isOnTop) found.push(each.outerHTML.slice(0, 120) + ' ' + boxes.length)
  }
  document.activeElement?.blur()
  return found
})()`

/** What lies over the view in different windows, and how it opens. */
interface Layer {
  readonly name: string
  readonly widths: readonly number[]
  readonly hash?: string
  open(page: Page): Promise<unknown>
}

const phone = 390
const widths = [phone, 1024, 1440]
const focusMain = (page: Page) => page.evaluate(() => document.querySelector('main')?.focus())
const byKey = (key: string) => async (page: Page) => {
  await focusMain(page)
  await page.keyboard.press(key)
}
const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const layers: readonly Layer[] = [
  { name: 'the channels', widths: [phone], hash: '#inbox', open: press('Channels') },
  {
    name: 'the channels beside a conversation',
    widths: [phone],
    open: press('Back to views and channels'),
  },
  { name: 'the people', widths: [phone, 1024], open: press('People') },
  { name: 'the filter of channels', widths, open: byKey('q') },
  { name: 'the filter of people', widths, open: byKey('w') },
  { name: 'the search', widths: [phone], hash: '#inbox', open: press('Search') },
  { name: 'the search by its key', widths, open: byKey('/') },
  { name: "one's menu on a phone", widths: [phone], hash: '#inbox', open: press('You') },
  { name: "one's menu", widths: [1024, 1440], open: press('Your menu') },
  { name: 'the menu of a topic', widths, open: press('Topic menu') },
  { name: 'the menu of a message', widths, open: byKey('i') },
  { name: 'the emoji', widths, open: byKey(':') },
  { name: 'a sender', widths, open: byKey('u') },
  { name: 'the form to move messages', widths, open: byKey('m') },
  { name: 'the switcher', widths, open: byKey('Control+k') },
  { name: 'a status', widths, open: byKey('Shift+Y') },
  { name: 'a picture', widths, open: byKey('v') },
  { name: 'a new conversation', widths, open: byKey('c') },
  { name: 'a new direct message', widths, hash: '#inbox', open: byKey('x') },
]

describe('what lies under something else cannot be reached', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const owner = site.server.as('owner')
  const to = { type: 'channel', to: 'Verona', topic: 'plans' }
  for (let i = 0; i < 30; i++) await owner.post('/messages', { ...to, content: `Plan ${i}` })
  await owner.post('/messages', { ...to, content: '/poll When?\nToday\nTomorrow' })
  const url = await upload(site.server, 'owner', 'plan.png', new Uint8Array(pngPicture(64, 64)))
  await owner.post('/messages', { ...to, content: `[a plan](${url}) with a [link](https://x.org)` })

  for (const width of widths) {
    describe(`in a window of ${width} pixels`, () => {
      let page: Page
      let settled: () => Promise<void>
      let leave: () => Promise<void>
      before(async () => {
        const size = { width, height: width === phone ? 844 : 900 }
        const fingers = width === phone ? { hasTouch: true, isMobile: true } : {}
        const person = await site.logIn('owner', { context: { viewport: size, ...fingers } })
        page = person.page
        leave = person.leave
        settled = settling(page)
      })
      after(() => leave())
      const go = async (hash: string) => {
        await page.evaluate((next) => location.assign(next), hash)
        await settled()
      }

      for (const [what, hash, button] of places) {
        test(what, async () => {
          await go(hash)
          if (button) await page.getByRole('button', { name: button }).click()
          await eventually(() => page.evaluate(covered), [])
          if (button) await page.keyboard.press('Escape')
        })
      }

      for (const { name, hash = topic, open } of layers.filter((one) =>
        one.widths.includes(width),
      )) {
        test(`with ${name}`, async () => {
          await go('#recent')
          await go(hash)
          await open(page)
          await settled()
          await eventually(() => page.evaluate(covered), [])
          await page.keyboard.press('Escape')
          await page.keyboard.press('Escape')
        })
      }
    })
  }
})
