import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '#platform/store/open.ts'
import { runCli } from '#program/cli/program.ts'
import { fixtureApiKey, fixtureEmail } from '#program/fixture/people.ts'
import { createServer, type Server } from '#program/server.ts'
import { checkZulipExport } from '#test/support/exports/zulip-checker.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-schema-'))
after(() => rmSync(root, { recursive: true, force: true }))
const data = join(root, 'data')

before(async () => {
  const server = await createServer({
    data,
    port: 0,
    fixture: { conversations: true, messages: 500 },
    config: { logLevel: 'silent' },
  })
  await resolveTopic(server)
  await server.close()
})

/** Marks a topic as resolved, so that there is a notice about whoever did it. */
async function resolveTopic(server: Server): Promise<void> {
  const sql = "SELECT id, topic FROM messages WHERE topic <> '' ORDER BY id DESC LIMIT 1"
  const { id, topic } = server.context.store.db.$client.prepare(sql).get() as {
    id: number
    topic: string
  }
  const email = fixtureEmail('desdemona')
  const request = new Request(`http://localhost/api/v1/messages/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Basic ${btoa(`${email}:${fixtureApiKey(email)}`)}` },
    body: new URLSearchParams({ topic: `✔ ${topic}`, propagate_mode: 'change_all' }),
  })
  const answer = await server.fetch(request)
  assert.equal(answer.status, 200, await answer.text())
}

type Row = Readonly<Record<string, unknown>>
type Files = ReadonlyMap<string, Uint8Array>

let exports = 0
async function exported(release: number): Promise<Files> {
  const name = `export-${++exports}`
  const file = join(root, `${name}.tar.gz`)
  const shell = {
    out() {},
    err() {},
    errIsTerminal: false,
    env: { PARLEY_URL: 'https://x.example' },
  }
  const args = ['--data', data, '--format', 'zulip', '--for', String(release)]
  assert.equal(await runCli(['export', file, ...args], shell as never), 0)
  const folder = join(root, name)
  execFileSync('mkdir', [folder])
  execFileSync('tar', ['-xzf', file, '-C', folder])
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))] as const),
  )
}

const rowsOf = (files: Files, path: string, table: string) =>
  JSON.parse(Buffer.from(files.get(path) ?? []).toString())[table] as Row[]

function change(...statements: string[]): void {
  const db = openDatabase(join(data, 'parley.db'))
  for (const sql of statements) db.$client.prepare(sql).run()
  db.$client.close()
}

for (const release of [11, 12]) {
  describe(`an export of a team that uses everything, for Zulip ${release}`, () => {
    let files: Files
    before(async () => {
      files = await exported(release)
    })

    test('has the members, types and lengths of the columns', () => {
      assert.deepEqual(checkZulipExport(files, release), [])
    })

    test('has the HTML of notices, with the IDs of those whom they mention', () => {
      const bots = rowsOf(files, 'realm.json', 'zerver_userprofile_crossrealm').map(({ id }) => id)
      const messages = [...files.keys()]
        .filter((path) => path.startsWith('messages-'))
        .flatMap((path) => rowsOf(files, path, 'zerver_message'))
      const notices = messages.filter(
        ({ content, sender }) => bots.includes(sender) && String(content).includes('@_**'),
      )
      assert.notEqual(notices.length, 0)
      for (const { content, rendered_content: html } of notices) {
        assert.doesNotMatch(String(content), /@_\*\*[^*|]+\|\d+\*\*/)
        assert.match(String(html), /<span class="user-mention silent" data-user-id="\d+">/)
      }
    })
  })
}

describe('what Zulip has no room for', () => {
  before(() => {
    change(
      `INSERT INTO realm_domains (domain) VALUES ('${'a'.repeat(60)}.${'b'.repeat(60)}.example')`,
      'UPDATE realm_emoji SET author_id = NULL',
      `UPDATE users SET full_name = '${'🎈'.repeat(100)}' WHERE id = 10`,
      `UPDATE clients SET name = '${'a'.repeat(29)}🎈' WHERE id = 1`,
    )
  })

  for (const release of [11, 12]) {
    test(`is cut or left out for Zulip ${release}`, async () => {
      assert.deepEqual(checkZulipExport(await exported(release), release), [])
    })
  }
})
