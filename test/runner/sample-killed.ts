import { describe, test } from 'node:test'

// A process that ends in the middle of a test, on purpose.

describe('a suite', () => {
  test('passes', () => {})
  describe('within it', () => {
    test('kills its process', async () => {
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    })
    test('never runs', () => {})
  })
})
