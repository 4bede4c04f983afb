import assert from 'node:assert/strict'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import { createGunzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { unpackTar } from 'modern-tar/fs'
import { listMigrations } from '#platform/store/migrations.ts'
import { readSchema } from '#platform/store/open.ts'
import { restore } from '#program/backup/restore.ts'
import { fetchFile } from '#test/support/files.ts'
import { startServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
after(() => rmSync(root, { recursive: true }))
const releases = new URL('../../support/releases/', import.meta.url)

/** Data folders that earlier releases made, each of the development organization. */
const files = readdirSync(releases)

describe('the data folder of an earlier release is brought up to this one', () => {
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
      await server.say('member', 'public', 'plans', 'Sent by the new version')
      await server.close()
      const { code, out } = await parley(['check', '--data', data])
      assert.equal(code, 0, out)
    })
  }
})

describe('before a migration', () => {
  const known = listMigrations().length

  /** A data folder of the schema that had `count` migrations. */
  function folderOf(count: number): string {
    const data = join(root, `schema-${count}-${readdirSync(root).length}`)
    mkdirSync(join(data, 'files', 'ab'), { recursive: true })
    const db = new Database(join(data, 'files', 'ab', '0'.repeat(62)))
    db.exec('CREATE TABLE contents (x)')
    db.close()
    const old = new Database(join(data, 'parley.db'))
    for (const statement of listMigrations().slice(0, count).flat()) old.exec(statement)
    old.pragma(`user_version = ${count}`)
    old.close()
    return data
  }

  test('the folder is backed up, its files are linked, and the backup can be restored', async () => {
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

  test('nothing is backed up if that is refused', async () => {
    const data = folderOf(known - 1)
    await (await startServer({ data, config: { backupBeforeUpgrade: false } })).close()
    assert.equal(readdirSync(data).includes('before-upgrade'), false)
  })

  test('nothing is migrated if the backup cannot be made', async () => {
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
