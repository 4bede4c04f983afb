import type { Signal } from '@preact/signals-core'
import type { PaneName } from '#client/views/view-head.tsx'
import { makeRoomForKeyboard } from './keyboard-room.ts'
import { followSwipes } from './swipe.ts'

/**
 * Starts what fingers need.
 *
 * @param signal stops it
 */
export function followFingers(
  shell: HTMLElement,
  pane: Signal<PaneName>,
  signal: AbortSignal,
): void {
  followSwipes(shell, pane, signal)
  makeRoomForKeyboard(signal)
  closePopoversByTaps(signal)
}

/**
 * Closes popovers when a finger taps beside them. Safari on iPhones and iPads does it since 18.3, and
 * other browsers have done it by then.
 *
 * @source WebKit bug 267688
 */
function closePopoversByTaps(signal: AbortSignal): void {
  let left: readonly HTMLElement[] = []
  const isOpen = (popover: HTMLElement) => popover.matches(':popover-open')
  document.addEventListener(
    'pointerdown',
    ({ target, pointerType }) => {
      const open =
        pointerType === 'touch' ? document.querySelectorAll<HTMLElement>('[popover]') : []
      left = [...open].filter((each) => isOpen(each) && !each.contains(target as Node))
    },
    { capture: true, signal },
  )
  // The finger scrolls.
  document.addEventListener('pointercancel', () => (left = []), { capture: true, signal })
  document.addEventListener(
    'pointerup',
    () => {
      for (const popover of left) if (isOpen(popover)) popover.hidePopover()
      left = []
    },
    { capture: true, signal },
  )
}
