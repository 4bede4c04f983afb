import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedWords } from '#platform/events/shared-words.ts'

test('lists with the same words are one, with one set', () => {
  const shared = sharedWords()
  const words = shared(['message', 'reaction'])
  assert.deepEqual([...words.set], ['message', 'reaction'])
  assert.equal(shared(['message', 'reaction']), words)
  assert.notEqual(shared(['message reaction']), words)
  assert.notEqual(shared(['message']), words)
})

test('as many lists as a client may think of are not remembered', () => {
  const shared = sharedWords()
  const words = shared(['message'])
  for (let i = 0; i < 1000; i++) assert.deepEqual(shared([`type ${i}`]).list, [`type ${i}`])
  assert.notEqual(shared(['message']), words)
})
