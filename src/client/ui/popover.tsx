import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { classes } from './button.tsx'
import { covers } from './covers.ts'
import { giveFocus } from './give-focus.ts'
import { useLayer } from './layers.ts'
import { phoneQuery } from './phone.ts'
import { type Box, type Placement, place } from './place.ts'

interface PopoverProps {
  /** Its anchor: an element, or a point of the window. */
  readonly anchor: Element | Box
  readonly onClose: () => void
  readonly placement?: Placement
  readonly label?: string
  readonly role?: 'dialog' | 'menu' | 'listbox'
  readonly class?: string
  /** Leaves the focus where it is, as beside a text box, and Back to the page. */
  readonly keepsFocus?: boolean
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly children?: ComponentChildren
}

/**
 * A box above everything while it is drawn, beside its anchor. Escape and a click elsewhere call
 * `onClose`. The focus goes in, to `[autofocus]` or the first control, and back when it closes.
 */
export function Popover({
  anchor,
  onClose,
  placement = 'bottom-start',
  label,
  role = 'dialog',
  class: className,
  keepsFocus,
  onKeyDown,
  children,
}: PopoverProps) {
  const ref = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayer(onClose, !keepsFocus)

  // At once: the next key is for the focused element here.
  useLayoutEffect(() => {
    const popover = ref.current
    if (!popover) return
    const before = document.activeElement
    popover.showPopover()
    const uncover = keepsFocus ? undefined : coverPage(popover)
    if (!keepsFocus) giveFocus(firstControl(popover), { preventScroll: true })
    const onToggle = (event: ToggleEvent) => {
      if (event.target === popover && event.newState === 'closed') close.current()
    }
    popover.addEventListener('toggle', onToggle as EventListener)
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      // It may lie over what has the focus then.
      if (relatedTarget instanceof Node && !popover.contains(relatedTarget)) close.current()
    }
    if (!keepsFocus) popover.addEventListener('focusout', onFocusOut)
    return () => {
      popover.removeEventListener('focusout', onFocusOut)
      popover.removeEventListener('toggle', onToggle as EventListener)
      const hadFocus =
        popover.contains(document.activeElement) || document.activeElement === document.body
      uncover?.()
      if (popover.isConnected && popover.matches(':popover-open')) popover.hidePopover()
      if (hadFocus && before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true })
      }
    }
  }, [keepsFocus])

  usePlace(ref, anchor, placement)

  return (
    <div
      ref={ref}
      popover="auto"
      {...{ role, 'aria-label': label, onKeyDown }}
      tabIndex={-1}
      class={classes('surface popover', className)}
    >
      {children}
    </div>
  )
}

/** Keeps a popover beside its anchor. */
function usePlace(
  ref: RefObject<HTMLElement | null>,
  anchor: Element | Box,
  placement: Placement,
): void {
  useLayoutEffect(() => {
    const popover = ref.current
    if (!popover) return
    const settle = () => {
      const box = 'getBoundingClientRect' in anchor ? anchor.getBoundingClientRect() : anchor
      const size = { width: popover.offsetWidth, height: popover.offsetHeight }
      const { left, top } = place(
        box,
        size,
        { width: document.documentElement.clientWidth, height: window.innerHeight },
        placement,
      )
      popover.style.setProperty('--left', `${left}px`)
      popover.style.setProperty('--top', `${top}px`)
    }
    // Its size is known once it is open, and changes with its content.
    const observer = new ResizeObserver(settle)
    observer.observe(popover)
    window.addEventListener('resize', settle)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', settle)
    }
  }, [anchor, placement])
}

/**
 * Where popovers are sheets, as on a phone, makes all around one inert, as a modal dialog does. What only
 * speaks stays.
 *
 * @returns undoes this
 */
function coverPage(popover: HTMLElement): (() => void) | undefined {
  if (!matchMedia(phoneQuery).matches) return undefined
  const covered: HTMLElement[] = []
  for (let inner = popover; inner !== document.body; ) {
    const outer = inner.parentElement
    if (!outer) break
    for (const each of outer.children) {
      if (each === inner || !(each instanceof HTMLElement)) continue
      if (!each.inert && !each.matches('[role="status"], [aria-live]')) covered.push(each)
    }
    inner = outer
  }
  for (const each of covered) each.inert = true
  const uncover = () => {
    for (const each of covered.splice(0)) each.inert = false
    if (covers.includes(uncover)) covers.splice(covers.indexOf(uncover), 1)
  }
  covers.push(uncover)
  return uncover
}

const controls = 'button:not(:disabled), [href], input, select, textarea, [tabindex="0"]'

function firstControl(popover: HTMLElement): HTMLElement {
  return (
    popover.querySelector<HTMLElement>('[autofocus]') ??
    popover.querySelector<HTMLElement>(controls) ??
    popover
  )
}
