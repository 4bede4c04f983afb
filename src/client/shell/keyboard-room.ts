/** Less than this is a bar of the browser that comes and goes, in pixels. */
const leastCovered = 40

/**
 * Keeps the page above a keyboard that only lies over it, as on iOS, by the lengths that
 * `tokens.css` declares. Where the layout itself shrinks, they stay as they are.
 *
 * @param signal stops it
 */
export function makeRoomForKeyboard(signal: AbortSignal): void {
  const seen = window.visualViewport
  if (!seen) return
  const root = document.documentElement
  const follow = () => {
    const whole = root.clientHeight
    // What pinching has enlarged covers nothing.
    const isCovered = seen.scale <= 1.01 && whole - seen.height >= leastCovered
    const lengths = {
      '--seen-height': `${seen.height}px`,
      '--seen-top': `${seen.offsetTop}px`,
      '--seen-page-top': `${seen.pageTop}px`,
      '--keyboard': `${Math.max(0, whole - seen.offsetTop - seen.height)}px`,
      '--safe-bottom': '0px',
    }
    for (const [name, length] of Object.entries(lengths)) {
      root.style.setProperty(name, isCovered ? length : null)
    }
  }
  for (const type of ['resize', 'scroll']) seen.addEventListener(type, follow, { signal })
  window.addEventListener('resize', follow, { signal })
  follow()
}
