import type { Signal } from '@preact/signals-core'
import type { PaneName } from '#client/views/view-head.tsx'

/** A movement of one finger: how far, in pixels, and for how long, in milliseconds. */
export interface Swipe {
  readonly dx: number
  readonly dy: number
  readonly ms: number
}

/** The system's own gesture, "back", begins so near to the edge, in pixels. */
const systemEdge = 24
const shortest = 60
const slowest = 700

/** From left to right, as they lie beside each other. */
const order: readonly PaneName[] = ['left', 'main', 'right']

/** The pane that a swipe leads to: that on the side from which the finger pulls. */
export function paneAfter(pane: PaneName, { dx, dy, ms }: Swipe): PaneName {
  const isSideways = Math.abs(dx) >= shortest && Math.abs(dx) > 2 * Math.abs(dy)
  if (!isSideways || ms > slowest) return pane
  return order[order.indexOf(pane) + (dx > 0 ? -1 : 1)] ?? pane
}

/**
 * Goes from pane to pane by swipes, where only one is shown at a time.
 *
 * @param signal stops it
 */
export function followSwipes(
  shell: HTMLElement,
  pane: Signal<PaneName>,
  signal: AbortSignal,
): void {
  let start: PointerEvent | undefined
  shell.addEventListener(
    'pointerdown',
    (event) => {
      start = event.isPrimary && mayBegin(event) ? event : undefined
    },
    { signal },
  )
  // The browser scrolls or zooms with this finger.
  shell.addEventListener('pointercancel', () => (start = undefined), { signal })
  shell.addEventListener(
    'pointerup',
    (event) => {
      if (!start || start.pointerId !== event.pointerId) return
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY]
      pane.value = paneAfter(pane.peek(), { dx, dy, ms: event.timeStamp - start.timeStamp })
      start = undefined
    },
    { signal },
  )
}

function mayBegin({ pointerType, clientX, target }: PointerEvent): boolean {
  if (pointerType !== 'touch' || !matchMedia('(max-width: 700px)').matches) return false
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
