import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bindings } from '#client/commands/key-bindings.ts'
import { openSite, type Person } from '#test/support/browser-page.ts'
import { noChromium } from '#test/support/chromium.ts'
import { places, settling } from './places.ts'

/** All letters that do something where nobody writes. */
const letters = bindings.flatMap(({ context, keys }) =>
  context === 'compose' ? [] : keys.filter((key) => /^[A-Z]$/.test(key)),
)

/** As many stops as nobody would go through. */
const mostStops = 150

/** What a letter might have changed. As source, because functions of a test need what its loader adds. */
const state = `({
  hash: location.hash,
  layers: document.querySelectorAll('dialog[open], [popover]:popover-open, .compose-target').length,
  isSame: globalThis.focused === document.activeElement,
  value: document.activeElement?.value,
})`

interface State {
  readonly hash: string
  readonly layers: number
  readonly isSame: boolean
  readonly value: string | undefined
}

/** Where the focus is: what takes letters, what takes them in its own way, or nothing of both. */
const focus = `(() => {
  const focused = document.activeElement
  globalThis.focused = focused
  const isText = focused.matches('textarea, [contenteditable], input:is([type=text], [type=search], [type=email], [type=url], [type=tel], [type=password], :not([type]))')
  const isOwn = focused.closest('[role=menu], [role=tablist], [role=radiogroup], .toasts') !== null
  const known = globalThis.walked ??= new WeakSet()
  const isKnown = known.has(focused)
  known.add(focused)
  return {
    said: focused.outerHTML.slice(0, 100),
    kind: focused === document.body ? 'none' : isOwn ? 'own' : isText && !focused.readOnly ? 'text' : 'other',
    isInside: focused.closest('dialog, form, [role=dialog], .compose, .editor') !== null,
    isKnown,
  }
})()`

interface Focus {
  readonly said: string
  readonly kind: 'none' | 'own' | 'text' | 'other'
  readonly isInside: boolean
  readonly isKnown: boolean
}

let pressed = 0

/**
 * Presses Tab from stop to stop, and a letter at each in a form. Returns what went wrong: text that did
 * not come where it was written, and letters that did something.
 */
async function walk(page: Page): Promise<readonly string[]> {
  const wrong: string[] = []
  await page.evaluate('globalThis.walked = new WeakSet()')
  for (let stop = 0; stop < mostStops; stop++) {
    const { said, kind, isInside, isKnown } = await page.evaluate<Focus>(focus)
    if (isKnown && kind !== 'none') return wrong
    if (isInside && kind !== 'own') {
      const letter = letters[pressed++ % letters.length]?.toLowerCase() ?? 'c'
      const before = await page.evaluate<State>(state)
      await page.keyboard.press(letter)
      const now = await page.evaluate<State>(state)
      const isStill = now.hash === before.hash && now.layers === before.layers && now.isSame
      const isWritten = kind !== 'text' || now.value !== before.value
      if (!isStill || !isWritten) {
        wrong.push(`${letter} at ${said}: ${JSON.stringify({ before, now })}`)
        return wrong
      }
      if (kind === 'text') await page.keyboard.press('Backspace')
    }
    await page.keyboard.press('Tab')
  }
  return wrong
}

/** The buttons that may open something: one of each kind, with what names the kind. */
const openers = `(() => {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main')
  const kinds = new Map()
  for (const button of top.querySelectorAll('button:not(:disabled, [type=submit])')) {
    const name = button.ariaLabel ?? button.textContent.trim()
    if (!button.checkVisibility() || /^(Close|Cancel|Log out|Dismiss|Remove)/.test(name)) continue
    const kind = button.className + ' ' + name.split(' ').slice(0, 2).join(' ')
    if (!kinds.has(kind)) kinds.set(kind, button)
  }
  globalThis.opening = kinds
  return [...kinds.keys()]
})()`

const opened = `(() => {
  const menu = document.querySelector('[role=menu]:popover-open')
  const items = menu ? [...menu.querySelectorAll('button[role^=menuitem]:not([aria-disabled=true])')].map((item) => item.textContent.trim()) : []
  return {
    items,
    layers: document.querySelectorAll('dialog[open], [popover]:popover-open').length,
    title: [...document.querySelectorAll('dialog[open]')].at(-1)?.textContent.slice(0, 40) ?? '',
  }
})()`

interface Opened {
  readonly items: readonly string[]
  readonly layers: number
  readonly title: string
}

describe('a letter after each Tab', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite({ config: { ownersOperate: true } })
  after(() => site.close())
  const to = { type: 'channel', to: 'Verona', topic: 'plans' }
  let person: Person
  let settled: () => Promise<void>
  before(async () => {
    const owner = site.server.as('owner')
    for (const content of ['One plan', 'Another plan', '/poll When?\nToday\nTomorrow'])
      await owner.post('/messages', { ...to, content })
    await site.server.as('member').post('/messages', { ...to, content: 'A plan of mine' })
    person = await site.logIn('owner', { hash: '#inbox' })
    settled = settling(person.page)
    await settled()
    // What is pressed and typed here changes nothing.
    await person.page.route('**/json/**', (route) =>
      /GET|HEAD/.test(route.request().method()) ? route.continue() : route.abort(),
    )
  })

  const go = async (hash: string) => {
    const { page } = person
    for (let i = 0; i < 4 && (await page.evaluate<Opened>(opened)).layers > 0; i++) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    await page.evaluate((next) => location.assign(next), hash)
    await settled()
  }

  const known = new Set<string>()
  const titles = new Set<string>()

  for (const [what, hash] of places) {
    test(`is text or nothing in ${what}, and in all that opens there`, async () => {
      const { page } = person
      await go(hash)
      assert.deepEqual(await walk(page), [])
      for (const kind of await page.evaluate<string[]>(openers)) {
        if (known.has(kind)) continue
        known.add(kind)
        await go(hash)
        const base = await page.evaluate<Opened>(opened)
        await page.evaluate(openers)
        const open = () =>
          page.evaluate(
            (one) =>
              (Reflect.get(globalThis, 'opening') as Map<string, HTMLElement>).get(one)?.click(),
            kind,
          )
        await open()
        await settled()
        const { items, layers, title } = await page.evaluate<Opened>(opened)
        if (layers <= base.layers) continue
        titles.add(title)
        if (items.length === 0) assert.deepEqual(await walk(page), [], kind)
        for (const item of items) {
          if (known.has(item) || /^(Log out|Reload)/.test(item)) continue
          known.add(item)
          await go(hash)
          await page.evaluate(openers)
          await open()
          await settled()
          const choice = page.getByRole('menu').getByText(item, { exact: true }).first()
          if ((await choice.count()) === 0) continue
          await choice.click()
          await settled()
          const inside = await page.evaluate<Opened>(opened)
          if (inside.layers <= base.layers) continue
          titles.add(inside.title)
          assert.deepEqual(await walk(page), [], item)
        }
      }
    })
  }

  test('was tried in all kinds of dialogs', () => {
    assert.ok(titles.size > 25, [...titles].join('\n'))
  })

  for (const path of ['/login/', '/register/', '/connect']) {
    test(`is text or nothing at ${path}`, async () => {
      const { page } = await site.visit(path)
      assert.deepEqual(await walk(page), [])
    })
  }
})
