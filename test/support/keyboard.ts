import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

type Role = Parameters<Page['getByRole']>[0]

/**
 * Someone who uses a page by its keys and by what is read out. They find what they want by role and
 * name, get there by Tab, and hear of what happens by live regions alone.
 */
export interface KeyboardUser {
  /** Goes on by Tab, or back by Shift+Tab, to what has this role and name. */
  reach(role: Role, name: string | RegExp, options?: ReachOptions): Promise<void>
  /** Reaches it and presses Enter. */
  activate(role: Role, name: string | RegExp, options?: ReachOptions): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** Waits until a live region has said this, since the page was opened or the last time. */
  hears(text: string | RegExp): Promise<void>
  /** Waits until what has the focus has this role and name. */
  isAt(role: Role, name: string | RegExp): Promise<void>
}

interface ReachOptions {
  readonly back?: boolean
  /** What it is in, where names are there more than once. */
  readonly within?: Locator
}

/** As many stops as nobody would go through. */
const mostStops = 120

/** Keeps what live regions say. Runs before the page's own scripts. */
const listening = `
globalThis.said = []
const lives = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"]'
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const from = target.nodeType === 1 ? target : target.parentElement
    // A region that comes with its words is read out where it is an alert or a status.
    const inside = [...addedNodes].flatMap((node) =>
      node.nodeType === 1 ? [...(node.matches(lives) ? [node] : []), ...node.querySelectorAll(lives)] : [])
    for (const region of [from?.closest(lives), ...inside]) {
      const text = region?.textContent.trim()
      if (text && said.at(-1) !== text) said.push(text)
    }
  }
}).observe(document, { subtree: true, childList: true, characterData: true })
`

/** Has to be called before the page is opened. */
export async function keyboardUserOf(page: Page): Promise<KeyboardUser> {
  await page.addInitScript(listening)

  const isFocused = (found: Locator) =>
    found.evaluateAll((elements) => elements.some((element) => element === document.activeElement))

  async function reach(
    role: Role,
    name: string | RegExp,
    { back = false, within }: ReachOptions = {},
  ): Promise<void> {
    const found = (within ?? page).getByRole(role, { name, exact: typeof name === 'string' })
    await found.first().waitFor()
    const passed: string[] = []
    for (let stop = 0; stop < mostStops; stop++) {
      if (await isFocused(found)) return
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      passed.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 60) ?? ''))
    }
    assert.fail(`Tab never came to ${role} ${name}. It passed:\n${passed.slice(0, 40).join('\n')}`)
  }

  return {
    reach,
    async activate(role, name, options) {
      await reach(role, name, options)
      await page.keyboard.press('Enter')
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.type(text),
    async hears(text) {
      const source =
        typeof text === 'string' ? text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : text.source
      await page.waitForFunction((pattern) => {
        const said = Reflect.get(globalThis, 'said') as string[]
        const at = said.findIndex((each) => new RegExp(pattern).test(each))
        if (at >= 0) said.splice(0, at + 1)
        return at >= 0
      }, source)
    },
    async isAt(role, name) {
      const found = page.getByRole(role, { name, exact: typeof name === 'string' })
      const focus = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
      const here = `at ${role} ${name}`
      await eventually(async () => ((await isFocused(found)) ? here : await focus()), here)
    },
  }
}
