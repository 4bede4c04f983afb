import type { Locator, Page } from 'playwright-core'

/** One finger on the screen of a page. */
export interface Fingers {
  /** Puts it on an element, near its middle. */
  down(element: Locator): Promise<void>
  downAt(x: number, y: number): Promise<void>
  /** Puts it there until the page has noticed that it rests: it vibrates then. */
  hold(element: Locator): Promise<void>
  /** Moves it, in pixels from where it came down. */
  move(dx: number, dy: number): Promise<void>
  up(): Promise<void>
  /** What the browser does when it takes the touch for a gesture of its own. */
  cancel(): Promise<void>
}

/** Touches a page that has been opened with `hasTouch`. */
export async function fingersOn(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page)
  let at = { x: 0, y: 0 }
  const send = (
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    points: { x: number; y: number }[],
  ) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  async function downAt(x: number, y: number): Promise<void> {
    at = { x, y }
    await send('touchStart', [at])
  }
  async function down(element: Locator): Promise<void> {
    const box = await element.boundingBox()
    if (!box) throw new Error('There is nothing to touch.')
    await downAt(box.x + box.width / 2, box.y + box.height / 2)
  }
  return {
    downAt,
    down,
    async hold(element) {
      await page.evaluate(() => {
        Object.assign(globalThis, { isHeld: false })
        navigator.vibrate = () => Reflect.set(globalThis, 'isHeld', true)
      })
      await down(element)
      await page.waitForFunction(() => Reflect.get(globalThis, 'isHeld'))
    },
    move: async (dx, dy) => void (await send('touchMove', [{ x: at.x + dx, y: at.y + dy }])),
    up: async () => void (await send('touchEnd', [])),
    cancel: async () => void (await send('touchCancel', [])),
  }
}
