import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { databaseIn, openFolder } from '#platform/store/folder.ts'
import { listMigrations } from '#platform/store/migrations.ts'
import { applicationId, firstSchema, openDatabase, readSchema } from '#platform/store/open.ts'
import { DataRefused, FolderInUse, NotOurs } from '#platform/store/refusals.ts'
import { createServer } from '#program/server.ts'
import { startServer } from '#test/support/server.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-folder-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, String(folders++))
const start = (data: string) => createServer({ data, port: 0, config: { logLevel: 'silent' } })

/** A folder with a database that another program made. */
function withDatabase(make: (db: Database.Database) => void): string {
  const data = newFolder()
  mkdirSync(data)
  const db = new Database(databaseIn(data))
  make(db)
  db.close()
  return data
}

describe('one server at a time uses a data folder', () => {
  test('even where the lock file was removed while the first runs', async () => {
    const data = newFolder()
    const first = await startServer({ data })
    rmSync(join(data, 'lock'))
    await assert.rejects(start(data), FolderInUse)
    assert.equal((await first.as('member').get('/users/me')).result, 'success')
    await first.close()
    await (await start(data)).close()
  })

  test('a failed attempt does not end the lock of the one that runs', async () => {
    const data = newFolder()
    const first = openFolder(data)
    assert.throws(() => openFolder(data), FolderInUse)
    // Locks of this process, as another one sees them.
    assert.match(readFileSync('/proc/locks', 'utf8'), new RegExp(`POSIX .* WRITE ${process.pid} `))
    first.release()
  })

  test('unless they share the database with programs such as Litestream', async () => {
    const data = newFolder()
    const server = await createServer({
      data,
      port: 0,
      config: { logLevel: 'silent', sharedDatabase: true },
    })
    const reader = new Database(databaseIn(data), { readonly: true })
    assert.equal(reader.prepare('SELECT count(*) FROM users').pluck().get(), 0)
    reader.close()
    await assert.rejects(start(data), FolderInUse)
    await server.close()
  })
})

describe('a database that is not ours is refused and not changed', () => {
  const refused = async (data: string, message: RegExp, kind = NotOurs) => {
    const before = readFileSync(databaseIn(data))
    await assert.rejects(start(data), (error: Error) => {
      assert.ok(error instanceof kind, String(error))
      assert.match(error.message, message)
      return true
    })
    assert.deepEqual(readFileSync(databaseIn(data)), before)
  }

  test("another program's, marked or not", async () => {
    await refused(
      withDatabase((db) => db.exec('CREATE TABLE songs (title)')),
      /parley\.db is a database of another program/,
    )
    await refused(
      withDatabase((db) => db.pragma('application_id = 77')),
      /another program/,
    )
  })

  test('a file that is no database', async () => {
    const data = newFolder()
    mkdirSync(data)
    writeFileSync(databaseIn(data), 'x'.repeat(10_000))
    await refused(data, /parley\.db is not a database, or is damaged/)
  })

  test("a newer version's, which the message says", async () => {
    const data = newFolder()
    await (await start(data)).close()
    const newer = readSchema(databaseIn(data)).known + 1
    const db = new Database(databaseIn(data))
    db.pragma(`user_version = ${newer}`)
    db.pragma('journal_mode = DELETE')
    db.close()
    await refused(
      data,
      new RegExp(`written by a newer version of Parley \\(schema ${newer}; this version knows`),
      DataRefused,
    )
  })

  test("a development version's from before the first schema, which the message says how to upgrade", async () => {
    const data = withDatabase((db) => {
      for (const table of ['realm', 'realm_settings', 'recipients']) {
        db.exec(`CREATE TABLE ${table} (id)`)
      }
      db.pragma(`user_version = ${firstSchema - 1}`)
    })
    const message = new RegExp(
      `schema ${firstSchema - 1}; .* Start the version at commit \\w{7} on`,
    )
    await refused(data, message, DataRefused)
    assert.throws(() => readSchema(databaseIn(data)), message)
  })
})

test('a database from before the marks is marked when it is opened', () => {
  const data = withDatabase((db) => {
    for (const statement of listMigrations()[0] ?? []) db.exec(statement)
    db.pragma(`user_version = ${firstSchema}`)
  })
  const { $client } = openDatabase(databaseIn(data))
  assert.equal($client.pragma('application_id', { simple: true }), applicationId)
  $client.close()
})

test('a missing database beside uploaded files is refused rather than set up anew', async () => {
  const data = newFolder()
  mkdirSync(join(data, 'files', 'ab'), { recursive: true })
  await assert.rejects(start(data), /holds uploaded files, but their database .* is missing/)
  assert.equal(existsSync(databaseIn(data)), false)
  rmSync(join(data, 'files', 'ab'), { recursive: true })
  await (await start(data)).close()
})

test('a folder that cannot be made is named, with the reason', () => {
  const file = newFolder()
  writeFileSync(file, '')
  assert.throws(() => openFolder(join(file, 'data')), {
    message: `Cannot use the data folder ${join(file, 'data')}: ENOTDIR: not a directory, mkdir '${join(file, 'data')}'`,
  })
})

test('a lock that cannot be written locks nothing, so the start is refused', (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write everything')
  const data = newFolder()
  openFolder(data).release()
  chmodSync(join(data, 'lock'), 0o400)
  // Its owner may make it writable again, and the start does.
  openFolder(data).release()
  assert.deepEqual(readdirSync(data), ['lock'])
})
