import assert from 'node:assert/strict'

/** Work that does not depend on the size. */
const usualWork = 60

/**
 * Requires that twice the input takes about twice the work. Where some of it is squared, it comes to
 * take four times.
 */
export function assertProportional(what: string, half: number, whole: number): void {
  assert.ok(whole <= 3 * half + usualWork, `${what}: ${half} steps, and ${whole} for twice as much`)
}
