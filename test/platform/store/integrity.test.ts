import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Database from 'better-sqlite3'
import { checkDatabase } from '#platform/store/integrity.ts'
import { openDatabase } from '#platform/store/open.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-integrity-'))
after(() => rmSync(root, { recursive: true }))

test('damage that ends the check is told in the words of SQLite', async () => {
  const file = join(root, 'torn.db')
  const db = openDatabase(file)
  db.$client.pragma('journal_mode = DELETE')
  db.$client.close()
  const bytes = readFileSync(file)
  // The first page has the schema, without which nothing can be checked.
  bytes.fill(0xff, 100, 4096)
  writeFileSync(file, bytes)
  assert.deepEqual(await checkDatabase(file), ['database disk image is malformed'])
})

test('a database that was checked is no longer in use', async () => {
  const file = join(root, 'parley.db')
  openDatabase(file).$client.close()
  for (let i = 0; i < 20; i++) {
    assert.deepEqual(await checkDatabase(file), [])
    const db = new Database(file, { timeout: 0 })
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
    db.close()
  }
})
