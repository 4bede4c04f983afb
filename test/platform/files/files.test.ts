import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { getTableColumns, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { markLoose } from '#platform/files/actions.ts'
import { contentsPath } from '#platform/files/contents.ts'
import { fileColumns } from '#platform/files/queries.ts'
import { createDiskFiles, TooLong } from '#platform/files/store.ts'
import * as schema from '#platform/store/schema.ts'
import { startServer } from '#test/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-files-'))
const servers = {
  memory: await startServer(),
  disk: await startServer({ data: folder }),
}
after(async () => {
  await Promise.all([servers.memory.close(), servers.disk.close()])
  rmSync(folder, { recursive: true })
})

const bytes = (text: string) => new TextEncoder().encode(text)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function* parts(...texts: string[]) {
  for (const text of texts) yield bytes(text)
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream as BodyInit).text()
}

/** Names contents by a row, as an upload does. */
async function name(server: (typeof servers)['disk'], hash: string, pathId: string) {
  const file = { ownerId: 10, name: 'a', contentType: 'text/plain', size: 1, createdAt: 0 }
  await server.server.context.store.write((tx) => {
    tx.db
      .insert(schema.attachments)
      .values({ ...file, pathId, fileHash: hash })
      .run()
  })
}

for (const [where, server] of Object.entries(servers)) {
  const { files, store } = server.server.context

  describe(`contents ${where === 'disk' ? 'on disk' : 'in memory'}`, () => {
    test('are named by their SHA-256 and come back whole or in part', async () => {
      const hash = await files.put(bytes('quince'))
      assert.equal(hash, sha256('quince'))
      assert.deepEqual(Buffer.from((await files.read(hash)) ?? []).toString(), 'quince')
      assert.equal(await files.size(hash), 6)
      assert.equal(await read(files.stream(hash)), 'quince')
    })

    test('may come in parts, up to a limit', async () => {
      const kept = await files.putStream(parts('med', '', 'lar'), 6)
      assert.deepEqual(kept, { hash: sha256('medlar'), size: 6 })
      assert.equal(await read(files.stream(kept.hash)), 'medlar')
      await assert.rejects(files.putStream(parts('too', 'long'), 6), TooLong)
      assert.equal(await files.size(sha256('toolong')), undefined)
    })

    test('that are empty are contents too', async () => {
      const hash = await files.put(bytes(''))
      assert.equal(await files.size(hash), 0)
      assert.equal(await read(files.stream(hash)), '')
    })

    test('that were never put are not there', async () => {
      assert.equal(await files.read(sha256('never')), undefined)
      assert.equal(await files.size(sha256('never')), undefined)
    })

    test('that no row names are removed an hour later, and named ones stay', async () => {
      const loose = await files.put(bytes(`loose ${where}`))
      const kept = await files.put(bytes(`kept ${where}`))
      await name(server, kept, `2/aa/${where}/a`)
      server.clock.advance(3599_000)
      await server.settled()
      assert.equal(await files.size(loose), 6 + where.length)
      server.clock.advance(1000)
      await server.settled()
      assert.equal(await files.size(loose), undefined)
      assert.equal(await files.size(kept), 5 + where.length)
    })

    test('that lose their last row are removed an hour after that', async () => {
      const hash = await files.put(bytes(`once ${where}`))
      await name(server, hash, `2/bb/${where}/a`)
      server.clock.advance(7200_000)
      await server.settled()
      assert.equal(await files.size(hash), 5 + where.length)
      await store.write((tx) => {
        tx.db.$client.exec(`DELETE FROM attachments WHERE file_hash = '${hash}'`)
        markLoose(tx, hash)
      })
      server.clock.advance(3600_000)
      await server.settled()
      assert.equal(await files.size(hash), undefined)
    })

    test('that are put again just before their removal stay', async () => {
      const hash = await files.put(bytes(`again ${where}`))
      server.clock.advance(3000_000)
      await files.put(bytes(`again ${where}`))
      server.clock.advance(3000_000)
      await server.settled()
      assert.equal(await files.size(hash), 6 + where.length)
    })
  })
}

test('the folder of contents belongs to its owner alone, and drafts do not stay in it', async () => {
  const hash = await servers.disk.server.context.files.put(bytes('private'))
  const root = join(folder, 'files')
  assert.equal(statSync(root).mode & 0o777, 0o700)
  assert.equal(readFileSync(join(root, hash.slice(0, 2), hash.slice(2)), 'utf8'), 'private')
  assert.equal(statSync(join(root, hash.slice(0, 2), hash.slice(2))).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(root, 'incoming')), [])
})

test('contents that are there already are not written to the disk again', async () => {
  const { files } = servers.disk.server.context
  const hash = await files.put(bytes('twice'))
  const path = contentsPath(join(folder, 'files'), hash)
  const { ino } = statSync(path)
  assert.equal(await files.put(bytes('twice')), hash)
  assert.equal(statSync(path).ino, ino)
  assert.deepEqual(readdirSync(join(folder, 'files', 'incoming')), [])
  // Those that have another size are no contents: a disk lost some of them.
  truncateSync(path, 2)
  await files.put(bytes('twice'))
  assert.equal(readFileSync(path, 'utf8'), 'twice')
})

test('a reset of the development organization takes the contents with it', async () => {
  const data = mkdtempSync(join(folder, 'reset-'))
  const server = await startServer({ data })
  try {
    const hash = await server.server.context.files.put(bytes('before'))
    await fetch(`${server.url}/dev/reset`, { method: 'POST' })
    assert.equal(await server.server.context.files.size(hash), undefined)
    assert.equal(existsSync(contentsPath(join(data, 'files'), hash)), false)
  } finally {
    await server.close()
  }
})

test('what an earlier process had not finished is thrown away at the start', async () => {
  const root = join(mkdtempSync(join(folder, 'half-')), 'files')
  const { store } = servers.memory.server.context
  const files = createDiskFiles(store, root)
  async function* breaking() {
    yield bytes('half')
    assert.equal(readdirSync(join(root, 'incoming')).length, 1)
    createDiskFiles(store, root)
    assert.equal(existsSync(join(root, 'incoming')), false)
    throw new Error('gone')
  }
  await assert.rejects(files.putStream(breaking(), 100), /gone/)
})

/** Hashes of secrets, not of contents. */
const secrets = new Set([
  ...['passwordHash', 'tokenHash', 'keyHash', 'browserHash', 'codeHash'],
  ...['accessHash', 'familyHash', 'refreshHash'],
])

test('every column that holds the hash of contents is looked at before they are removed', () => {
  const hashes = Object.values<unknown>(schema).flatMap((table) =>
    Object.entries(is(table, SQLiteTable) ? getTableColumns(table) : {})
      .filter(([key]) => /Hash$/.test(key) && !secrets.has(key))
      .map(([, column]) => column),
  )
  assert.deepEqual(new Set(hashes), new Set(fileColumns))
})
