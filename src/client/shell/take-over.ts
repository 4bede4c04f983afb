import { effect, type ReadonlySignal } from '@preact/signals-core'
import { useLayoutEffect } from 'preact/hooks'
import { hideLastScreen, isLastScreenShown } from '#client/commands/last-screen.ts'
import { partsAwaited } from '#client/ui/lazy.tsx'

/** The longest that the picture of the last page covers the screen, in milliseconds. */
const patience = 5000

/**
 * Takes the picture of what the last page showed away once all of the screen is drawn behind it, or
 * someone does something.
 *
 * @param areMessagesShown the rest of the screen waits for them
 */
export function useTakeOver(areMessagesShown: ReadonlySignal<boolean>): void {
  useLayoutEffect(() => {
    if (!isLastScreenShown()) return
    const ending = new AbortController()
    const { signal } = ending
    const takeOver = () => {
      ending.abort()
      hideLastScreen()
    }
    for (const type of ['pointerdown', 'keydown', 'wheel', 'resize'] as const) {
      addEventListener(type, takeOver, { capture: true, passive: true, signal })
    }
    const timer = setTimeout(takeOver, patience)
    const stop = effect(() => {
      if (!areMessagesShown.value || partsAwaited.value > 0) return
      // Parts that waited for the messages are drawn by then, or awaited.
      requestAnimationFrame(() =>
        setTimeout(() => {
          if (!signal.aborted && partsAwaited.peek() === 0) takeOver()
        }),
      )
    })
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      stop()
    })
    return () => ending.abort()
  }, [areMessagesShown])
}
