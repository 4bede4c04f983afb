import type { Clock } from './clock.ts'

/**
 * Long work in steps of a few milliseconds at most, so that others have their turn between them. If
 * a step yields a promise, the work continues once it is settled. Anything may have changed between
 * two steps. A step may get a value from whoever runs it.
 */
export type Steps<T, Given = undefined> = Generator<Promise<void> | undefined, T, Given>

/** How long to work before others have their turn, in milliseconds. */
export const turnMs = 5

/** Continues the work for one turn. @returns what its last step yielded or returned */
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

/** Finishes work that is known to be short and never waits, without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
