import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { contentsPath } from '#platform/files/contents.ts'
import { runCli } from '#program/cli/program.ts'
import { fetchFile, upload } from '#test/support/files.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-backup-'))
const data = join(root, 'data')
const server = await startServer({ data })
after(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

async function parley(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const code = await runCli(args, {
    stdin: Readable.from([]),
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    env: { PARLEY_LOG_LEVEL: 'silent' },
  })
  return { code, ...said }
}

const backUp = (name: string) => parley('backup', join(root, name), '--data', data)
const restore = (name: string, to: string) =>
  parley('restore', join(root, name), '--data', join(root, to))

async function contentOf(from: TestServer, id: number): Promise<unknown> {
  const { message } = await from
    .as('member')
    .get<{ message?: { content: string } }>(`/messages/${id}`, { apply_markdown: false })
  return message?.content
}

/** Starts a server on what was restored, and ends it after the test of it. */
async function onRestored(folder: string, use: (copy: TestServer) => Promise<void>) {
  const copy = await startServer({ data: join(root, folder) })
  try {
    await use(copy)
  } finally {
    await copy.close()
  }
}

test('a backup of a running server holds all that was answered before, messages and files', async () => {
  const url = await upload(server, 'member', 'plans.txt', 'The plans')
  const early = await server.say('member', 'public', 'backup', `[Plans](${url})`)
  const done = backUp('busy')
  let over = false
  done.finally(() => {
    over = true
  })
  const late: number[] = []
  while (!over) late.push(await server.say('member', 'public', 'backup', `Late ${late.length}`))
  const { code, out, err } = await done
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^Backed up a database of [\d.]+ MiB and \d+ files to .*busy\.\n$/)
  assert.deepEqual(readdirSync(join(root, 'busy')).sort(), ['files', 'parley.db'])
  assert.equal(statSync(join(root, 'busy')).mode & 0o777, 0o700)

  assert.match((await restore('busy', 'restored')).out, /^Restored the database and \d+ files to /)
  await onRestored('restored', async (copy) => {
    assert.match(String(await contentOf(copy, early)), /Plans/)
    assert.equal(await (await fetchFile(copy, 'othello', url)).text(), 'The plans')
    // What came during the backup is there up to one moment, and not after it.
    const there = await Promise.all(late.map((id) => contentOf(copy, id)))
    const found = there.findLastIndex((content) => content !== undefined) + 1
    assert.ok(there.slice(0, found).every((content, i) => content === `Late ${i}`))
  })
})

test('a backup is made without a server, too', async () => {
  const folder = join(root, 'quiet')
  const quiet = await startServer({ data: folder })
  const id = await quiet.say('member', 'public')
  await quiet.close()
  const { code } = await parley('backup', join(root, 'of-quiet'), '--data', folder)
  assert.equal(code, 0)
  await restore('of-quiet', 'quiet-again')
  await onRestored('quiet-again', async (copy) => {
    assert.equal(await contentOf(copy, id), 'Hello.')
  })
})

test('files that are deleted while a backup is made stay until it is', async () => {
  const { files } = server.server.context
  const url = await upload(server, 'member', 'short.txt', 'short-lived')
  const hash = await files.put(new TextEncoder().encode('short-lived'))
  const release = files.hold()
  const { attachments } = await server
    .as('member')
    .get<{ attachments: { id: number; path_id: string }[] }>('/attachments')
  const own = attachments.find(({ path_id }) => url.endsWith(path_id))
  await server.as('member').del(`/attachments/${own?.id}`)
  server.clock.advance(2 * 3600_000)
  await server.settled()
  assert.equal(await files.size(hash), 11)
  release()
  server.clock.advance(60_000)
  await server.settled()
  assert.equal(await files.size(hash), undefined)
})

describe('nothing is overwritten', () => {
  test('by a backup, not even by the same one again', async () => {
    await backUp('twice')
    const again = await backUp('twice')
    assert.equal(again.code, 1)
    assert.match(again.err, /twice already exists\. Name a new folder/)
  })

  test('by restoring into a folder that holds data', async () => {
    await backUp('whole')
    await restore('whole', 'full')
    const { size, mtimeMs } = statSync(join(root, 'full', 'parley.db'))
    const again = await restore('whole', 'full')
    assert.equal(again.code, 1)
    assert.match(again.err, /already contains data, which restoring does not overwrite/)
    const now = statSync(join(root, 'full', 'parley.db'))
    assert.deepEqual([now.size, now.mtimeMs], [size, mtimeMs])
  })

  test('by restoring below a running server', async () => {
    await backUp('below')
    const { code, err } = await parley('restore', join(root, 'below'), '--data', data)
    assert.equal(code, 1)
    assert.match(err, /in use by a running Parley/)
  })
})

describe('what is no whole backup is not restored, and leaves the folder free', () => {
  const refused = async (name: string, message: RegExp) => {
    const { code, err } = await restore(name, `from-${name}`)
    assert.equal(code, 1)
    assert.match(err, message)
    assert.equal(existsSync(join(root, `from-${name}`, 'parley.db')), false)
  }

  test('such as a folder without a database', async () => {
    mkdirSync(join(root, 'empty'))
    await refused('empty', /There is no backup in .*empty\./)
    await refused('not-there', /There is no backup in /)
  })

  test('such as a database that is none', async () => {
    mkdirSync(join(root, 'garbage'))
    writeFileSync(join(root, 'garbage', 'parley.db'), 'x'.repeat(10_000))
    await refused('garbage', /The backup is damaged: its database\./)
  })

  test('such as one with a file that changed', async () => {
    await upload(server, 'member', 'fragile.txt', 'fragile')
    const hash = await server.server.context.files.put(new TextEncoder().encode('fragile'))
    await backUp('bitten')
    appendFileSync(contentsPath(join(root, 'bitten', 'files'), hash), '!')
    await refused('bitten', /The backup is damaged: its file /)
    rmSync(contentsPath(join(root, 'bitten', 'files'), hash))
    const { out } = await restore('bitten', 'from-bitten')
    assert.match(out, /1 more are missing from the backup/)
  })
})

test('damaged contents do not get into a backup unnoticed', async () => {
  const hash = await server.server.context.files.put(new TextEncoder().encode('rotten'))
  await upload(server, 'member', 'rotten.txt', 'rotten')
  appendFileSync(contentsPath(join(data, 'files'), hash), '!')
  const { code, err } = await backUp('rotten')
  assert.equal(code, 1)
  assert.match(err, new RegExp(`The contents ${hash} are damaged`))
  assert.equal(existsSync(join(root, 'rotten')), false)
  rmSync(contentsPath(join(data, 'files'), hash))
  const missing = await backUp('lost')
  assert.match(missing.out, /1 more were missing from the data folder/)
})
