import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initials } from '#shared/initials.ts'

test('initials are the first letters of the first and the last word', () => {
  const names = [
    'King Hamlet',
    'aaron',
    'Prospero from The Tempest',
    ' Élodie  Ünal ',
    '😀 Smile',
    '',
  ]
  assert.deepEqual(names.map(initials), ['KH', 'A', 'PT', 'ÉÜ', '😀S', ''])
})
