import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byPosition, prepareNamed } from '#platform/store/named.ts'
import { openDatabase } from '#platform/store/open.ts'

const { $client: client } = openDatabase(':memory:')
client.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body)')

describe('statements with named parameters', () => {
  for (const [named, source, names] of [
    ['WHERE a = @a AND b IN (@b, @a)', 'WHERE a = ? AND b IN (?, ?)', ['a', 'b', 'a']],
    [`SELECT '@a', "@b", \`@c\` -- of @d\n, @e`, `SELECT '@a', "@b", \`@c\` -- of @d\n, ?`, ['e']],
    ["SELECT 'it''s @a'", "SELECT 'it''s @a'", []],
    ['LIMIT @most OFFSET @from_', 'LIMIT ? OFFSET ?', ['most', 'from_']],
  ] as const) {
    test(`${JSON.stringify(named)} is bound by position`, () => {
      assert.deepEqual(byPosition(named), { source, names })
    })
  }

  test('store and find values of every type, and ignore members that they do not name', () => {
    const insert = prepareNamed(client, 'INSERT INTO notes (title, body) VALUES (@title, @body)')
    const find = prepareNamed<{ body: unknown }>(
      client,
      'SELECT body FROM notes WHERE title = @title AND @title <> @not',
    )
    for (const body of [1, 1.5, 'text', Buffer.from('bytes'), null]) {
      const { lastInsertRowid } = insert.run({ unused: {}, body, title: `of ${body}` })
      assert.ok(Number(lastInsertRowid) > 0)
      assert.deepEqual(find.get({ not: '', title: `of ${body}` }), { body })
    }
    assert.equal(find.get({ not: 'x', title: 'x' }), undefined)
  })

  test('return all rows, or one after another', () => {
    const list = prepareNamed<{ n: number }>(
      client,
      'SELECT @from AS n UNION ALL SELECT @from + 1 ORDER BY 1',
    )
    assert.deepEqual(list.all({ from: 3 }), [{ n: 3 }, { n: 4 }])
    assert.deepEqual([...list.iterate({ from: 5 })], [{ n: 5 }, { n: 6 }])
  })

  test('do not run without one of their values', () => {
    const insert = prepareNamed(client, 'INSERT INTO notes (title, body) VALUES (@title, @body)')
    const before = client.prepare('SELECT count(*) FROM notes').pluck().get()
    assert.throws(() => insert.run({ title: 'alone' }), TypeError)
    assert.equal(client.prepare('SELECT count(*) FROM notes').pluck().get(), before)
  })
})
