/** What pages find in their global scope to measure with. All times are in milliseconds. */
export interface Measures {
  /** Resolves after the next frame was drawn, with the time then. */
  afterPaint(): Promise<number>
  /** When the first message was drawn, since the navigation. */
  firstShown: number | undefined
  /** From `go` to the frame in which the last message contains `mark`. */
  timeSwitch(go: () => void, row: string, mark: string): Promise<number>
  /** From each key that is pressed from now on to the frame after it. */
  keyTimes: number[] | undefined
  /** Scrolls towards the oldest message, a step a frame, until that is in sight or the time is over. */
  scrollUp(options: ScrollOptions): Promise<Scrolled>
}

export interface ScrollOptions {
  /** Selectors of what scrolls, and of messages in it. */
  readonly scroller: string
  readonly row: string
  /** What the text of the oldest message contains. */
  readonly oldest: string
  /** In pixels a frame. */
  readonly step: number
  readonly longestMs: number
}

export interface Scrolled {
  readonly frames: readonly number[]
  /** The farthest that a row in sight was from where scrolling should have brought it, in pixels. */
  readonly drift: number
  /** Whether the oldest message was reached. */
  readonly isWhole: boolean
}

declare global {
  var measures: Measures
}

/**
 * Runs in the page before anything else does.
 *
 * @param row the selector of a message
 */
export function installMeasures(row: string): void {
  const afterPaint = () =>
    new Promise<number>((done) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now())
        port2.postMessage(0)
      }),
    )
  const nextFrame = () => new Promise<number>((done) => requestAnimationFrame(done))

  globalThis.measures = {
    afterPaint,
    firstShown: undefined,
    keyTimes: undefined,

    async timeSwitch(go, rows, mark) {
      await afterPaint()
      const began = performance.now()
      go()
      for (;;) {
        const now = await afterPaint()
        const last = [...document.querySelectorAll(rows)].at(-1)
        if (last?.textContent?.includes(mark)) return now - began
      }
    },

    async scrollUp({ scroller, row: rows, oldest, step, longestMs }) {
      const pane = document.querySelector(scroller)
      if (!pane) throw new Error(`There is no ${scroller}.`)
      const { left, top, width } = pane.getBoundingClientRect()
      const frames: number[] = []
      let drift = 0
      const began = await nextFrame()
      let last = began
      while (last - began < longestMs) {
        // Below what may cover the top, and what the step takes out of sight is far below.
        const seen = document.elementFromPoint(left + width / 2, top + 150)?.closest(rows)
        if (seen?.textContent?.includes(oldest)) return { frames, drift, isWhole: true }
        const before = pane.scrollTop
        const y = seen?.getBoundingClientRect().top ?? 0
        pane.scrollTop = before - step
        const moved = before - pane.scrollTop
        const now = await nextFrame()
        frames.push(now - last)
        last = now
        if (!seen?.isConnected) continue
        drift = Math.max(drift, Math.abs(seen.getBoundingClientRect().top - y - moved))
      }
      return { frames, drift, isWhole: false }
    },
  }

  document.addEventListener(
    'keydown',
    async ({ timeStamp }) => {
      const now = await afterPaint()
      globalThis.measures.keyTimes?.push(now - timeStamp)
    },
    true,
  )

  new MutationObserver(async (_, observer) => {
    if (!document.querySelector(row)) return
    observer.disconnect()
    globalThis.measures.firstShown = await afterPaint()
  }).observe(document, { childList: true, subtree: true })
}
