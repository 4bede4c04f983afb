import { openingSession } from '#client/commands/kept-database.ts'
import { currentView, isLastScreenShown, type LastScreen } from '#client/commands/last-screen.ts'
import { lastScreenKey, localValues } from '#client/ui/browser-storage.ts'
import { ownVersion } from '#client/ui/own-version.ts'

/** The longest picture that is kept, in characters: a full screen has some 60 000. */
const mostCharacters = 250_000

/** What a picture leaves out: what is over the page, loads something of its own, or has styles. */
const leftOut =
  'dialog, [popover], iframe, object, embed, canvas, script, style, link, .connection, .toasts'
/** Attributes by which something is found, or does something. */
const acting = new Set(['id', 'name', 'for', 'autofocus', 'data-message-id'])
/** What is beside the messages. */
const placesBeside = ['.left', '.right', '.compose']
/** What is drawn by styles that a page does not have at first. */
const needsMore = '.katex'

/** Keeps a picture of the screen for the next page, in place of the one before. */
export function keepScreen(screen: Element | null): void {
  // What is seen is not what the program draws.
  if (!screen || isLastScreenShown() || document.visibilityState !== 'visible') return
  const { documentElement: root } = document
  // The next page begins without the keyboard of a phone.
  if (root.style.getPropertyValue('--keyboard') !== '') return
  const names = root.getAttributeNames().filter((name) => name !== 'lang' && name !== 'dir')
  const picture: LastScreen = {
    session: openingSession(),
    version: ownVersion() ?? '',
    view: currentView(),
    root: Object.fromEntries(names.map((name) => [name, root.getAttribute(name) ?? ''])),
    ...pictureOf(screen),
  }
  const isUseful = !screen.querySelector(needsMore) && sizeOf(picture) <= mostCharacters
  if (isUseful) localValues.setItem(lastScreenKey, JSON.stringify(picture))
  else localValues.removeItem(lastScreenKey)
}

/** The HTML of what is in sight of an element; of the rest, what it takes to keep its room. */
function pictureOf(element: Element): Pick<LastScreen, 'html' | 'beside'> {
  const inert = document.implementation.createHTMLDocument()
  const copy = copyOf(element, inert)
  const beside: Record<string, string> = {}
  for (const place of placesBeside) {
    const pane = copy.querySelector(place)
    const height = element.querySelector(place)?.getBoundingClientRect().height
    if (!pane || !height) continue
    beside[place] = pane.innerHTML
    pane.textContent = ''
    addLook(pane, `height:${height}px`)
  }
  return { html: copy.outerHTML, beside }
}

function sizeOf({ html, beside }: LastScreen): number {
  return [html, ...Object.values(beside)].reduce((sum, { length }) => sum + length, 0)
}

function copyOf(element: Element, inert: Document): Element {
  const copy = bareCopy(element, inert)
  let unseen: Element[] = []
  const endUnseen = () => {
    copy.append(...roomOf(unseen, inert))
    unseen = []
  }
  for (const child of element.childNodes) {
    if (child instanceof Text) copy.append(child.data)
    if (!(child instanceof Element) || child.matches(leftOut)) continue
    const place = placeOf(child)
    if (place === 'unseen') {
      unseen.push(child)
      continue
    }
    endUnseen()
    // Lines of icons have no boxes of their own.
    if (child instanceof SVGElement) copy.append(inert.importNode(child, true))
    else copy.append(place === 'seen' ? copyOf(child, inert) : bareCopy(child, inert))
  }
  endUnseen()
  if (element instanceof HTMLTextAreaElement) copy.textContent = element.value
  return copy
}

/** Whether one sees an element, or only that it takes room, or not even that. */
function placeOf(element: Element): 'seen' | 'unseen' | 'without room' {
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
  const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  if (width > 0 && height > 0 && isInWindow) return 'seen'
  const { display, position } = getComputedStyle(element)
  if (display === 'contents') return 'seen'
  const isInFlow = position !== 'absolute' && position !== 'fixed'
  return isInFlow && height > 0 ? 'unseen' : 'without room'
}

/** What takes the room of elements that follow each other and are not seen. */
function roomOf(elements: readonly Element[], inert: Document): Element[] {
  const boxes = elements.map((each) => each.getBoundingClientRect())
  const [first, last, before] = [boxes[0], boxes.at(-1), boxes.at(-2)]
  const element = elements.at(-1)
  if (!first || !last || !element) return []
  // The styles of what follows can depend on the last one.
  const kept = bareCopy(element, inert)
  addLook(kept, `height:${last.height}px`)
  if (!before) return [kept]
  const room = inert.createElement('div')
  room.dataset.look = `height:${before.bottom - first.top}px`
  return [room, kept]
}

function addLook(copy: Element, look: string): void {
  copy.setAttribute('data-look', `${copy.getAttribute('data-look') ?? ''};${look}`)
}

/** An element without what is in it, and without what acts. */
function bareCopy(element: Element, inert: Document): Element {
  const copy = inert.importNode(element, false)
  for (const name of copy.getAttributeNames()) {
    if (acting.has(name) || name.startsWith('on')) copy.removeAttribute(name)
  }
  const style = copy.getAttribute('style')
  if (style !== null) {
    copy.removeAttribute('style')
    copy.setAttribute('data-look', style)
  }
  // An address of the page that is left means nothing to the next one.
  if (copy.getAttribute('src')?.startsWith('blob:')) copy.removeAttribute('src')
  if (element.scrollTop > 0) copy.setAttribute('data-scrolled', String(element.scrollTop))
  if (element instanceof HTMLInputElement) {
    copy.setAttribute('value', element.value)
    copy.toggleAttribute('checked', element.checked)
  }
  return copy
}
