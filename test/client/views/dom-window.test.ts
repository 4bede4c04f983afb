import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { positionOf } from '#client/lists/ids.ts'
import {
  carryRange,
  drift,
  followTo,
  growRange,
  idleRange,
  maxRows,
  openRange,
  rowsToHold,
} from '#client/views/dom-window.ts'

const ids = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i)

describe('the part of a list that is drawn', () => {
  test('opens with sixteen rows around the anchor, and no more than there are', () => {
    assert.deepEqual(openRange(1000, 500), { from: 495, to: 511 })
    assert.deepEqual(openRange(1000, 999), { from: 984, to: 1000 })
    assert.deepEqual(openRange(1000, 0), { from: 0, to: 16 })
    assert.deepEqual(openRange(5, 4), { from: 0, to: 5 })
    assert.deepEqual(openRange(0, -1), { from: 0, to: 0 })
  })

  test('grows by slices to its bound while idle, to both sides', () => {
    let range = openRange(1000, 500)
    for (let steps = 0; ; steps++) {
      const next = idleRange(range, 1000, 500)
      if (!next) break
      assert.ok(next.to - next.from - (range.to - range.from) <= 10)
      assert.ok(steps < 50)
      range = next
    }
    assert.equal(range.to - range.from, maxRows)
    assert.ok(Math.abs(500 - range.from - (range.to - 500)) <= 20)
  })

  test('is not filled beyond what it is told to be', () => {
    assert.deepEqual(idleRange({ from: 500, to: 595 }, 1000, 500, 100), { from: 495, to: 595 })
    assert.equal(idleRange({ from: 495, to: 595 }, 1000, 500, 100), undefined)
    assert.deepEqual(growRange({ from: 400, to: 500 }, 1000, 'before', 420, 7, 100), {
      from: 393,
      to: 493,
    })
  })

  test('drops rows on the far side, but never the one that is read', () => {
    assert.deepEqual(growRange({ from: 0, to: 250 }, 1000, 'after', 200), { from: 10, to: 260 })
    assert.deepEqual(growRange({ from: 300, to: 550 }, 1000, 'before', 320), { from: 290, to: 540 })
    assert.deepEqual(growRange({ from: 0, to: 250 }, 1000, 'after', 3), { from: 3, to: 253 })
    assert.deepEqual(growRange({ from: 0, to: 30 }, 30, 'after', 3), { from: 0, to: 30 })
  })

  test('stays the same messages when others come and go', () => {
    const before = ids(100)
    assert.deepEqual(carryRange({ from: 20, to: 60 }, before, [...ids(50, -49), ...before], true), {
      from: 70,
      to: 110,
    })
    const without = before.filter((id) => id !== 21 && id !== 30)
    assert.deepEqual(carryRange({ from: 20, to: 60 }, before, without, true), { from: 20, to: 58 })
    const longer = ids(103)
    assert.deepEqual(carryRange({ from: 60, to: 100 }, before, longer, true), { from: 60, to: 103 })
    assert.deepEqual(carryRange({ from: 60, to: 100 }, before, longer, false), {
      from: 60,
      to: 100,
    })
    assert.deepEqual(carryRange({ from: 0, to: 0 }, [], ids(3), true), { from: 0, to: 3 })
  })

  test('finds ids by halving', () => {
    assert.equal(positionOf([1, 3, 5], 3), 1)
    assert.equal(positionOf([1, 3, 5], 4), 2)
    assert.equal(positionOf([], 4), 0)
  })
})

describe('the row that does not move', () => {
  test('is the uppermost whose top edge is in sight', () => {
    const rows = [
      { id: 1, top: -30 },
      { id: 2, top: 20 },
      { id: 3, top: 90 },
    ]
    assert.deepEqual(
      rowsToHold(rows, 32).map((row) => row.id),
      [3, 2, 1],
    )
  })

  test('is followed by the next one where it goes', () => {
    const place = {
      rows: [
        { id: 2, top: 50 },
        { id: 3, top: 90 },
      ],
      isAtEnd: false,
    }
    assert.equal(
      drift(place, (id) => (id === 2 ? 75 : 115)),
      25,
    )
    assert.equal(
      drift(place, (id) => (id === 3 ? 50 : undefined)),
      -40,
    )
    assert.equal(
      drift(place, () => undefined),
      0,
    )
  })

  test('what the user scrolled meanwhile is no drift', () => {
    const place = { rows: [{ id: 2, top: 50 }], isAtEnd: false }
    // Scrolled up by 100: the row is farther down, and 30 more for what grew above it.
    assert.equal(
      drift(place, () => 180, -100),
      30,
    )
    assert.equal(
      drift(place, () => undefined, -100),
      0,
    )
  })

  test('at the end, new messages are followed until the first unread one touches the top', () => {
    assert.equal(followTo(900, undefined), 900)
    assert.equal(followTo(900, 1200), 900)
    assert.equal(followTo(900, 700), 700)
  })
})
