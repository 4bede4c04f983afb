import { whenFirstShown } from './first-screen.ts'

/**
 * Loads a part after the first screen, and starts it. If it cannot be loaded, the client works without
 * it, and the next start brings it.
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
  const loading = when.then(() => wanted?.())
  loading.then(
    (start) => {
      if (wanted) stop = start?.()
    },
    () => undefined,
  )
  return () => {
    wanted = undefined
    stop?.()
  }
}
