import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Strength, strengthOf } from '#client/settings/personal/passwords.ts'
import { fieldChoices, userIdsOf } from '#client/settings/personal/profile-values.ts'
import { sizeText } from '#client/ui/sizes.ts'

describe('the strength of a password', () => {
  const known = ['King Hamlet', 'hamlet@zulip.com']
  const table: readonly (readonly [password: string, Strength])[] = [
    ['', 'short'],
    ['x9$Kq2', 'short'],
    ['password123', 'weak'],
    ['aaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnop', 'weak'],
    ['kinghamlet!', 'weak'],
    ['x9$Kq2mW', 'fair'],
    ['correct horse', 'fair'],
    ['correct horse battery staple', 'strong'],
    ['x9$Kq2mW!tR7', 'strong'],
  ]
  for (const [password, expected] of table) {
    test(`${password || 'nothing'} is ${expected}`, () => {
      assert.equal(strengthOf(password, 8, known), expected)
    })
  }
})

test('sizes are told in the largest unit that fits', () => {
  const table = [
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1_300_000, '1.2 MiB'],
    [50 * 2 ** 30, '50 GiB'],
  ] as const
  for (const [bytes, expected] of table) assert.equal(sizeText(bytes), expected)
})

test('values of profile fields that cannot be read are none', () => {
  assert.deepEqual(userIdsOf('[7,"x",9]'), [7, 9])
  assert.deepEqual(userIdsOf('broken'), [])
  assert.deepEqual(fieldChoices('{"b":{"text":"B","order":"2"},"a":{"text":"A","order":"1"}}'), [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ])
  assert.deepEqual(fieldChoices(''), [])
})
