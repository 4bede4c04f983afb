import { whenFirstShown } from './first-screen.ts'

/** What people do before anything that needs more than what every page has. */
const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'dragover', 'selectionchange']

let acting: Promise<void> | undefined

/**
 * Resolves at the first sign that someone is about to do something here, once what the page opened
 * with is on the screen. What nobody needs before is loaded then: most pages that are open are only
 * looked at.
 */
export function whenActing(): Promise<void> {
  acting ??= Promise.all([firstSign(), whenFirstShown()]).then(() => undefined)
  return acting
}

function firstSign(): Promise<void> {
  return new Promise((resolve) => {
    const end = new AbortController()
    const options = { capture: true, passive: true, signal: end.signal }
    const look = (event: Event) => {
      if (!isSign(event)) return
      end.abort()
      resolve()
    }
    for (const type of signs) document.addEventListener(type, look, options)
  })
}

function isSign(event: Event): boolean {
  // A page that is drawn under a resting pointer tells of it as well.
  if (event.type === 'pointermove' && event instanceof PointerEvent) {
    return event.movementX !== 0 || event.movementY !== 0
  }
  if (event.type === 'selectionchange') return getSelection()?.isCollapsed === false
  return true
}
