import { useSignal } from '@preact/signals'
import { effect, type ReadonlySignal } from '@preact/signals-core'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { markFirstShown } from '#client/ui/first-screen.ts'
import { whenIdle } from '#client/ui/idle.ts'
import { preloadParts } from './parts.ts'

/** The longest that the rest of the screen waits, in milliseconds. */
const patience = 1000

/**
 * Whether the messages that the page opened with are on the screen, if it opened with messages. The
 * rest of the screen waits for that, because a slow machine would draw it when they arrive.
 */
export function useFirstMessages(): ReadonlySignal<boolean> {
  const app = useApp()
  const areShown = useSignal(app.router.view.peek().kind !== 'messages')

  useEffect(() => {
    const show = () => {
      areShown.value = true
      markFirstShown()
      // Not before: the first messages would wait for them.
      preloadParts()
    }
    if (areShown.peek()) return show()
    const timer = setTimeout(show, patience)
    const stop = effect(() => {
      const isMessages = app.router.view.value.kind === 'messages'
      const status = app.pane.value?.list.status.value
      const isDone = !isMessages || (status && !status.isOpening)
      if (isDone) requestAnimationFrame(() => whenIdle(show))
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [app, areShown])

  return areShown
}
