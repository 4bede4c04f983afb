/**
 * Long work that pauses between its steps, each of which takes a few milliseconds at most, so that
 * others have their turn meanwhile; until a promise is settled, if the step yields one. A step may
 * find that anything has changed since the last one.
 */
export type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

/** The result of work that is known to be short and to wait for nothing, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
