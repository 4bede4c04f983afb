import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countAfter } from '#client/lists/ids.ts'

test('counts the ids above one, whether or not it is among them', () => {
  const ids = [2, 4, 4.5, 9]
  const counts = [1, 2, 3, 4, 4.2, 4.5, 8, 9, 10].map((id) => countAfter(ids, id))
  assert.deepEqual(counts, [4, 3, 3, 2, 2, 1, 1, 0, 0])
  assert.equal(countAfter([], 1), 0)
})
