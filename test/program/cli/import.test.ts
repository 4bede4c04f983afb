import assert from 'node:assert/strict'
import {
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
import { after, before, describe, test } from 'node:test'
import { createServer } from '#program/server.ts'
import { writeTarGz } from '#test/support/exports/archives.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-import-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const archive = join(folder, 'zulip-export.tar.gz')
before(async () => {
  const files = Object.entries(zulipExport()).map(([name, body]) => [
    `zulip-export-x/${name}`,
    body,
  ])
  await writeTarGz(archive, Object.fromEntries(files))
})

test('a dry run says what an import would do, and leaves nothing', async () => {
  const data = join(folder, 'dry')
  const { code, out } = await parley(['import', archive, '--data', data, '--dry-run'])
  assert.equal(code, 0)
  assert.match(out, /^Would import the organization "Old Chat" from Zulip/)
  assert.match(out, /^messages +2001 +2000 +0 +1$/m)
  assert.match(
    out,
    /1 skipped \(absent\): the object that it belongs to is not in the export, such as zerver_message 1014/,
  )
  assert.ok(!existsSync(data))
})

describe('an import', () => {
  const data = join(folder, 'data')
  const report = join(folder, 'report.json')

  test('makes an organization that a server serves', async () => {
    const { code, err, out } = await parley(['import', archive, '--data', data, '--report', report])
    assert.deepEqual(
      [code, out.split('\n')[0]?.replace(/\(.*/, '')],
      [0, 'Imported the organization "Old Chat" from Zulip '],
    )
    // Each step has a line, since this is no terminal.
    assert.match(err, /^Reading the export/m)
    assert.match(err, /^Writing messages/m)
    assert.equal(JSON.parse(readFileSync(report, 'utf8')).tables.messages.imported, 2000)
    const server = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
    try {
      const reply = await server.fetch(new Request(`${server.url}/api/v1/server_settings`))
      const settings = (await reply.json()) as { realm_name: string }
      assert.equal(settings.realm_name, 'Old Chat')
    } finally {
      await server.close()
    }
  })

  test('into a folder with an organization is refused, and changes nothing', async () => {
    const before = readFileSync(join(data, 'parley.db'))
    const { code, err } = await parley(['import', archive, '--data', data])
    assert.equal(code, 1)
    assert.match(err, /already contains an organization/)
    assert.ok(before.equals(readFileSync(join(data, 'parley.db'))))
  })
})

describe('a dry run is refused, and writes nothing to the data folder,', () => {
  /** What is in a folder, and when it was written. */
  const stateOf = (data: string) =>
    readdirSync(data).map((name) => {
      const { mtimeMs, size } = statSync(join(data, name))
      return [name, mtimeMs, size]
    })
  const dryRun = (data: string) => parley(['import', archive, '--data', data, '--dry-run'])

  async function refused(data: string, reason: RegExp) {
    const before = stateOf(data)
    const { code, err } = await dryRun(data)
    assert.equal(code, 1)
    assert.match(err, reason)
    assert.deepEqual(stateOf(data), before)
  }

  test('where there is an organization, or one that was imported and not put in place', async () => {
    const data = join(folder, 'taken')
    await parley(['import', archive, '--data', data])
    await refused(data, /already contains an organization/)
    const staged = join(folder, 'staged')
    mkdirSync(join(staged, 'importing'), { recursive: true })
    writeFileSync(join(staged, 'importing', 'complete'), '')
    await refused(staged, /already contains an organization/)
  })

  test('where a server is running', async () => {
    const data = join(folder, 'running')
    const server = await createServer({ data, port: 0, config: { logLevel: 'silent' } })
    try {
      await refused(data, /in use by a running Parley/)
    } finally {
      await server.close()
    }
    assert.equal((await dryRun(data)).code, 0)
  })

  test('where files lie whose database is missing', async () => {
    const data = join(folder, 'lost')
    mkdirSync(join(data, 'files'), { recursive: true })
    writeFileSync(join(data, 'files', 'x'), '')
    await refused(data, /database .* is missing/)
  })
})

describe('a dry run leaves no copy of the messages behind that is ended', () => {
  const before = process.env.TMPDIR
  after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`by ${signal}`, async () => {
      const place = mkdtempSync(join(folder, 'tmp-'))
      process.env.TMPDIR = place
      const others = process.listeners(signal)
      const dry = parley(['import', archive, '--data', join(folder, 'ended'), '--dry-run'])
      while (readdirSync(place).length === 0) await new Promise((resolve) => setImmediate(resolve))
      // Not the signal itself: the runner of these tests would end at it.
      const [own] = process.listeners(signal).filter((each) => !others.includes(each))
      own?.(signal)
      const { code, err } = await dry
      assert.match(err, /Interrupted/)
      assert.deepEqual([code, readdirSync(place)], [1, []])
    })
  }
})

describe('what is wrong with an import is said', () => {
  const text = join(folder, 'notes.txt')
  before(() => writeFileSync(text, 'x'))
  const cases: readonly [string, readonly string[], number, RegExp][] = [
    ['nothing there', [join(folder, 'none')], 1, /There is no file or folder/],
    ['no export', [text], 1, /does not look like an export of/],
    ['an unknown format', [text, '--format', 'icq'], 2, /Allowed choices are/],
    [
      'an option that the format does not have',
      [archive, '--team', 'x'],
      1,
      /Exports of Zulip have no option "team"/,
    ],
    [
      'an owner who is not there',
      [archive, '--owner', 'x@example.com'],
      1,
      /Nobody in the export has the address x@example\.com\. The export has .*--owner-name NAME/,
    ],
    [
      'the name of an owner without an address',
      [archive, '--owner-name', 'Nia'],
      2,
      /give the address of the owner as well/,
    ],
    [
      'a report that cannot be written',
      [archive, '--report', join(folder, 'none', 'report.json')],
      2,
      /report\.json cannot be written/,
    ],
    ['links where a folder is', [archive, '--links', folder], 2, /cannot be written/],
    [
      'addresses that cannot be read',
      [archive, '--emails', join(folder, 'none')],
      2,
      /cannot be read/,
    ],
    ['addresses without any', [archive, '--emails', text], 2, /The file of addresses has none/],
  ]
  before(() => writeFileSync(text, 'x'))
  for (const [name, args, expected, message] of cases) {
    test(name, async () => {
      const data = join(folder, `wrong ${name}`)
      const dry = await parley(['import', ...args, '--data', data, '--dry-run'])
      assert.ok(!existsSync(data))
      const { code, err } = await parley(['import', ...args, '--data', data])
      assert.equal(code, expected, err)
      assert.match(err, message)
      assert.ok(!existsSync(join(data, 'parley.db')) && !existsSync(join(data, 'importing')))
      const refusal = (text: string) => text.split('\n').filter((line) => message.test(line))
      assert.deepEqual([dry.code, refusal(dry.err)], [code, refusal(err)], 'as in a dry run')
    })
  }
})
