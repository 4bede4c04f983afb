import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { excess, roomLeft } from '#client/compose/lengths.ts'

describe('the room that is left in a message', () => {
  for (const most of [10, 100, 10_000]) {
    for (const character of ['a', 'é', '🎉']) {
      const text = (count: number) => character.repeat(count)
      test(`of ${most} characters such as ${character} is told from nine tenths on`, () => {
        assert.equal(roomLeft(text(0), most), undefined)
        assert.equal(roomLeft(text(0.9 * most), most), undefined)
        assert.equal(roomLeft(text(0.9 * most + 1), most), 0.1 * most - 1)
        assert.equal(roomLeft(text(most), most), 0)
        assert.equal(roomLeft(text(most + 3), most), -3)
        const tooMany = [most - 1, most, most + 3].map((count) => excess(text(count), most))
        assert.deepEqual(tooMany, [0, 0, 3])
      })
    }
  }
})
