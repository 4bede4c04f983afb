import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { movedSelection } from '#client/ui/listbox.ts'

describe('arrow keys', () => {
  test('go around in a list, from nothing to either end', () => {
    const from = (selected: number) =>
      ['ArrowDown', 'ArrowUp'].map((key) => movedSelection(key, { selected, count: 3 }))
    assert.deepEqual([-1, 0, 1, 2].map(from), [
      [0, 2],
      [1, 2],
      [2, 0],
      [0, 1],
    ])
  })
  test('stop at the edges of a grid', () => {
    const grid = { count: 8, columns: 3 }
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
    const from = (selected: number) => keys.map((key) => movedSelection(key, { ...grid, selected }))
    assert.deepEqual([0, 4, 7].map(from), [
      [0, 1, 0, 3],
      [3, 5, 1, 7],
      [6, 7, 4, 7],
    ])
  })
  test('to the sides move in the text while the first option of a grid is selected', () => {
    const typed = { count: 8, columns: 3, isInText: true }
    assert.equal(movedSelection('ArrowRight', { ...typed, selected: 0 }), undefined)
    assert.equal(movedSelection('ArrowRight', { ...typed, selected: 1 }), 2)
  })
  test('do nothing where there are no options, or to the sides of a list', () => {
    assert.equal(movedSelection('ArrowDown', { selected: -1, count: 0 }), undefined)
    assert.equal(movedSelection('ArrowDown', { selected: -1, count: 0, columns: 3 }), undefined)
    assert.equal(movedSelection('ArrowLeft', { selected: 0, count: 3 }), undefined)
  })
})
