import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readsOnSight, readsToEnd, seenIds } from '#client/lists/near-reading.ts'
import type { Narrow } from '#client/narrow/narrow.ts'

const narrows: Readonly<Record<string, Narrow>> = {
  topic: { kind: 'topic', channelId: 4, topic: 'plans' },
  direct: { kind: 'direct', userIds: [9] },
  channel: { kind: 'channel', channelId: 4 },
  all: { kind: 'all' },
  'all-direct': { kind: 'all-direct' },
  mentions: { kind: 'mentions' },
  starred: { kind: 'starred' },
  reactions: { kind: 'reactions' },
  search: { kind: 'search', terms: [] },
}

describe('what looking at messages reads, by policy', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, boolean, boolean, boolean][] = [
    //            always conversations never
    ['topic',      true,  true,  false],
    ['direct',     true,  true,  false],
    ['channel',    true,  false, false],
    ['all',        true,  false, false],
    ['all-direct', true,  false, false],
    ['mentions',   false, false, false],
    ['starred',    false, false, false],
    ['reactions',  false, false, false],
    ['search',     false, false, false],
  ]
  for (const [kind, ...expected] of matrix) {
    test(kind, () => {
      const read = [1, 2, 3].map((policy) => readsOnSight({ ...seen(kind), policy }))
      assert.deepEqual(read, expected)
    })
  }
  const seen = (kind: string) => ({
    narrow: narrows[kind] ?? { kind: 'all' },
    policy: 1,
    isFocused: true,
    isCovered: false,
    isHeld: false,
    hidesOlderUnread: false,
  })
  test('the key to the end reads what is not fetched of a conversation or channel as well', () => {
    const reads = (policy: number) =>
      Object.keys(narrows).filter((kind) => readsToEnd(seen(kind).narrow, policy))
    assert.deepEqual([1, 2, 3].map(reads), [
      ['topic', 'direct', 'channel'],
      ['topic', 'direct'],
      [],
    ])
  })
  test('nothing is read without the focus, beneath a dialog, while held, or past unread ones', () => {
    assert.equal(readsOnSight({ ...seen('topic'), isFocused: false }), false)
    assert.equal(readsOnSight({ ...seen('topic'), isCovered: true }), false)
    assert.equal(readsOnSight({ ...seen('topic'), isHeld: true }), false)
    assert.equal(readsOnSight({ ...seen('topic'), hidesOlderUnread: true }), false)
  })
})

test('of what was in sight everything is read at the end, above it what the selection passed', () => {
  const shown = [2, 4, 6]
  assert.deepEqual(seenIds({ shown, isAtEnd: true, passedId: 1 }), [2, 4, 6])
  assert.deepEqual(seenIds({ shown, isAtEnd: false, passedId: 4 }), [2, 4])
  assert.deepEqual(seenIds({ shown, isAtEnd: false, passedId: undefined }), [])
})
