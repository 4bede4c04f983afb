import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signal } from '@preact/signals-core'
import { followPart, type LaterText } from '#client/compose/later-text.ts'
import { apply } from '#client/compose/text-edits.ts'

/** Numbers from 0 to below a limit, the same for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * limit)
  }
}

function textBox(content: string) {
  const text = signal<string | undefined>(content)
  const later: LaterText = {
    read: () => text.value,
    replace: (change) => {
      text.value = apply(text.peek() ?? '', change)
    },
  }
  return { text, later }
}

describe('a part of a text that is followed', () => {
  for (let seed = 1; seed <= 200; seed++) {
    test(`is found after any keys beside it, and left alone after one in it (${seed})`, () => {
      const random = randomFrom(seed)
      const letters = (count: number) =>
        Array.from({ length: count }, () => 'abc '[random(4)]).join('')
      const [before, after] = [letters(random(30)), letters(random(30))]
      const part = 'PQ'.repeat(1 + random(4))
      const { text, later } = textBox(before + part + after)
      const replace = followPart(later, before.length, before.length + part.length)
      let [left, right] = [before, after]
      let isLeft = true
      for (let key = random(12); key > 0; key--) {
        const insert = letters(random(5))
        const isBefore = random(2) === 0
        const side = isBefore ? left : right
        const from = random(side.length + 1)
        const to = from + random(side.length - from + 1)
        const changed = apply(side, { from, to, insert })
        if (isBefore) left = changed
        else right = changed
        text.value = left + part + right
      }
      if (random(4) === 0) {
        isLeft = false
        text.value = left + part.slice(1) + right
      }
      const last = text.peek()
      replace(() => '*new*')
      assert.equal(text.peek(), isLeft ? `${left}*new*${right}` : last)
    })
  }

  for (const [what, before, after, expected] of [
    ['typed before it', 'xx', 'xxx', 'x_'],
    ['deleted before it', 'xxx', 'xx', '_'],
    ['the whole text is gone', 'xx', '', ''],
  ] as const) {
    test(`that is like what is beside it stays one of these: ${what}`, () => {
      const { text, later } = textBox(before)
      const replace = followPart(later, 0, before.length)
      text.value = after
      replace(() => '_')
      assert.equal((text.peek() ?? '').replaceAll('x', '').length <= 1, true, expected)
    })
  }

  test('is not replaced once the text is sent, nor where it is to stay', () => {
    const sent = textBox('a P b')
    const replaceSent = followPart(sent.later, 2, 3)
    sent.text.value = undefined
    replaceSent(() => 'new')
    assert.equal(sent.text.peek(), undefined)
    const kept = textBox('a P b')
    followPart(
      kept.later,
      2,
      3,
    )((before, after) => {
      assert.deepEqual([before, after], ['a ', ' b'])
      return undefined
    })
    assert.equal(kept.text.peek(), 'a P b')
  })
})
