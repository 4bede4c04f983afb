import { signal } from '@preact/signals-core'

/** The time after the last key or movement until the user counts as idle, in milliseconds. */
const idleAfter = 5 * 60_000

let lastInput = Date.now()

/** Changes when the user comes back. */
export const returns = signal(0)

/** Whether nobody has touched this page for some minutes. */
export const isIdle = () => Date.now() - lastInput >= idleAfter

/** The user is there: they did something, or look at the page again. */
export function noteInput(): void {
  const wasIdle = isIdle()
  lastInput = Date.now()
  if (wasIdle) returns.value++
}

for (const input of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus']) {
  addEventListener(input, noteInput, { passive: true, capture: true })
}
