/** So long without an act is a pause, in milliseconds. */
const pauseMs = 1000
/** How long at most one is waited for. */
const patienceMs = 30_000

/** Someone types, points, scrolls, or goes somewhere, and may do so again in a moment. */
const acts = ['keydown', 'pointerdown', 'wheel', 'touchmove', 'popstate', 'hashchange']

/** The pauses of someone who acts. What takes longer than a frame waits for one, but not forever. */
export interface Pauses {
  /** Whether there is one, or none has come for too long since this was first asked. */
  isNow(): boolean
  stop(): void
}

/**
 * @param page where the events of acts come by
 * @param now a time in milliseconds that never goes back
 */
export function watchPauses(page: EventTarget, now = () => performance.now()): Pauses {
  let actedAt = Number.NEGATIVE_INFINITY
  let waitsSince: number | undefined
  const note = () => {
    actedAt = now()
  }
  for (const act of acts) page.addEventListener(act, note, { capture: true, passive: true })
  return {
    isNow() {
      waitsSince ??= now()
      if (now() - actedAt < pauseMs && now() - waitsSince < patienceMs) return false
      waitsSince = undefined
      return true
    },
    stop() {
      for (const act of acts) page.removeEventListener(act, note, { capture: true })
    },
  }
}
