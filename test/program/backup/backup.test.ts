import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import { contentsPath } from '#platform/files/contents.ts'
import { control } from '#program/control/client.ts'
import { fetchFile, upload } from '#test/support/files.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { parley } from '#test/support/shell.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-backup-'))
const data = join(root, 'data')
const server = await startServer({ data })
after(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

const backUp = (name: string) => parley(['backup', join(root, name), '--data', data])
const restore = (name: string, to: string) =>
  parley(['restore', join(root, name), '--data', join(root, to)])

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

test('a backup is made without a server as well', async () => {
  const folder = join(root, 'quiet')
  const quiet = await startServer({ data: folder })
  const id = await quiet.say('member', 'public')
  await quiet.close()
  const { code } = await parley(['backup', join(root, 'of-quiet'), '--data', folder])
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
    const { code, err } = await parley(['restore', join(root, 'below'), '--data', data])
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

  test('such as an empty database', async () => {
    for (const name of ['nothing', 'no-tables']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'nothing', 'parley.db'), '')
    await refused('nothing', /There is no backup in /)
    const db = new Database(join(root, 'no-tables', 'parley.db'))
    db.exec('VACUUM')
    db.close()
    await refused('no-tables', /The backup is damaged: its database, which is empty/)
  })

  test('such as an archive that was cut off', async () => {
    await backUp('cut.tar.gz')
    const whole = readFileSync(join(root, 'cut.tar.gz'))
    writeFileSync(join(root, 'cut.tar.gz'), whole.subarray(0, whole.length - 1000))
    await refused('cut.tar.gz', /cannot be restored: unexpected end of file/)
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
    const { code, out } = await restore('bitten', 'from-bitten')
    assert.equal(code, 1)
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
  assert.equal(missing.code, 1)
  assert.match(missing.out, /1 more were missing from the data folder/)
  await server.server.context.files.put(new TextEncoder().encode('rotten'))
})

test('one backup is made at a time, under a name of its own until it is checked', async () => {
  const results = await Promise.all([backUp('race'), backUp('race'), backUp('race')])
  assert.deepEqual(results.map(({ code }) => code).sort(), [0, 1, 1])
  for (const { code, err } of results) {
    if (code === 1) assert.equal(err, 'Another backup is being made. Wait until it is done.\n')
  }
  assert.deepEqual(
    readdirSync(root).filter((name) => name.includes('incomplete')),
    [],
  )
  assert.equal((await restore('race', 'from-race')).code, 0)
})

test('a backup that nobody waits for anymore ends, and leaves nothing', async () => {
  const { context } = server.server
  const giveUp = new AbortController()
  const steps = new Set<string>()
  const options = { data, config: context.config }
  const done = control(
    options,
    'backup',
    { to: join(root, 'given-up') },
    {
      signal: giveUp.signal,
      report(step) {
        steps.add(step)
        giveUp.abort(new Error('Interrupted.'))
      },
    },
  )
  await assert.rejects(done, /Interrupted/)
  assert.ok(steps.size > 0)
  // The server has given it up as well: the next one may begin, at the latest after a few turns.
  let next = await backUp('after-given-up')
  while (next.err.includes('Another backup')) next = await backUp('after-given-up')
  assert.equal(next.code, 0)
  assert.deepEqual(
    readdirSync(root).filter((name) => name.includes('given-up')),
    ['after-given-up'],
  )
})

test('a backup can be one compressed file, which holds the same', async () => {
  const url = await upload(server, 'member', 'packed.txt', 'Packed')
  const id = await server.say('member', 'public', 'backup', `[Packed](${url})`)
  const { code, err } = await backUp('one.tar.gz')
  assert.deepEqual([code, err], [0, ''])
  assert.equal(statSync(join(root, 'one.tar.gz')).mode & 0o777, 0o600)
  assert.match((await backUp('one.tar.gz')).err, /already exists\. Name a new file/)
  assert.match(
    (await restore('one.tar.gz', 'from-one')).out,
    /^Restored the database and \d+ files/,
  )
  await onRestored('from-one', async (copy) => {
    assert.match(String(await contentOf(copy, id)), /Packed/)
    assert.equal(await (await fetchFile(copy, 'othello', url)).text(), 'Packed')
  })
})

test('the event queues of a backup do not come back with it', async () => {
  const folder = join(root, 'with-queues')
  const first = await startServer({ data: folder })
  const { queueId } = await first.as('member').watchWith({ event_types: ['message'] })
  await first.close()
  // As a copy of the folder, or a backup by an earlier version, has them.
  await restore('with-queues', 'without-queues')
  await onRestored('without-queues', async (copy) => {
    const params = { queue_id: queueId, last_event_id: -1, dont_block: true }
    const { code } = await copy.as('member').get('/events', params)
    assert.equal(code, 'BAD_EVENT_QUEUE_ID')
  })
})

describe('parley check', () => {
  const check = (folder = data) => parley(['check', '--data', folder])

  test('finds a folder in order, with and without a server', async () => {
    await restore('whole', 'checked')
    const alone = await check(join(root, 'checked'))
    assert.deepEqual([alone.code, alone.err], [0, ''])
    assert.match(alone.out, /checked is in order\.\n$/)
    const { code, out } = await check(join(root, 'checked'))
    assert.deepEqual([code, out], [0, alone.out])
    await onRestored('checked', async () => {
      assert.match((await check(join(root, 'checked'))).out, /checked is in order\.\n$/)
    })
  })

  test('names files that are missing or damaged, counts what nothing refers to, and fails', async () => {
    const folder = join(root, 'checked', 'files')
    const [first = '', second = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile())
    rmSync(first)
    appendFileSync(second, '!')
    mkdirSync(join(folder, 'ff'), { recursive: true })
    writeFileSync(join(folder, 'ff', '0'.repeat(62)), '')
    const { code, out } = await check(join(root, 'checked'))
    assert.equal(code, 1)
    assert.ok(out.includes(`The file ${first} is missing.\n`), out)
    assert.ok(out.includes(`The file ${second} is damaged.\n`), out)
    assert.match(out, /Files that nothing refers to: 1\..*\n.*is damaged\. Problems: 2\.\n$/)
  })

  test('finds damage in the database', async () => {
    await restore('whole', 'torn')
    const database = join(root, 'torn', 'parley.db')
    const db = new Database(database)
    const page = db
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'messages'")
      .pluck()
      .get() as number
    db.close()
    const bytes = readFileSync(database)
    bytes.fill(0xff, (page - 1) * 4096, page * 4096)
    writeFileSync(database, bytes)
    const { code, out } = await check(join(root, 'torn'))
    assert.equal(code, 1)
    assert.match(out, /torn is damaged\. Problems: \d+\.\n$/)
  })

  test('creates nothing where there is no data', async () => {
    const { code, err } = await check(join(root, 'no-such'))
    assert.deepEqual([code, existsSync(join(root, 'no-such'))], [1, false])
    assert.match(err, /There is no database in /)
  })
})

test('parley compact returns the space of deleted rows to the disk, shortens messages, and keeps the rest', async () => {
  const { db } = server.server.context.store
  db.$client.exec('CREATE TABLE waste (text)')
  const insert = db.$client.prepare('INSERT INTO waste VALUES (?)')
  for (let i = 0; i < 200; i++) insert.run('x'.repeat(20_000))
  db.$client.exec('DROP TABLE waste')
  const id = await server.say('member', 'public', 'compact', 'Still here')
  const other = await server.say('member', 'public', 'compact', '*Still* there')
  const rows = db.$client.prepare(
    'SELECT client, client_id, rendered_content FROM messages WHERE id IN (?, ?) ORDER BY id',
  )
  const now = rows.all(id, other)
  // As an earlier version stored them.
  db.$client.exec(`
    UPDATE messages SET client = (SELECT name FROM clients WHERE id = client_id), client_id = NULL,
      rendered_content = coalesce(rendered_content, '<p>' || content || '</p>')`)
  const { code, out } = await parley(['compact', '--data', data])
  assert.equal(code, 0)
  assert.deepEqual(rows.all(id, other), now)
  const [, before, after] =
    /^The database shrank from ([\d.]+) MiB to ([\d.]+) MiB\.\n$/.exec(out) ?? []
  assert.ok(Number(after) < Number(before) || statSync(join(data, 'parley.db')).size < 4e6, out)
  assert.equal(await contentOf(server, id), 'Still here')
})

test('data and each restored copy of them have an identity of their own, for clients that ask', async () => {
  const identityOf = async (at: TestServer, asks = true) =>
    (
      await at.as('member').post<{ server_data_id?: string | null }>('/register', {
        fetch_event_types: ['realm'],
        client_capabilities: asks ? { extended_members: true } : {},
      })
    ).server_data_id
  const first = await identityOf(server)
  assert.match(String(first), /^[0-9a-f]{32}$/)
  assert.equal(await identityOf(server, false), undefined, 'other clients know no such member')
  assert.equal((await backUp('identity')).code, 0)
  const seen = [first]
  for (const folder of ['identity-1', 'identity-2']) {
    assert.equal((await restore('identity', folder)).code, 0)
    await onRestored(folder, async (copy) => void seen.push(await identityOf(copy)))
    await onRestored(folder, async (copy) => assert.equal(await identityOf(copy), seen.at(-1)))
  }
  assert.equal(new Set(seen).size, 3)
  assert.equal(await identityOf(server), first)
})

test('the data of a server, as another tool copied them, are restored as a backup is', async () => {
  const folder = join(root, 'of-another-tool')
  const copied = await startServer({ data: folder })
  const url = await upload(copied, 'member', 'plans.txt', 'The plans')
  const id = await copied.say('member', 'public', 'backup', `[Plans](${url})`)
  await copied.close()
  const { code, err } = await restore('of-another-tool', 'from-another-tool')
  assert.deepEqual([code, err], [0, ''])
  await onRestored('from-another-tool', async (copy) => {
    assert.equal(await contentOf(copy, id), `[Plans](${url})`)
    assert.equal(await (await fetchFile(copy, 'member', url)).text(), 'The plans')
  })
})
