import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayAbort } from '#platform/store/node-versions.ts'

test('releases of Node that may end the process are known', () => {
  const releases: [version: string, expected: boolean][] = [
    ['20.15.0', false],
    ['22.23.3', false],
    ['24.18.1', false],
    ['24.19.0', true],
    ['24.21.0', true],
    ['25.0.0', true],
  ]
  for (const [version, expected] of releases) assert.equal(mayAbort(version), expected, version)
})
