import assert from 'node:assert/strict'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { createGunzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { unpackTar } from 'modern-tar/fs'
import { pino } from 'pino'
import { listMigrations } from '#platform/store/migrations.ts'
import { defineFunctions, firstSchema, openDatabase, readSchema } from '#platform/store/open.ts'
import { restore } from '#program/backup/restore.ts'
import { fetchFile } from '#test/support/files.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
after(() => rmSync(root, { recursive: true }))
const releases = new URL('../../support/releases/', import.meta.url)

/** Data folders of the development organization, by the schemas of the versions that made them. */
const files = readdirSync(releases)

describe('the data folder of an earlier version is brought up to this one', () => {
  for (const file of files) {
    test(file, async () => {
      const data = join(root, file)
      const from = createReadStream(new URL(file, releases))
      await pipeline(from, createGunzip(), unpackTar(data))
      const server = await startServer({ data })
      const member = server.as('member')
      const { message } = await member.get<{
        message: { content: string; reactions: { emoji_name: string }[]; edit_history: object[] }
      }>('/messages/1', { apply_markdown: false })
      const [, url = ''] = /\[Plans\]\((.*)\), edited/.exec(message.content) ?? []
      assert.deepEqual(
        [message.reactions.map(({ emoji_name }) => emoji_name), message.edit_history.length],
        [['octopus'], 1],
      )
      assert.equal(await (await fetchFile(server, 'member', url)).text(), 'The plans')
      const narrow = [{ operator: 'search', operand: 'whales' }]
      const found = await member.get<{ messages: object[] }>('/messages', {
        narrow,
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
      })
      assert.equal(found.messages.length, 20)
      const { drafts } = await member.get<{ drafts: { content: string }[] }>('/drafts')
      assert.deepEqual(
        drafts.map(({ content }) => content),
        ['A draft about whales'],
      )
      await server.say('member', 'public', 'plans', 'Sent by the new version')
      await server.close()
      assert.deepEqual(shapeOf(join(data, 'parley.db')), shapeOf(':memory:'))
      const { code, out } = await parley(['check', '--data', data])
      assert.equal(code, 0, out)
    })
  }
})

/** The tables and what belongs to them, by name. Columns that were added later stand elsewhere, and may. */
function shapeOf(file: string): Record<string, unknown> {
  const { $client } = openDatabase(file)
  const all = (sql: string, ...values: string[]) => $client.prepare(sql).all(...values)
  const tables = all('SELECT name, wr, strict FROM pragma_table_list ORDER BY name') as {
    name: string
  }[]
  const columns = tables.map(({ name, ...kind }) => [
    name,
    kind,
    all(
      `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY name`,
      name,
    ),
  ])
  const others = all(`SELECT name, sql FROM sqlite_master WHERE type != 'table' ORDER BY name`)
  $client.close()
  return { columns, others }
}

describe('before a migration', () => {
  const known = firstSchema + listMigrations().length - 1
  const none = known === firstSchema && 'there is no migration after the first yet'

  /** A data folder of an earlier schema. */
  function folderOf(schema: number): string {
    const data = join(root, `schema-${schema}-${readdirSync(root).length}`)
    mkdirSync(join(data, 'files', 'ab'), { recursive: true })
    const db = new Database(join(data, 'files', 'ab', '0'.repeat(62)))
    db.exec('CREATE TABLE contents (x)')
    db.close()
    const old = new Database(join(data, 'parley.db'))
    defineFunctions(old)
    const migrations = listMigrations().slice(0, schema - firstSchema + 1)
    for (const statement of migrations.flat()) old.exec(statement)
    old.pragma(`user_version = ${schema}`)
    old.close()
    return data
  }

  test('the folder is backed up, its files are linked, and the backup can be restored', {
    skip: none,
  }, async () => {
    const data = folderOf(known - 1)
    await (await startServer({ data })).close()
    const backups = readdirSync(join(data, 'before-upgrade'))
    assert.deepEqual(backups, [`schema-${String(known - 1).padStart(4, '0')}`])
    const backup = join(data, 'before-upgrade', backups[0] ?? '')
    assert.equal(readSchema(join(backup, 'parley.db')).applied, known - 1)
    assert.equal(readSchema(join(data, 'parley.db')).applied, known)
    const file = join('files', 'ab', '0'.repeat(62))
    assert.equal(statSync(join(backup, file)).ino, statSync(join(data, file)).ino)
    assert.equal((await restore(backup, `${data}-again`)).failed, false)
    // The next start has nothing to migrate.
    await (await startServer({ data })).close()
    assert.deepEqual(readdirSync(join(data, 'before-upgrade')), backups)
  })

  test('a command that only reads asks for a start, which logs what it migrated', {
    skip: none,
  }, async () => {
    const data = folderOf(known - 1)
    const { code, err } = await parley(['user', 'list', '--data', data])
    assert.deepEqual([code, readSchema(join(data, 'parley.db')).applied], [1, known - 1])
    assert.match(err, /is from an earlier version. Start the server once/)
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) })
    await (await startServer({ data, log })).close()
    const backup = join(data, 'before-upgrade', `schema-${String(known - 1).padStart(4, '0')}`)
    const said = `The database was migrated from schema ${known - 1} to ${known}. The backup from before the migration is in ${backup}.`
    assert.deepEqual(
      lines.filter((line) => line.includes('migrated')),
      [said],
    )
  })

  test('nothing is backed up if that is refused', { skip: none }, async () => {
    const data = folderOf(known - 1)
    await (await startServer({ data, config: { backupBeforeUpgrade: false } })).close()
    assert.equal(readdirSync(data).includes('before-upgrade'), false)
  })

  test('nothing is migrated if the backup cannot be made', { skip: none }, async () => {
    const data = folderOf(known - 1)
    mkdirSync(join(data, 'before-upgrade'))
    const blocked = join(data, 'before-upgrade')
    rmSync(blocked, { recursive: true })
    new Database(blocked).exec('CREATE TABLE in_the_way (x)').close()
    await assert.rejects(startServer({ data }), (error: Error) => {
      assert.match(error.message, /The backup before the upgrade failed: .*=off to upgrade without/)
      return true
    })
    assert.equal(readSchema(join(data, 'parley.db')).applied, known - 1)
  })
})
