import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { importInto, requireNoOrganization } from '#features/organization/imports/import.actions.ts'
import type { ImportReport } from '#features/organization/imports/summary.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openFolder } from '#platform/store/folder.ts'
import { unwatched } from '#platform/task.ts'
import { type Files, writeFolder, writeTarGz, writeZip } from '#test/support/exports/archives.ts'
import { discordExport } from '#test/support/exports/discord.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { slackExport } from '#test/support/exports/slack.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'

/*
 * Exports that are made to do harm, or that someone has damaged, all the way: an import is refused with a
 * reason and leaves the data folder as it was, or it is done and its report names the reason.
 */

const root = mkdtempSync(join(tmpdir(), 'parley-hostile-'))
after(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const fresh = (name: string) => join(root, `${count++}-${name}`)

/** What no error and no report may contain. */
const secret = 'words-that-only-readers-may-see'

interface Outcome {
  readonly report?: ImportReport
  readonly refusal?: string
}

async function attempt(from: string, format?: string): Promise<Outcome> {
  const folder = openFolder(fresh('data'))
  const options = {
    from,
    format,
    source: {},
    realmUrl: 'https://chat.example.org',
    clock: systemClock,
    config: defaultConfig,
  }
  try {
    const report = await importInto(folder, options, unwatched)
    assert.throws(() => requireNoOrganization(folder), /already contains/)
    assert.doesNotMatch(JSON.stringify(report), new RegExp(`${secret}|xox[a-z]-`))
    return { report }
  } catch (error) {
    const refusal = (error as Error).message
    const left = readdirSync(folder.path).filter((name) => !name.startsWith('lock'))
    assert.deepEqual(left, [], refusal)
    assert.doesNotMatch(refusal, new RegExp(`${secret}|xox[a-z]-`))
    return { refusal }
  } finally {
    folder.release()
  }
}

const json = JSON.stringify
const users = json([
  {
    id: 'U1',
    name: 'olga',
    is_owner: true,
    profile: { real_name: 'Olga', email: 'o@example.com' },
  },
])
const channels = json([{ id: 'C1', name: 'general', members: ['U1'] }])

/** A small export of Slack with these messages of one day. */
const slackWith = (messages: string | Uint8Array, more: Files = {}): Files => ({
  'users.json': users,
  'channels.json': channels,
  'general/2024-03-01.json': messages,
  ...more,
})
const said = (ts: string, text: string, more: object = {}) => ({ ts, user: 'U1', text, ...more })

const reasonsOf = ({ report, refusal }: Outcome, table: 'messages' | 'other') => {
  assert.equal(refusal, undefined)
  const { changed = {}, skipped = {} } = report?.tables[table] ?? {}
  return Object.entries({ ...changed, ...skipped }).map(([reason, entry]) => [reason, entry.count])
}

describe('is refused', () => {
  test('an archive that is cut off, wherever', async () => {
    const zip = readFileSync(await writeZip(fresh('a.zip'), slackExport()))
    const tar = readFileSync(await writeTarGz(fresh('a.tar.gz'), slackExport()))
    for (const [name, whole] of [
      ['a.zip', zip],
      ['a.tar.gz', tar],
    ] as const) {
      for (const part of [0.1, 0.5, 0.99]) {
        const path = fresh(name)
        writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)))
        assert.match(
          (await attempt(path)).refusal ?? '',
          /damaged|cut off|does not look like an export/,
        )
      }
    }
  })

  test('a zip archive whose directory promises a thousand times its size', async () => {
    const path = await writeZip(fresh('bomb.zip'), slackExport())
    const bytes = readFileSync(path)
    const entry = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    bytes.writeUInt32LE(0xfffffff0, entry + 24)
    writeFileSync(path, bytes)
    assert.match((await attempt(path)).refusal ?? '', /would unpack to more than 100 times/)
  })

  test('a zip archive with more in a file than its directory says', async () => {
    const path = await writeZip(fresh('liar.zip'), slackExport())
    const bytes = readFileSync(path)
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
      bytes.writeUInt32LE(3, at + 24)
    }
    writeFileSync(path, bytes)
    assert.match((await attempt(path)).refusal ?? '', /damaged|cut off/)
  })

  test('an export of a version that is not known', async () => {
    for (const [version, reason] of [
      ['9.4', /upgrade/i],
      ['99.0', /newer/],
    ] as const) {
      const files = {
        ...zulipExport(10),
        'migration_status.json': json({ zulip_version: version }),
      }
      assert.match((await attempt(writeFolder(fresh('zulip'), files))).refusal ?? '', reason)
    }
  })

  test('an export without anyone who could be its owner', async () => {
    const nobody = json([{ id: 'U1', name: 'olga', profile: { real_name: 'Olga' } }])
    const files = slackWith(json([said('1709283600.0', secret)]), { 'users.json': nobody })
    assert.match((await attempt(writeFolder(fresh('slack'), files))).refusal ?? '', /active owner/)
  })
})

describe('is left out with a reason', () => {
  const slack: readonly (readonly [string, string | Uint8Array, [string, number][], number])[] = [
    [
      'a message with a time that is out of range or none',
      json([
        said('999999999999.0', secret),
        said('-1.0', secret),
        said('1e9', secret),
        said(`${'9'.repeat(400)}.0`, secret),
        said('1709283600.000100', 'good'),
      ]),
      [['bad-date', 4]],
      1,
    ],
    [
      'a line of 40 MB',
      `[${json(said('1709283600.0', 'good'))},{"text":"${'x'.repeat(40_000_000)}"},${json(said('1709283601.0', 'good'))}]`,
      [['too-long', 1]],
      2,
    ],
    [
      'a message that is ten thousand lists deep',
      `[{"ts":"1709283600.0","user":"U1","text":"${secret}","blocks":${'['.repeat(10_000)}${']'.repeat(10_000)}},${json(said('1709283601.0', 'good'))}]`,
      [['bad-value', 1]],
      1,
    ],
    [
      'what is not in UTF-8, which is read as far as it can be',
      Buffer.from(json([said('1709283600.0', 'caf\xe9')]), 'latin1'),
      [['bad-encoding', 1]],
      1,
    ],
    [
      'nothing of a file in UTF-16',
      Buffer.from(`\uFEFF${json([said('1709283600.0', secret)])}`, 'utf16le'),
      [],
      1,
    ],
    [
      'a file that is cut off',
      `${json([said('1709283600.0', 'good')]).slice(0, -1)},{"ts":"17`,
      [['not-json', 1]],
      1,
    ],
    [
      'nothing of names and texts with NUL and halves of characters',
      '[{"ts":"1709283600.0","user":"U1","text":"a\\u0000b\\ud800c"}]',
      [],
      1,
    ],
    [
      'nothing of threads that begin with each other, or with themselves',
      json([
        said('1709283600.000100', 'a', { thread_ts: '1709283601.000100', reply_count: 1 }),
        said('1709283601.000100', 'b', { thread_ts: '1709283600.000100', reply_count: 1 }),
        said('1709283602.000100', 'c', { thread_ts: '1709283602.000100', reply_count: 9 }),
      ]),
      [],
      3,
    ],
  ]
  for (const [name, messages, reasons, imported] of slack) {
    test(`in an export of Slack: ${name}`, async () => {
      const outcome = await attempt(writeFolder(fresh('slack'), slackWith(messages)))
      assert.deepEqual(reasonsOf(outcome, 'messages'), reasons)
      assert.equal(outcome.report?.tables.messages?.imported ?? 0, imported)
    })
  }

  test('in an export of Mattermost: what is too long, too deep, of no time, or of a newer version', async () => {
    const line = (type: string, value: unknown) => json({ type, [type]: value })
    const post = (message: string, more: object = {}) =>
      line('post', {
        team: 'a',
        channel: 'b',
        user: 'olga',
        message,
        create_at: 1_709_283_600_000,
        ...more,
      })
    const lines = [
      line('version', 7),
      line('team', { name: 'a' }),
      line('channel', { team: 'a', name: 'b', type: 'O' }),
      line('user', {
        username: 'olga',
        email: 'o@example.com',
        roles: 'system_admin',
        teams: [{ name: 'a' }],
      }),
      post('good'),
      post(secret, { create_at: 1e18 }),
      post(secret, { create_at: -5 }),
      post(secret, { create_at: 'never' }),
      post('x'.repeat(17_000_000)),
      `{"type":"post","post":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      `${post(secret).slice(0, -9)}`,
    ]
    const outcome = await attempt(writeFolder(fresh('mattermost'), { 'a.jsonl': lines.join('\n') }))
    assert.deepEqual(reasonsOf(outcome, 'messages'), [
      ['bad-date', 2],
      ['bad-value', 2],
      ['not-json', 1],
      ['too-long', 1],
    ])
    assert.deepEqual(reasonsOf(outcome, 'other'), [['newer-version', 1]])
    assert.equal(outcome.report?.tables.messages?.imported, 1)
  })

  test('in an export of Discord: replies to each other and to themselves are links', async () => {
    const [path, body] =
      Object.entries(discordExport()).find(([name]) => name.endsWith('.json')) ?? []
    assert.ok(path && body)
    const file = JSON.parse(String(body)) as { messages: Record<string, unknown>[] }
    const [first] = file.messages
    const reply = (id: string, to: string, more: object = {}) => ({
      ...first,
      id,
      type: 'Reply',
      content: 'good',
      attachments: [],
      reactions: [],
      embeds: [],
      reference: { messageId: to },
      ...more,
    })
    file.messages = [
      reply('1001', '1002'),
      reply('1002', '1001'),
      reply('1003', '1003'),
      reply('1004', '1003', { timestamp: '+275760-09-13T00:00:00Z', content: secret }),
      reply('1005', '1003', { timestamp: 'long ago', content: secret }),
    ]
    const from = writeFolder(fresh('discord'), { 'a.json': json(file) })
    const outcome = await attempt(from)
    assert.match(outcome.refusal ?? '', /active owner/, 'Discord does not tell who owns it')
  })

  test('in a dump of Rocket.Chat: what is behind the place where a collection is damaged', async () => {
    const files = rocketchatExport()
    const path = 'dump/rocketchat/rocketchat_message.bson'
    const whole = Buffer.from(files[path] ?? '')
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, 2000, 2100)
    const from = writeFolder(fresh('rocketchat'), { ...files, [path]: damaged })
    const outcome = await attempt(from)
    assert.ok(
      reasonsOf(outcome, 'messages').some(
        ([reason]) => reason === 'cut-off' || reason === 'bad-value',
      ),
    )
  })
})

test('a gzipped file of lines is an export as well', async () => {
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'a' } },
    { type: 'channel', channel: { team: 'a', name: 'b', type: 'O' } },
    {
      type: 'user',
      user: {
        username: 'olga',
        email: 'o@example.com',
        roles: 'system_admin',
        teams: [{ name: 'a' }],
      },
    },
  ]
  const path = fresh('a.jsonl.gz')
  writeFileSync(path, gzipSync(lines.map((each) => json(each)).join('\n')))
  assert.equal((await attempt(path)).report?.format, 'mattermost')
})
