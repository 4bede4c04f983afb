import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, drawShare } from './drawing.ts'

const list = Array.from({ length: 20 }, (_, i) => i)

test('six seeds in a row draw each value of a list once, a sixth of them each', () => {
  const drawn = [-2, -1, 0, 1, 2, 3].map((seed) => drawShare(list, 6, seed))
  for (const values of drawn) assert.ok(values.length === 3 || values.length === 4)
  assert.deepEqual(
    drawn.flat().sort((a, b) => a - b),
    list,
  )
})

test('the same seed gives the same random numbers, and another seed others', () => {
  const first = (seed: number) => {
    const next = createRandom(seed)
    return list.map(() => next())
  }
  assert.deepEqual(first(20_000), first(20_000))
  assert.notDeepEqual(first(20_000), first(20_001))
})
