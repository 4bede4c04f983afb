import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsAt, pullOf } from '#client/views/pulls.ts'

test('a finger pulls a row only back, far enough, and more sideways than down', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix = [
    [-5,   0,   undefined],
    [-30,  5,   18],
    [-30,  -20, undefined],
    [60,   0,   undefined],
    [-400, 30,  80],
  ] as const
  for (const [dx, dy, expected] of matrix) assert.equal(pullOf(dx, dy), expected, `${dx} ${dy}`)
  assert.deepEqual([actsAt(55), actsAt(56)], [false, true])
})
