import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  bridged,
  closeOver,
  contains,
  covers,
  fromIds,
  intersect,
  type Ranges,
  span,
  subtract,
  union,
} from '#platform/ranges.ts'

const small = fc.uniqueArray(fc.nat(40), { maxLength: 30 }).map((ids) => ids.sort((a, b) => a - b))
const universe = Array.from({ length: 45 }, (_, id) => id)

const idsOf = (ranges: Ranges) => universe.filter((id) => contains(ranges, id))

function property<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
): void {
  fc.assert(fc.property<T>(...arbitraries, holds), { numRuns: 300, seed: 7 })
}

describe('a set of ids as ranges', () => {
  test('holds exactly the ids it was made from, repeated ones once', () => {
    property([small], (ids) => {
      assert.deepEqual(idsOf(fromIds(ids)), ids)
      assert.deepEqual(fromIds(ids.flatMap((id) => [id, id])), fromIds(ids))
    })
    assert.deepEqual(fromIds([1, 2, 3, 4, 9]), [1, 5, 9, 10])
  })

  test('unites, subtracts and intersects like sets', () => {
    property([small, small], (a, b) => {
      const [left, right] = [fromIds(a), fromIds(b)]
      assert.deepEqual(union(left, right), fromIds([...a, ...b].sort((x, y) => x - y)))
      assert.deepEqual(subtract(left, right), fromIds(a.filter((id) => !b.includes(id))))
      assert.deepEqual(intersect(left, right), fromIds(a.filter((id) => b.includes(id))))
    })
    property([small, fc.nat(40), fc.integer({ min: 1, max: 20 })], (ids, from, length) => {
      const inside = fromIds(ids.filter((id) => from <= id && id < from + length))
      assert.deepEqual(intersect(fromIds(ids), span(from, from + length)), inside)
      assert.deepEqual(intersect(span(from, from + length), fromIds(ids)), inside)
    })
  })

  test('knows what it covers', () => {
    property([small, fc.nat(40), fc.integer({ min: 1, max: 6 })], (ids, from, length) => {
      const asked = universe.filter((id) => from <= id && id < from + length)
      const ranges = fromIds(ids)
      assert.equal(
        covers(ranges, from, from + length),
        asked.every((id) => ids.includes(id)) && asked.length === length,
      )
    })
  })

  test('closes gaps that are no longer than allowed', () => {
    property([small, fc.nat(6)], (ids, most) => {
      const between = universe.filter((id) => {
        const below = ids.filter((one) => one < id).at(-1) ?? -Infinity
        const above = ids.find((one) => one > id) ?? Infinity
        return !ids.includes(id) && above - below - 1 <= most
      })
      const expected = fromIds([...ids, ...between].sort((a, b) => a - b))
      assert.deepEqual(bridged(fromIds(ids), most), expected)
    })
  })

  test('closes the gaps below and between ranges that lie in voids, never the one above', () => {
    property([small, small], (ids, others) => {
      const ranges = fromIds(ids)
      const voids = subtract([0, 50], fromIds(others))
      const closed = closeOver(ranges, voids)
      const newest = ids.at(-1) ?? -1
      for (const id of universe.filter((one) => !ids.includes(one))) {
        const below = ids.filter((one) => one < id).at(-1) ?? -1
        const above = ids.find((one) => one > id) ?? Infinity
        const isVoid = others.every((one) => one <= below || one >= above)
        assert.equal(contains(closed, id), id < newest && isVoid, `id ${id}`)
      }
    })
  })
})
