/** Whether the last input came from a mouse or a finger, and not from a key. */
let isPointing = false
for (const type of ['keydown', 'pointerdown']) {
  globalThis.addEventListener?.(type, () => (isPointing = type === 'pointerdown'), true)
}

/**
 * Focuses a control of something that opens. After a click, only what one writes in gets a ring: WebKit
 * would draw it around buttons as well, since those do not take the focus there when they are clicked.
 */
export function giveFocus(control: HTMLElement, options?: FocusOptions): void {
  const hasRing = !isPointing || control.matches('input, textarea')
  control.focus(hasRing ? options : { ...options, focusVisible: false })
}
