import { desktopApp } from '#client/notices/desktop-bridge.ts'
import { isIdle, noteInput } from '#client/ui/user-input.ts'

/** The activity of the user. */
export interface Activity {
  /** Whether the user did something in the last minutes, which others see as presence. */
  isActive(): boolean
  stop(): void
}

/** A page that was hidden, or a timer that stood still, for longer may have lost its connection. */
const sleepTime = 30_000
const tick = 5000
/** Events of the window that tell of the network. */
const changes = ['online', 'offline'] as const

/**
 * Follows the activity of the user and the machine.
 *
 * @param wake called when the network, the page or the whole machine comes back; when the network
 *   goes as well, since a connection that is lost then may not say so for long
 */
export function followActivity(wake: () => void): Activity {
  let lastTick = Date.now()
  let hiddenSince: number | undefined

  const shown = () => {
    if (document.hidden) {
      hiddenSince = Date.now()
      return
    }
    noteInput()
    if (hiddenSince !== undefined && Date.now() - hiddenSince > sleepTime) wake()
    hiddenSince = undefined
  }
  const timer = setInterval(() => {
    const slept = Date.now() - lastTick - tick
    lastTick = Date.now()
    // Browsers slow the timers of hidden pages down, so there it says nothing.
    if (slept > sleepTime && !document.hidden) wake()
  }, tick)

  document.addEventListener('visibilitychange', shown)
  for (const change of changes) addEventListener(change, wake)

  return {
    isActive: () =>
      desktopApp()?.get_idle_on_system?.() === false || (!document.hidden && !isIdle()),
    stop() {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', shown)
      for (const change of changes) removeEventListener(change, wake)
    },
  }
}
