import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { insertOldLink } from '#features/messaging/old-links/queries.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/store/open.ts'
import { createServer } from '#program/server.ts'
import { writeFolder } from '#test/support/exports/archives.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-imported-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
const links = join(folder, 'links.csv')
let server: Awaited<ReturnType<typeof createServer>>
let apiKey = ''
after(() => server?.close())

before(async () => {
  const from = writeFolder(join(folder, 'export'), zulipExport(60))
  const { code, err } = await parley(['import', from, '--data', data, '--links', links])
  assert.equal(code, 0, err)
  const db = openDatabase(join(data, 'parley.db'))
  insertOldLink({ db, clock: systemClock } as never, 'archives/C1/p1700000000000100', 1003)
  apiKey = String(db.$client.prepare('SELECT api_key FROM users WHERE id = 11').pluck().get())
  db.$client.close()
  server = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
})

async function api(path: string, params: Record<string, unknown> = {}) {
  const url = new URL(`/api/v1${path}`, server.url)
  for (const [name, value] of Object.entries(params)) {
    url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const authorization = `Basic ${Buffer.from(`user11@old.example.org:${apiKey}`).toString('base64')}`
  const reply = await server.fetch(new Request(url, { headers: { authorization } }))
  return (await reply.json()) as Record<string, never>
}

test('everyone who can log in gets a link to choose a password with, in a file for nobody else', async () => {
  const rows = readFileSync(links, 'utf8').trim().split('\n')
  assert.deepEqual(
    rows.map((row) => row.split(',')[0]),
    [
      '"person11@example.com"',
      '"person12@example.com"',
      '"person13@example.com"',
      '"zulip-16@old.example.org"',
    ],
  )
  assert.equal(statSync(links).mode & 0o777, 0o600)
  const path = new URL(/"(http[^"]+)"$/.exec(rows[1] ?? '')?.[1] ?? '').pathname
  const page = await server.fetch(new Request(new URL(path, server.url)))
  assert.match(await page.text(), /type="password"/)
})

test('nobody is told which accounts were imported by a member that the announced level lacks', async () => {
  const { members } = (await api('/users')) as unknown as { members: object[] }
  assert.deepEqual(
    members.filter((member) => 'is_imported_stub' in member),
    [],
  )
})

const search = async (operand: string) => {
  const reply = await api('/messages', {
    narrow: [{ operator: 'search', operand }],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
  })
  return (reply.messages as unknown as { id: number }[]).map(({ id }) => id)
}

const cases: readonly [string, string, readonly number[]][] = [
  [
    'an address of the old Zulip',
    'https://gone.example.org/#narrow/channel/101-x/topic/plans/near/1003',
    [1003],
  ],
  [
    'one of a message that nobody imported',
    'https://gone.example.org/#narrow/channel/101-x/near/999999',
    [],
  ],
  ['one that names another place', 'https://gone.example.org/#narrow/dm/12,13/near/1020', [1020]],
  [
    'an address of another system',
    'https://team.example.com/archives/C1/p1700000000000100',
    [1003],
  ],
  [
    'the same with more at its end',
    'https://team.example.com/archives/C1/p1700000000000100?thread_ts=1',
    [1003],
  ],
]
for (const [name, address, found] of cases) {
  test(`pasted into search, ${name} finds its message`, async () => {
    assert.deepEqual(await search(address), found)
  })
}

test('a search for words is one for words', async () => {
  assert.deepEqual(await search('server'), [1013])
})
