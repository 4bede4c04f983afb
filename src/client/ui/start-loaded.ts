/**
 * Starts a part once it is loaded. If it cannot be loaded, the client works without it, and the next
 * start brings it.
 *
 * @param loading gives what starts it and returns what ends it
 * @returns ends it, or keeps it from starting
 */
export function startLoaded(loading: Promise<() => () => void>): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  loading.then(
    (start) => {
      if (!isOver) stop = start()
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}
