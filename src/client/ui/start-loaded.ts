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
  let isOver = false
  let stop: (() => void) | undefined
  const loading = when.then(() => (isOver ? undefined : load()))
  loading.then(
    (start) => {
      if (!isOver) stop = start?.()
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}
