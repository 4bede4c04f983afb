import assert from 'node:assert/strict'
import { test } from 'node:test'
import { place } from '#client/ui/place.ts'

const screen = { width: 1000, height: 600 }
const menu = { width: 200, height: 300 }

test('a popover stands below its anchor, or above it where there is no room below', () => {
  const high = { left: 100, top: 50, width: 40, height: 20 }
  const low = { left: 100, top: 500, width: 40, height: 20 }
  assert.deepEqual(place(high, menu, screen, 'bottom-start'), { left: 100, top: 74 })
  assert.deepEqual(place(low, menu, screen, 'bottom-start'), { left: 100, top: 196 })
})

test('a popover keeps inside the window', () => {
  const corner = { left: 990, top: 590, width: 10, height: 10 }
  for (const placement of ['bottom-start', 'bottom-end', 'top-start', 'right', 'left'] as const) {
    const { left, top } = place(corner, menu, screen, placement)
    assert.ok(left >= 8 && left + menu.width <= 992, `${placement} ${left}`)
    assert.ok(top >= 8 && top + menu.height <= 592, `${placement} ${top}`)
  }
})

test('a popover beside its anchor goes to the other side where it does not fit', () => {
  const right = { left: 900, top: 100, width: 50, height: 20 }
  assert.deepEqual(place(right, menu, screen, 'right'), { left: 696, top: 100 })
})

test('what is larger than the window begins at its edge', () => {
  const anchor = { left: 10, top: 10, width: 10, height: 10 }
  const { left, top } = place(anchor, { width: 2000, height: 900 }, screen, 'bottom-start')
  assert.deepEqual({ left, top }, { left: 8, top: 8 })
})
