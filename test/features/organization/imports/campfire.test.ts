import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { campfireExport } from '#test/support/exports/campfire.ts'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { isRead } from '#test/support/exports/read.ts'

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(campfireExport())
  try {
    const expected = new URL('../../../support/exports/campfire.txt', import.meta.url)
    assert.equal(dumpOf(made), readFileSync(expected, 'utf8'))
    assert.deepEqual(made.rows('SELECT link, message_id AS id FROM old_links LIMIT 1'), [
      { link: 'rooms/1/@1', id: 1 },
    ])
    const unread = [1, 2, 3, 4, 5].filter((id) => !isRead(made.db, 7, id))
    assert.deepEqual(unread, [4, 5], 'what came since Ben looked last')
    assert.deepEqual(made.rows("SELECT 1 FROM users WHERE password_hash <> ''"), [])
  } finally {
    made.close()
  }
})

test('what is named as a table of Campfire and is none is not read', async () => {
  const view = 'DROP TABLE boosts; CREATE VIEW boosts AS SELECT 1 AS id'
  await assert.rejects(itemsOf(campfireExport(view)), /not from Campfire/)
  const loop = `DROP TABLE boosts; CREATE VIRTUAL TABLE boosts USING fts5(content)`
  await assert.rejects(itemsOf(campfireExport(loop)), /not from Campfire/)
})

test('a database of another program, and one that is cut off, are refused', async () => {
  await assert.rejects(itemsOf(campfireExport('DROP TABLE rooms')), /not from Campfire/)
  const files = campfireExport()
  const whole = Buffer.from(files['storage/db/production.sqlite3'] ?? '')
  for (const length of [100, 5000, whole.length - 9000]) {
    const cut = { ...files, 'storage/db/production.sqlite3': whole.subarray(0, length) }
    await assert.rejects(itemsOf(cut), /damaged|not from Campfire/, String(length))
  }
})

for (const [table, id, type] of [
  ['rooms', 1, 'channel'],
  ['memberships', 1, 'membership'],
  ['messages', 2, 'message'],
  ['boosts', 3, 'reaction'],
] as const) {
  for (const value of ['0', 'NULL', "'f'"]) {
    test(`what is marked as deleted in ${table} by ${value} is not there`, async () => {
      const count = async (change: string) => {
        const { items, report } = await itemsOf(campfireExport(change))
        const reactions = items.flatMap((each) => (each.type === 'message' ? each.reactions : []))
        const found = type === 'reaction' ? reactions : items.filter((each) => each.type === type)
        const skipped = Object.values(report).reduce(
          (sum, each) => sum + (each?.skipped.removed?.count ?? 0),
          0,
        )
        return { found: found.length, skipped }
      }
      const added = `ALTER TABLE ${table} ADD COLUMN active boolean DEFAULT 1`
      const before = await count(added)
      assert.equal(before.skipped, 0)
      const after = await count(`${added}; UPDATE ${table} SET active = ${value} WHERE id = ${id}`)
      assert.deepEqual(after, { found: before.found - 1, skipped: 1 })
    })
  }
}

test('someone who is suspended is not active', async () => {
  const { items } = await itemsOf(
    campfireExport(`ALTER TABLE users ADD COLUMN suspended_at datetime(6);
      UPDATE users SET suspended_at = '2025-01-01 00:00:00' WHERE id = 2`),
  )
  const active = items.flatMap((each) => (each.type === 'person' && each.isActive ? each.name : []))
  assert.deepEqual(active, ['Olga Owner', 'Ann Admin'])
})

test('texts that are of no message are counted', async () => {
  const text = (values: string) =>
    `INSERT INTO action_text_rich_texts (id, record_type, record_id, name, body) VALUES ${values}`
  const { report } = await itemsOf(
    campfireExport(
      [
        text("(901, 'Message', 9000, 'body', 'a')"),
        text("(902, 'Room', 1, 'body', 'b')"),
        text("(903, 'Message', 1, 'note', 'c')"),
      ].join(';'),
    ),
  )
  assert.equal(report.messages?.skipped.absent?.count, 3)
})

test('the database alone is an export, without its files', async () => {
  const files = { 'production.sqlite3': campfireExport()['storage/db/production.sqlite3'] ?? '' }
  const { items, source } = await itemsOf(files)
  assert.equal(source, 'campfire')
  assert.equal(items.filter(({ type }) => type === 'message').length, 11)
})
