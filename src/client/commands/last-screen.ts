import { lastScreenKey, localValues } from '#client/ui/browser-storage.ts'
import { ownVersion } from '#client/ui/own-version.ts'
import { trustedHtml } from '#client/ui/trusted-types.ts'
import { openingSession } from './kept-database.ts'

/**
 * A picture of what the last page showed, in the browser's storage: drawn before the program is
 * there, and taken away once the program has drawn the same. Nobody can use it, and it says nothing
 * that the stored data (`kept-database.ts`) does not: it has the same session and version, and goes
 * with it.
 */
export interface LastScreen {
  readonly session: string
  readonly version: string
  /** What it is of: the part of the address after `#`, and the size of the window in pixels. */
  readonly view: string
  /** The attributes of `<html>` that styles depend on. */
  readonly root: Readonly<Record<string, string>>
  /** Where elements have `data-look` for `style`, which the page does not let HTML say. */
  readonly html: string
}

/** What a picture has to be of, to be drawn now. */
export function currentView(): string {
  return `${location.hash} ${innerWidth} ${innerHeight}`
}

/** The longest that a picture waits for its styles, for its typeface and for a frame, each. */
const patience = 100

let shown: HTMLElement | undefined

/**
 * Draws the picture if there is one of this view, session and version. Never fails: the program is
 * loaded next.
 *
 * @returns resolves when it is in sight, or soon if there is none or it cannot be drawn
 */
export async function showLastScreen(): Promise<void> {
  try {
    const screen = readScreen()
    if (screen) await draw(screen)
  } catch {
    hideLastScreen()
  }
}

async function draw(screen: LastScreen): Promise<void> {
  if (document.readyState === 'loading') await eventOf(document, 'readystatechange')
  // Nothing is painted before, and nothing can be scrolled.
  const styles = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
  if (styles && !styles.sheet) await Promise.race([eventOf(styles, 'load'), after(patience)])
  if (!styles?.sheet) return
  // All of it would be laid out again once the typeface is there.
  await Promise.race([document.fonts.load('1em Inter'), after(patience)])
  const root = document.documentElement
  for (const [name, value] of Object.entries(screen.root)) {
    if (name === 'style') root.style.cssText = value
    else root.setAttribute(name, value)
  }
  shown = document.createElement('div')
  shown.className = 'last-screen'
  shown.inert = true
  shown.ariaHidden = 'true'
  shown.innerHTML = trustedHtml(screen.html)
  for (const each of shown.querySelectorAll<HTMLElement>('[data-look]')) {
    each.style.cssText = each.dataset.look ?? ''
  }
  // After the program's, which is found first where something is looked for.
  document.body.append(shown)
  for (const each of shown.querySelectorAll<HTMLElement>('[data-scrolled]')) {
    each.scrollTop = Number(each.dataset.scrolled)
  }
  const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  // A page in the background has no frames.
  await Promise.race([painted, after(patience)])
}

const eventOf = (target: EventTarget, type: string) =>
  new Promise((done) => target.addEventListener(type, done, { once: true }))

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Whether a picture covers what the program draws. */
export const isLastScreenShown = () => shown !== undefined

/** Takes the picture away, if there is one. */
export function hideLastScreen(): void {
  shown?.remove()
  shown = undefined
}

function readScreen(): LastScreen | undefined {
  const session = openingSession()
  if (session === '') return undefined
  try {
    const screen: LastScreen = JSON.parse(localValues.getItem(lastScreenKey) ?? '')
    const isThis =
      screen.session === session && screen.version === ownVersion() && screen.view === currentView()
    return isThis ? screen : undefined
  } catch {
    // There is none.
    return undefined
  }
}
