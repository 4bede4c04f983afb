import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paneAfter } from '#client/shell/swipe.ts'

test('a swipe goes to the pane beside, and nothing else does', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix = [
    ['main',  [120, 10, 200],  'left'],
    ['main',  [-120, 10, 200], 'right'],
    ['left',  [-120, 0, 200],  'main'],
    ['right', [120, 0, 200],   'main'],
    // There is nothing beyond.
    ['left',  [120, 0, 200],   'left'],
    ['right', [-120, 0, 200],  'right'],
    // Too short, too steep, too slow.
    ['main',  [40, 0, 100],    'main'],
    ['main',  [120, 80, 200],  'main'],
    ['main',  [120, 0, 1500],  'main'],
  ] as const
  for (const [pane, [dx, dy, ms], expected] of matrix) {
    assert.equal(paneAfter(pane, { dx, dy, ms }), expected, `${pane} ${dx} ${dy} ${ms}`)
  }
})
