/** So long without a key is a pause, in milliseconds. */
const pauseMs = 1000
/** How long at most one is waited for. */
const patienceMs = 30_000

/** The pauses of someone who types. What takes longer than a frame waits for one, but not forever. */
export interface Pauses {
  /** Whether there is one, or none has come for too long since this was first asked. */
  isNow(): boolean
  stop(): void
}

/**
 * @param keys where `keydown` events come by
 * @param now a time in milliseconds that never goes back
 */
export function watchPauses(keys: EventTarget, now = () => performance.now()): Pauses {
  let keyAt = Number.NEGATIVE_INFINITY
  let waitsSince: number | undefined
  const note = () => {
    keyAt = now()
  }
  keys.addEventListener('keydown', note, { capture: true, passive: true })
  return {
    isNow() {
      waitsSince ??= now()
      if (now() - keyAt < pauseMs && now() - waitsSince < patienceMs) return false
      waitsSince = undefined
      return true
    },
    stop: () => keys.removeEventListener('keydown', note, { capture: true }),
  }
}
