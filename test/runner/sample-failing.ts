import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onFailure, waitingFor } from '#test/support/diagnosis.ts'

// Tests that fail on purpose, by which the runner is tested.

describe('a suite (of failures)', () => {
  test('passes', () => {})
  test("isn't equal", () => assert.equal(1, 2))
  test('hangs', { timeout: 1000 }, async () => {
    onFailure(async () => ['A picture of the page.'])
    waitingFor(() => 'the bell')
    let ring: NodeJS.Timeout | undefined
    try {
      await new Promise((_, reject) => {
        ring = setTimeout(reject, 12_000)
      })
    } finally {
      clearTimeout(ring)
    }
  })
  test('passes after all', () => {})
})
