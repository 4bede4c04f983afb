import type { Signal } from '@preact/signals-core'
import { mayBeginSideways, readingSign } from '#client/ui/sideways.ts'
import type { PaneName } from '#client/views/view-head.tsx'

/** A movement of one finger: how far, in pixels and in the direction of reading, and for how long, in milliseconds. */
export interface Swipe {
  readonly dx: number
  readonly dy: number
  readonly ms: number
}

const shortest = 60
const slowest = 700

/** The panes in the direction of reading. */
const order: readonly PaneName[] = ['left', 'main', 'right']

/** The pane after a swipe: the one on the side from which the finger pulls. */
export function paneAfter(pane: PaneName, { dx, dy, ms }: Swipe): PaneName {
  const isSideways = Math.abs(dx) >= shortest && Math.abs(dx) > 2 * Math.abs(dy)
  if (!isSideways || ms > slowest) return pane
  return order[order.indexOf(pane) + (dx > 0 ? -1 : 1)] ?? pane
}

/**
 * Goes from pane to pane by swipes, if only one is shown at a time.
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
      start = event.isPrimary && mayBeginSideways(event) ? event : undefined
    },
    { signal },
  )
  // The browser scrolls or zooms with this finger.
  shell.addEventListener('pointercancel', () => (start = undefined), { signal })
  shell.addEventListener(
    'pointerup',
    (event) => {
      if (!start || start.pointerId !== event.pointerId) return
      const dx = (event.clientX - start.clientX) * readingSign()
      const dy = event.clientY - start.clientY
      pane.value = paneAfter(pane.peek(), { dx, dy, ms: event.timeStamp - start.timeStamp })
      start = undefined
    },
    { signal },
  )
}
