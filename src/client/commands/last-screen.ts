import { lastScreenKey, localValues } from '#client/ui/browser-storage.ts'
import { ownVersion } from '#client/ui/own-version.ts'
import { trustedHtml } from '#client/ui/trusted-types.ts'
import { loadTypeface } from '#client/ui/typeface.ts'
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
  /** What is beside the messages, by the place in `html` that it fills. */
  readonly beside: Readonly<Record<string, string>>
}

/** What a picture has to be of, to be drawn now. */
export function currentView(): string {
  return `${location.hash} ${innerWidth} ${innerHeight}`
}

/** The longest that a picture waits for its typeface and for a frame, each, in milliseconds. */
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
    // Nothing is painted before the styles, and nothing can be scrolled.
    const styles = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
    if (!screen || !styles?.sheet) return
    // All of it would be laid out again once the typeface is there.
    await Promise.race([loadTypeface(), after(patience)])
    await draw(screen)
  } catch {
    hideLastScreen()
  }
}

/** Draws the messages first, and what is beside them in the next frame: it is most of the work. */
async function draw({ root, html, beside }: LastScreen): Promise<void> {
  const { documentElement } = document
  for (const [name, value] of Object.entries(root)) {
    if (name === 'style') documentElement.style.cssText = value
    else documentElement.setAttribute(name, value)
  }
  const own = document.createElement('div')
  own.className = 'last-screen'
  own.inert = true
  own.ariaHidden = 'true'
  shown = own
  fill(own, html)
  // After the program's, which is found first where something is looked for.
  document.body.append(own)
  scroll(own)
  // In the one after the frame in which they are seen.
  await frame()
  await frame()
  for (const [place, part] of Object.entries(beside)) {
    const pane = own.querySelector(place)
    if (!pane) continue
    fill(pane, part)
    scroll(pane)
  }
  await frame()
  await new Promise((done) => setTimeout(done))
}

function fill(element: Element, html: string): void {
  element.innerHTML = trustedHtml(html)
  for (const each of element.querySelectorAll<HTMLElement>('[data-look]')) {
    each.style.cssText = each.dataset.look ?? ''
  }
}

function scroll(element: Element): void {
  for (const each of element.querySelectorAll<HTMLElement>('[data-scrolled]')) {
    each.scrollTop = Number(each.dataset.scrolled)
  }
}

/** Resolves before a frame is painted; soon in the background, where there are none. */
async function frame(): Promise<void> {
  await Promise.race([new Promise(requestAnimationFrame), after(patience)])
}

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
