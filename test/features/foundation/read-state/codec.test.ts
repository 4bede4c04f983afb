import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { appendId, decode, encode, includes } from '#features/foundation/read-state/codec.ts'
import { contains, fromIds, type Ranges, union } from '#platform/ranges.ts'

const small = fc.uniqueArray(fc.nat(40), { maxLength: 30 }).map((ids) => ids.sort((a, b) => a - b))
const big = fc
  .uniqueArray(fc.nat(Number.MAX_SAFE_INTEGER - 2))
  .map((ids) => fromIds(ids.sort((a, b) => a - b)))

function property<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
): void {
  fc.assert(fc.property<T>(...arbitraries, holds), { numRuns: 300, seed: 7 })
}

describe('the stored form of read ids', () => {
  test('decodes to what was encoded, up to the largest ids', () => {
    property([big], (ranges) => assert.deepEqual(decode(encode(ranges)), ranges))
    assert.equal(encode([]).length, 0)
  })

  test('of a caught-up reader takes a few bytes', () => {
    assert.equal(encode([0, 1_000_001]).length, 6)
  })

  test('grows by a newer id as the set does', () => {
    property([big, fc.nat(300), fc.option(fc.nat(300))], (ranges, ahead, back) => {
      const newest = ranges.at(-1) ?? 0
      fc.pre(newest + ahead < Number.MAX_SAFE_INTEGER - 1 && newest + ahead > (back ?? 0))
      const id = newest + ahead
      const previous = back === null ? undefined : id - 1 - back
      const isPreviousUnread = previous !== undefined && previous >= newest
      const from = isPreviousUnread ? id : (ranges.at(-1) ?? 0)
      assert.deepEqual(
        decode(appendId(encode(ranges), id, previous)),
        union(ranges, [from, id + 1]),
      )
    })
  })

  test('says which ids it holds, as the set does', () => {
    property([small, fc.nat(45)], (ids, id) => {
      const ranges = fromIds(ids)
      assert.equal(includes(encode(ranges), id), contains(ranges, id))
    })
  })

  test('does not change when the id is already in its newest range', () => {
    const bytes = encode([3, 9])
    assert.deepEqual(appendId(bytes, 5, 4), bytes)
  })

  const damaged: [string, number[]][] = [
    ['a number without an end', [0x80]],
    ['a range without a length', [0x05]],
    ['an empty range', [0x05, 0x00]],
    ['a range that starts below zero', [0x05, 0x06]],
    ['ranges without a gap between them', [0x05, 0x01, 0x00, 0x01]],
    ['an older range that starts below zero', [0x05, 0x01, 0x04, 0x01]],
    ['a number with a useless last byte', [0x85, 0x00, 0x01]],
    ['a number beyond what is exact', [...Array<number>(8).fill(0xff), 0x01, 0x01]],
    ['a number of endless zeros', [...Array<number>(400).fill(0x80), 0x01, 0x01]],
  ]
  for (const [what, bytes] of damaged) {
    test(`with ${what} is refused`, () => {
      assert.throws(() => decode(Uint8Array.from(bytes)), /damaged/)
    })
  }

  test('is never silently wrong: any bytes are refused or are a canonical form', () => {
    property([fc.uint8Array({ maxLength: 12 })], (bytes) => {
      let ranges: Ranges
      try {
        ranges = decode(bytes)
      } catch {
        return
      }
      assert.deepEqual(encode(ranges), bytes)
    })
  })
})
