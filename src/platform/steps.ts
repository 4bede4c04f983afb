import type { Clock } from './clock.ts'

/**
 * Long work that pauses between its steps, each of which takes a few milliseconds at most, so that
 * others have their turn meanwhile; until a promise is settled, if the step yields one. A step may
 * find that anything has changed since the last one. Each may be given something to go on with.
 */
export type Steps<T, Given = undefined> = Generator<Promise<void> | undefined, T, Given>

/** How long to work before others have their turn, in milliseconds. */
export const turnMs = 5

/** Goes on with the work for one turn. @returns what its last step yielded or returned */
export function workOn<T, Given>(
  steps: Steps<T, Given>,
  clock: Clock,
  given: Given,
): IteratorResult<Promise<void> | undefined, T> {
  const until = clock.elapsed() + turnMs
  for (;;) {
    const step = steps.next(given)
    if (step.done || step.value || clock.elapsed() >= until) return step
  }
}

/** The result of work that is known to be short and to wait for nothing, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
