import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTally } from '#platform/fairness/tally.ts'

test('a tally counts for each client and in total, and gives back what was held once', () => {
  const tally = createTally()
  tally.add('a', 5)
  const release = tally.hold('b', 7)
  assert.deepEqual([tally.of('a'), tally.of('b'), tally.of('c'), tally.total], [5, 7, 0, 12])
  assert.equal(tally.heaviest(), 'b')
  release()
  release()
  assert.deepEqual([tally.of('b'), tally.total, tally.heaviest()], [0, 5, 'a'])
  tally.add('a', -5)
  assert.deepEqual([tally.total, tally.heaviest()], [0, ''])
})
