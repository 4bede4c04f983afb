import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  findFirst,
  listIds,
  listTopicIds,
  listTopics,
  newestId,
  voidsAround,
} from '#features/foundation/read-state/scans.queries.ts'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { fromIds, type Ranges, subtract } from '#platform/ranges.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Read } from '#platform/store/store.ts'

const db = openDatabase(':memory:')
after(() => db.$client.close())
const read: Read = { db, clock: manualClock(0), config: defaultConfig }

/** Messages 1 to 1000: long stretches and single ones of recipient 1 between those of others. */
const last = 1000
const isOwn = (id: number) => id % 200 < 120 || id % 7 === 0
const own = Array.from({ length: last }, (_, i) => i + 1).filter(isOwn)
const isThere = (id: number) => id >= 1 && id <= last && isOwn(id)
/** With characters that JSON escapes. */
const topicOf = (id: number) => `"topic\\ ${id % 3}\n\u2028 ✔ 😀`
const insert = db.$client.prepare(`
  INSERT INTO messages (recipient_id, sender_id, topic, topic_key, content, rendered_content,
    sent_at, client) VALUES (?, 1, ?, ?, '', '', 0, '')`)
for (let id = 1; id <= last; id++) insert.run(isOwn(id) ? 1 : 2, topicOf(id), topicOf(id))

/** Sets of every texture, from scattered ids to a few long ranges. */
const sets = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(150), fc.nat(150)), { maxLength: 40, size: 'max' }),
    fc.integer({ min: 1, max: 20 }),
  )
  .map(([steps, scale]) => {
    const ids: number[] = []
    let at = 0
    for (const [skip, length] of steps) {
      at += Math.ceil((skip + 1) / scale)
      for (let i = 0; i <= length / scale; i++) ids.push(at++)
    }
    return ids.filter((id) => id <= last + 5)
  })

function property(holds: (ids: number[], set: Ranges) => void): void {
  fc.assert(
    fc.property(sets, (ids) => holds(ids, fromIds(ids))),
    { numRuns: 500, seed: 5 },
  )
}

test('lists exactly the messages of a recipient that are in a set', () => {
  property((ids, set) => {
    const wanted = new Set(ids)
    const expected = own.filter((id) => wanted.has(id))
    const ofOthers = ids.filter((id) => id >= 1 && id <= last && !isOwn(id))
    const parts = [2, 1, 3].map((recipientId) => ({ recipientId, set }))
    assert.deepEqual(listIds(read, { recipientId: 1, set }), expected)
    assert.deepEqual(listIds(read, ...parts), [...ofOthers, ...expected])
    assert.deepEqual(listTopics(read, parts), {
      recipientIds: [...ofOthers.map(() => 2), ...expected.map(() => 1)],
      ids: [...ofOthers, ...expected],
      topics: [...ofOthers, ...expected].map(topicOf),
    })
    assert.equal(findFirst(read, 1, set), expected[0])
    assert.deepEqual(
      listTopicIds(read, 1, topicOf(1), set),
      expected.filter((id) => id % 3 === 1),
    )
  })
})

test('finds the voids around ids, whether or not the recipient has them', () => {
  property((ids) => {
    const voids = voidsAround(read, 1, ids)
    const expected = new Set<number>()
    for (const id of ids) {
      expected.add(id)
      for (let below = id - 1; below >= 0 && !isThere(below); below--) expected.add(below)
      for (let above = id + 1; above <= last + 10 && !isThere(above); above++) expected.add(above)
    }
    assert.deepEqual(
      subtract(voids, [last + 11, Number.MAX_SAFE_INTEGER]),
      fromIds([...expected].sort((a, b) => a - b)),
    )
  })
})

test('knows the newest message of a recipient, if it has any', () => {
  assert.equal(newestId(read, 1), own.at(-1))
  assert.equal(newestId(read, 3), undefined)
})
