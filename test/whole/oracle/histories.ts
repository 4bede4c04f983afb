import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, seed } from '#test/support/drawing.ts'
import { type Plan, randomPlan } from './actions.ts'
import { run } from './run.ts'

function plansOf(from: number, steps: number): Plan[] {
  const next = createRandom(from)
  const below = (limit: number) => Math.floor(next() * limit)
  return Array.from({ length: steps }, () => randomPlan(below))
}

/** Leaves out what the failure does not need, in ever smaller pieces, for a limited number of runs. */
async function shrink(plans: readonly Plan[]): Promise<readonly Plan[]> {
  let shortest = plans
  let left = 120
  for (let size = plans.length >> 1; size > 0 && left > 0; size >>= 1) {
    for (let at = 0; at < shortest.length && left > 0; left--) {
      const fewer = [...shortest.slice(0, at), ...shortest.slice(at + size)]
      const { failure } = await run(fewer)
      if (failure) shortest = fewer
      else at += size
    }
  }
  return shortest
}

/** Declares tests of so many random histories of so many steps each, which follow from the seed. */
export function testHistories(histories: number, steps: number): void {
  for (let history = 0; history < histories; history++) {
    test(`after ${steps} random actions, all users see what the rules allow: history ${history}`, async () => {
      const plans = plansOf(1000 * seed + history, steps)
      const { failure, taken, done } = await run(plans)
      if (!failure) {
        assert.ok(done > steps / 5, `${done} of ${steps} steps did something`)
        return
      }
      const shrunk = await run(await shrink(plans.slice(0, taken)))
      const { message } = (shrunk.failure ?? failure) as Error
      assert.fail(`TEST_SEED=${seed}\n${shrunk.log.join('\n')}\n${message}`)
    })
  }
}
