import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixPlan } from '#platform/store/fixed-plans.ts'
import { openDatabase } from '#platform/store/open.ts'

const { $client: client } = openDatabase(':memory:')

describe('the plans of statements', () => {
  for (const [source, fixed] of [
    ['SELECT a FROM t WHERE b = ?', 'SELECT a FROM t WHERE b = +?'],
    ['WHERE b=@b AND c >= @c', 'WHERE b= +@b AND c >= +@c'],
    ['WHERE b IS ? OR c is  not\n@c', 'WHERE b IS +? OR c is  not +@c'],
    ['ORDER BY a LIMIT @most OFFSET 2', 'ORDER BY a LIMIT +@most OFFSET 2'],
    ['SELECT a AS limits, b FROM t', 'SELECT a AS limits, b FROM t'],
    [`WHERE a = '= ?' AND "b = ?" = ?`, `WHERE a = '= ?' AND "b = ?" = +?`],
    ["WHERE a = 'it''s = ?'", "WHERE a = 'it''s = ?'"],
    ['SELECT a -- where = ?\nFROM t', 'SELECT a -- where = ?\nFROM t'],
    ['WHERE a IN (?, ?) AND b MATCH ?', 'WHERE a IN (?, ?) AND b MATCH ?'],
  ] as const) {
    test(`${JSON.stringify(source)} is prepared as ${JSON.stringify(fixed)}`, () => {
      assert.equal(fixPlan(source), fixed)
      assert.equal(fixPlan(fixed), fixed)
    })
  }

  test('do not depend on what is bound', () => {
    const plan = client.prepare<[number], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT user_id FROM user_topics
       WHERE channel_id = 1 AND topic_key = 'lunch' AND policy = ?`,
    )
    const details = (policy: number) => plan.all(policy).map(({ detail }) => detail)
    // There is an index of the topics whose policy is 3.
    assert.deepEqual(details(3), details(1))
  })

  test('find and store values of every type as they are', () => {
    client.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, value)')
    const values = [1, 1.5, 'one', Buffer.from('one'), null]
    for (const value of values) client.prepare('INSERT INTO things (value) VALUES (?)').run(value)
    const found = client.prepare('SELECT id FROM things WHERE value IS ? ORDER BY id LIMIT ?')
    assert.deepEqual(
      values.map((value) => found.pluck().all(value, 2)),
      [[1], [2], [3], [4], [5]],
    )
    const change = client.prepare('UPDATE things SET value = ? WHERE id = 1')
    const read = client.prepare('SELECT value FROM things WHERE id = 1').pluck()
    for (const value of values) {
      change.run(value)
      assert.deepEqual(read.get(), value)
    }
  })
})
