import { phoneQuery } from './phone.ts'

/** The distance from the edge within which the system's own "back" gesture begins, in pixels. */
const systemEdge = 24

/** How a movement to the right counts: against the direction of reading, or with it. */
export const readingSign = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)

/** Whether the page may handle a sideways movement of a finger that begins here. */
export function mayBeginSideways({ pointerType, clientX, target }: PointerEvent): boolean {
  if (pointerType !== 'touch' || !matchMedia(phoneQuery).matches) return false
  if (clientX < systemEdge || clientX > innerWidth - systemEdge) return false
  return target instanceof Element && !movesSideways(target)
}

/** Whether a finger moves something else there: wide code and tables, players, text, dialogs. */
function movesSideways(target: Element): boolean {
  if (target.closest('input, textarea, select, video, audio, dialog, [popover]')) return true
  for (let each: Element | null = target; each; each = each.parentElement) {
    const isWider = each.scrollWidth > each.clientWidth
    if (isWider && /auto|scroll/.test(getComputedStyle(each).overflowX)) return true
  }
  return false
}
