import { whenFirstShown } from './first-screen.ts'

/** How long until it is tried again, in milliseconds: at first, then twice as long each time, and at most. */
const patience = { first: 10_000, longest: 300_000 }

/**
 * Loads a part after the first screen, and starts it. Until it can be loaded, the client works without
 * it.
 *
 * @param load gives what starts it and returns what ends it
 * @param when what it waits for
 * @returns ends it, or keeps it from starting
 */
export function startLoaded(
  load: () => Promise<() => () => void>,
  when: Promise<void> = whenFirstShown(),
): () => void {
  // What was ended before it began is not kept for as long as it would have waited.
  let wanted: typeof load | undefined = load
  let stop: (() => void) | undefined

  async function begin(): Promise<void> {
    await when
    for (let rest = patience.first; ; rest = Math.min(2 * rest, patience.longest)) {
      const start = await wanted?.().catch(() => undefined)
      if (!wanted) return
      if (start) {
        stop = start()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }

  void begin()
  return () => {
    wanted = undefined
    stop?.()
  }
}
