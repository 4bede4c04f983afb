import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openArchive } from '#features/organization/imports/archive/archive.ts'
import { Notes } from '#features/organization/imports/report.ts'
import { createSlack } from '#features/organization/imports/sources/slack/source.ts'
import { reportText } from '#features/organization/imports/summary.ts'
import { defaultConfig } from '#platform/config.ts'
import { writeZip } from '#test/support/exports/archives.ts'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf } from '#test/support/exports/items.ts'
import { slackExport, ts } from '#test/support/exports/slack.ts'
import { type SlackServer, startSlack } from '#test/support/exports/slack-server.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { assertLinear } from './linear.ts'

const token = 'xoxb-the-token'
let server: SlackServer
before(async () => {
  server = await startSlack(token)
})
after(() => server.close())

const outside = () => ({
  config: { ...defaultConfig, allowedNetworks: ['127.0.0.1'] },
  sources: [createSlack(server.origin)],
})
const expected = (name: string) =>
  readFileSync(new URL(`../../../support/exports/${name}`, import.meta.url), 'utf8')
const withoutPort = (text: string) => text.replaceAll(server.origin, 'https://files.slack.com')
const json = JSON.stringify
const files = (messages: readonly object[], more = {}) => ({
  'users.json': json([{ id: 'U1', is_owner: true, profile: { real_name: 'Olga' } }]),
  'channels.json': json([{ id: 'C1', name: 'general', members: ['U1'] }]),
  'general/2024-03-01.json': json(messages),
  ...more,
})
const texts = async (messages: readonly object[]) =>
  (await itemsOf(files(messages))).items.flatMap((item) =>
    item.type === 'message' ? [item.content] : [],
  )

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(slackExport(server.origin), outside())
  try {
    assert.equal(withoutPort(dumpOf(made)), expected('slack.txt'))
    assert.doesNotMatch(json(made.report), /xox/)
  } finally {
    made.close()
  }
})

test('a token adds addresses, custom emoji with their other names, and the name of the team', async () => {
  const made = await importFiles(slackExport(server.origin), { ...outside(), source: { token } })
  try {
    const { report, rows } = made
    assert.equal(report.organization, 'The Team')
    assert.deepEqual(rows("SELECT email FROM users WHERE full_name = 'Gäst'"), [
      { email: 'gast@example.com' },
    ])
    assert.deepEqual(rows('SELECT name, author_id AS author FROM realm_emoji'), [
      { name: 'wavy', author: null },
    ])
    assert.deepEqual(
      rows("SELECT emoji_name AS emoji FROM reactions WHERE reaction_type = 'realm_emoji'"),
      [{ emoji: 'wavy' }, { emoji: 'wavy' }],
    )
    assert.deepEqual(report.tables.people?.skipped['bad-value'], {
      count: 2,
      examples: ['users.list', 'users.json'],
    })
    assert.equal(report.tables['custom emoji']?.skipped['not-downloaded']?.count, 1)
    assert.doesNotMatch(json(report) + dumpOf(made), /xox/)
  } finally {
    made.close()
  }
})

test('the token is sent where the address has none, and only to Slack', async () => {
  const from = server.asked.length
  const file = { mode: 'hosted', name: 'a', id: 'Fa' }
  const made = await importFiles(
    files([
      {
        ts: ts(1),
        user: 'U1',
        files: [
          { ...file, url_private: `${server.origin}/own?t=xoxe-1` },
          { ...file, id: 'Fb', url_private: `${server.origin}/bare` },
          { ...file, id: 'Fc', url_private: 'http://127.0.0.1:9/elsewhere' },
        ],
      },
    ]),
    { ...outside(), source: { token } },
  )
  made.close()
  const asked = server.asked.slice(from).filter((path) => /^\/(own|bare|elsewhere)/.test(path))
  assert.deepEqual(asked, ['/own', `/bare Bearer ${token}`])
})

test('a token that Slack refuses ends the import, without being told', async () => {
  await assert.rejects(
    importFiles(slackExport(), { ...outside(), source: { token: 'xoxb-wrong' } }),
    (error: Error) =>
      /Slack refused users.list: invalid_auth/.test(error.message) && !/xox/.test(error.message),
  )
})

test('downloads are kept in the cache, so that another try needs only the rest', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'parley-cache-'))
  try {
    const options = { ...outside(), source: { cache } }
    const first = await importFiles(slackExport(server.origin), options)
    first.close()
    const [kept] = readdirSync(cache)
    assert.equal(readdirSync(cache).length, 1, 'what could not be downloaded leaves nothing')
    assert.equal(readFileSync(join(cache, kept ?? ''), 'utf8'), 'plan')
    const from = server.asked.length
    const second = await importFiles(slackExport(server.origin), options)
    const claims = second.rows(
      'SELECT a.name, a.size FROM attachment_claims k JOIN attachments a ON a.id = k.attachment_id',
    )
    second.close()
    assert.deepEqual(claims, [{ name: 'plan.txt', size: 4 }])
    assert.deepEqual(server.asked.slice(from), ['/login', '/moved'])
  } finally {
    rmSync(cache, { recursive: true })
  }
})

describe('a file that a tool has added to the archive', () => {
  const file = { id: 'F1', name: 'plan.txt', mode: 'hosted', size: 9 }
  const old = () => `${server.origin}/login`
  type Case = readonly [name: string, path: string, more: () => object]
  // biome-ignore format: a table reads best in columns
  const cases: readonly Case[] = [
    ['the folder of its ID',                                  '__uploads/F1/plan.txt',           () => ({ url_private: old() })],
    ['that folder under another name',                        '__uploads/F1/Plan (1).txt',       () => ({ url_private: old() })],
    ['that folder without any address',                       '__uploads/F1/plan.txt',           () => ({})],
    ['that folder though it was removed since',               '__uploads/F1/plan.txt',           () => ({ mode: 'tombstone' })],
    ['that folder though access to it was denied',            '__uploads/F1/plan.txt',           () => ({ file_access: 'access_denied' })],
    ['that folder though it is of another system',            '__uploads/F1/plan.txt',           () => ({ is_external: true, url_private: 'https://example.com/x' })],
    ['the folder of its message by its address',              'general/attachments/F1-plan.txt', () => ({ url_private: 'attachments/F1-plan.txt' })],
    ['the folder of its message by its other address',        'general/attachments/x.txt',       () => ({ url_private_download: 'attachments/x.txt' })],
    ['the folder of its message by a path of Windows',        'general/attachments/x.txt',       () => ({ url_private: 'attachments\\x.txt' })],
    ['the folder of its message by its ID',                   'general/attachments/F1-plan.txt', () => ({ url_private: old() })],
    ['the folder that has the ID of its channel as its name', 'C1/attachments/F1-plan.txt',      () => ({ url_private: old() })],
  ]
  for (const [name, path, more] of cases) {
    test(`is read from ${name}`, async () => {
      const from = server.asked.length
      const message = { ts: ts(1), user: 'U1', files: [{ ...file, ...more() }] }
      const made = await importFiles(files([message], { [path]: 'the plan' }), outside())
      try {
        assert.deepEqual(made.rows('SELECT name, size FROM attachments'), [
          { name: 'plan.txt', size: 8 },
        ])
        const { files: counted, other } = made.report.tables
        assert.deepEqual([counted?.skipped, other], [{}, undefined])
        assert.deepEqual(server.asked.slice(from), [])
      } finally {
        made.close()
      }
    })
  }

  test('is chosen by its name if there are several', async () => {
    const added = { '__uploads/F1/a.txt': 'a', '__uploads/F1/plan.txt': 'the plan' }
    const made = await importFiles(files([{ ts: ts(1), user: 'U1', files: [file] }], added))
    const { report, rows } = made
    const sizes = rows('SELECT size FROM attachments')
    made.close()
    assert.deepEqual(sizes, [{ size: 8 }])
    assert.deepEqual(report.tables.files?.skipped, { absent: { count: 1, examples: ['a.txt'] } })
  })

  for (const address of ['2024-03-01.json', '../users.json', '../secret/attachments/x.txt']) {
    test(`is not what ${address} leads to`, async () => {
      const message = { ts: ts(1), user: 'U1', files: [{ ...file, url_private: address }] }
      const made = await importFiles(files([message], { 'secret/attachments/x.txt': 'secret' }))
      made.close()
      assert.equal(made.report.tables.files?.imported, 0)
    })
  }

  test('is counted if no message has it, and so is everything else that is not read', async () => {
    const { report } = await itemsOf(
      files([{ ts: ts(1), user: 'U1', text: 'a' }], {
        '__uploads/F7/lost.txt': '',
        'general/attachments/F8-lost.txt': '',
        '__avatars/U7/x.png': '',
        'general/notes.txt': '',
        'top.txt': '',
      }),
    )
    assert.deepEqual(report.files?.skipped.absent, {
      count: 2,
      examples: ['lost.txt', 'F8-lost.txt'],
    })
    assert.equal(report.pictures?.skipped.absent?.count, 1)
    assert.deepEqual(report.other?.skipped['unread-file'], {
      count: 2,
      examples: ['general/notes.txt', 'top.txt'],
    })
  })
})

describe('the picture of a person', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['__avatars/U1.png', true],
    ['__avatars/U1/x_original.png', true],
    ['profile_pictures/U1.png', true],
    ['__avatars/U10/x.png', false],
  ]
  for (const [path, isFound] of cases) {
    test(`is ${isFound ? '' : 'not '}read from ${path}`, async () => {
      const profile = { real_name: 'Olga', image_original: 'https://elsewhere.example/x.png' }
      const added = {
        'users.json': json([{ id: 'U1', is_owner: true, profile }]),
        [path]: pngPicture(),
      }
      const made = await importFiles(files([{ ts: ts(1), user: 'U1', text: 'a' }], added))
      try {
        const found = made.rows("SELECT full_name AS name FROM users WHERE avatar_hash <> ''")
        assert.deepEqual(found, isFound ? [{ name: 'Olga' }] : [])
        const lost = made.report.tables.pictures?.skipped['missing-file']?.count
        assert.equal(lost, isFound ? undefined : 1)
      } finally {
        made.close()
      }
    })
  }
})

test('a download that breaks off is told, and nothing of it is kept', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'parley-cache-'))
  try {
    const file = { id: 'F1', name: 'a.txt', mode: 'hosted', url_private: `${server.origin}/cut` }
    const made = await importFiles(files([{ ts: ts(1), user: 'U1', files: [file] }]), {
      ...outside(),
      source: { cache },
    })
    const { report } = made
    made.close()
    assert.equal(report.tables.files?.skipped['not-downloaded']?.count, 1)
    assert.deepEqual(readdirSync(cache), [])
  } finally {
    rmSync(cache, { recursive: true })
  }
})

describe('a trial', () => {
  const file = (id: string, path: string) => ({
    id,
    name: `${id}.txt`,
    mode: 'hosted',
    size: 4,
    url_private: `${server.origin}${path}`,
  })
  const profile = (path: string) => ({
    real_name: path,
    image_original: `${server.origin}${path}`,
  })
  const users = (...paths: readonly string[]) =>
    json(paths.map((path, i) => ({ id: `U${i}`, is_owner: true, profile: profile(path) })))

  test('fetches one of each kind, and says how many more there are', async () => {
    const from = server.asked.length
    const { close, report } = await importFiles(
      files(
        [
          { ts: ts(1), user: 'U1', files: [file('F1', '/good'), file('F2', '/bare')] },
          { ts: ts(2), user: 'U1', files: [file('F3', '/own'), { id: 'F4', mode: 'tombstone' }] },
          { ts: ts(3), user: 'U1', files: [{ ...file('F5', '/in'), name: 'in.txt' }] },
        ],
        {
          'users.json': users('/wavy.png', '/gone.png', '/icon'),
          '__uploads/F5/in.txt': 'here',
        },
      ),
      { ...outside(), isTrial: true },
    )
    close()
    assert.deepEqual(server.asked.slice(from), ['/wavy.png', '/good'])
    const { files: ofMessages, pictures } = report.tables
    assert.deepEqual(ofMessages, {
      read: 5,
      imported: 1,
      toFetch: { count: 3, tried: 'fetched' },
      changed: {},
      skipped: { removed: { count: 1, examples: ['file'] } },
    })
    assert.deepEqual(pictures?.toFetch, { count: 3, tried: 'fetched' })
    assert.match(
      reportText(report),
      /^ {2}3 to be fetched from Slack: the first one could be fetched$/m,
    )
  })

  test('says that the links to files have expired', async () => {
    const { close, report } = await importFiles(
      files([{ ts: ts(1), user: 'U1', files: [file('F1', '/login'), file('F2', '/good')] }]),
      { ...outside(), isTrial: true },
    )
    close()
    assert.deepEqual(report.tables.files?.toFetch, { count: 2, tried: 'not-downloaded' })
    assert.match(
      reportText(report),
      /2 to be fetched from Slack: the first one failed \(not-downloaded\): it could not be downloaded/,
    )
    assert.match(report.nextSteps.join(), /links to files in the export may have expired/)
  })

  test('promises what the import then does', async () => {
    const added = { 'users.json': users('/wavy.png', '/gone.png', '/icon') }
    const { close, report, rows } = await importFiles(
      files([{ ts: ts(1), user: 'U1', files: [file('F1', '/good')] }], added),
      outside(),
    )
    assert.equal(rows("SELECT 1 FROM users WHERE avatar_hash <> ''").length, 2)
    close()
    assert.equal(report.tables.pictures?.imported, 2)
    assert.equal(report.tables.pictures?.skipped['not-downloaded']?.count, 1)
    assert.equal(report.tables.files?.toFetch, undefined)
  })
})

test('a host that does not answer is not asked for each of a thousand files', async () => {
  let connections = 0
  const silent = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const rows = Array.from({ length: 9 }, (_, i) => ({
    ts: ts(i),
    user: 'U1',
    files: [{ id: `F${i}`, name: 'a', mode: 'hosted', url_private: `${origin}/${i}` }],
  }))
  try {
    const { close, report } = await importFiles(files(rows), {
      ...outside(),
      sources: [createSlack(origin)],
    })
    close()
    assert.equal(connections, 3)
    assert.equal(report.tables.files?.skipped['not-downloaded']?.count, 9)
  } finally {
    silent.close()
  }
})

test('an export of a whole Enterprise Grid organization is refused with advice', async () => {
  await assert.rejects(
    itemsOf({ 'org_users.json': '[]', 'channels.json': '[]' }),
    /Export one workspace/,
  )
})

test('names in UTF-8 are read from a zip archive that does not say so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-zip-'))
  try {
    const path = await writeZip(join(folder, 'export.zip'), {
      'users.json': '[]',
      'über-日本/2024-03-01.json': '[]',
    })
    const bytes = readFileSync(path)
    for (const [signature, at] of [
      ['PK\x01\x02', 8],
      ['PK\x03\x04', 6],
    ] as const) {
      for (
        let i = bytes.indexOf(signature, 0, 'latin1');
        i >= 0;
        i = bytes.indexOf(signature, i + 4, 'latin1')
      ) {
        bytes.writeUInt16LE(bytes.readUInt16LE(i + at) & ~0x0800, i + at)
      }
    }
    writeFileSync(path, bytes)
    const opening = { scratch: folder, notes: new Notes(), signal: new AbortController().signal }
    const archive = await openArchive(path, opening)
    assert.deepEqual(archive.paths, ['users.json', 'über-日本/2024-03-01.json'])
    await archive.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('replies stay in the main topic if nobody wants threads', async () => {
  const { items } = await itemsOf(slackExport(), { noThreads: true })
  assert.equal(
    items.some(({ type }) => type === 'thread'),
    false,
  )
  const places = items.flatMap((item) =>
    item.type === 'message' && 'channel' in item.place ? [item.place.topic] : [],
  )
  assert.deepEqual([...new Set(places)], ['imported from Slack'])
})

test('a thread over more messages than are sorted at once is one topic', async () => {
  const root = { ts: ts(0), user: 'U1', text: 'root', thread_ts: ts(0), reply_count: 20_001 }
  const replies = Array.from({ length: 20_001 }, (_, i) => ({
    ts: ts(i + 1),
    user: 'U1',
    text: 'r',
    thread_ts: ts(0),
  }))
  const { items } = await itemsOf(files([root, ...replies]))
  assert.equal(items.filter(({ type }) => type === 'thread').length, 1)
  const inThread = items.filter((item) => item.type === 'message' && 'thread' in item.place)
  assert.equal(inThread.length, 20_001)
})

for (const counts of [{ reply_count: 1 }, { replies: [{ user: 'U1', ts: ts(2) }] }, {}]) {
  test(`a thread whose beginning has ${json(counts)} is one, with its name`, async () => {
    const root = { ts: ts(1), user: 'U1', text: 'Lunch?', thread_ts: ts(1), ...counts }
    const reply = { ts: ts(2), user: 'U1', text: 'Yes', thread_ts: ts(1) }
    const alone = { ts: ts(3), user: 'U1', text: 'Alone', thread_ts: ts(3) }
    const { items } = await itemsOf(files([root, reply, alone]))
    const threads = items.flatMap((item) => (item.type === 'thread' ? [item.title] : []))
    assert.deepEqual(threads, ['2024-03-01 Lunch?'])
    const said = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
    const link = { message: `C1-${ts(1)}`, text: 'Where this thread began' }
    assert.deepEqual(said.slice(1), [[link, '\nYes'], 'Alone'])
  })
}

test('what an app says under the names of others has these names', async () => {
  const users = [
    { id: 'U1', is_owner: true, profile: { real_name: 'Olga' } },
    { id: 'U2', is_bot: true, profile: { real_name: 'Bridge', bot_id: 'B2' } },
  ]
  const rows = [
    ...['Bridge', 'Ann &amp; co', 'Ben', ''].map((username) => ({ bot_id: 'B2', username })),
    ...['x', 'y'].map((username) => ({ bot_id: 'B1', username })),
    // Old exports have such names of people.
    { user: 'U1', username: '<@U1|olga>' },
  ].map((row, i) => ({ ts: ts(i), text: 'hi', ...row }))
  const { items } = await itemsOf(files(rows, { 'users.json': json(users) }))
  const said = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
  const bridged = ['hi', '**Ann & co**: hi', '**Ben**: hi', 'hi']
  assert.deepEqual(said, [...bridged, 'hi', '**y**: hi', 'hi'])
})

test('a time that is a text is the same as a number', async () => {
  for (const created of [1_700_000_000, '1700000000']) {
    const channel = { id: 'C1', name: 'general', members: ['U1'], created }
    const { items, report } = await itemsOf(files([], { 'channels.json': json([channel]) }))
    const [found] = items.flatMap((item) => (item.type === 'channel' ? [item.created] : []))
    assert.equal(found, 1_700_000_000)
    assert.deepEqual(report.channels?.changed ?? {}, {})
  }
})

test('comments on a canvas are in a private channel of its name', async () => {
  const name = 'FC:F0ABC:Plan: all of it'
  const row = { ts: ts(1), user: 'U1', text: 'Too long' }
  const { items } = await itemsOf(
    files([], {
      'file_conversations.json': json(['', { id: 'C2', name, members: ['U1'] }]),
      'FC_F0ABC_Plan_ all of it/2024-03-01.json': json([row]),
    }),
  )
  const channels = items.flatMap((item) => (item.type === 'channel' ? [item] : []))
  assert.deepEqual(
    channels.map((each) => [each.name, each.isPrivate]),
    [
      ['general', false],
      ['Plan: all of it', true],
    ],
  )
  assert.equal(items.filter(({ type }) => type === 'message').length, 1)
})

test('a second run knows nothing of the first', async () => {
  const once = await itemsOf(slackExport())
  const again = await itemsOf(slackExport())
  assert.equal(json(again), json(once))
})

test('integrations without any name or ID are one bot, and those of the same name too', async () => {
  const { items } = await itemsOf(
    files([
      { ts: ts(1), subtype: 'bot_message', text: 'a' },
      { ts: ts(2), subtype: 'bot_message', text: 'b' },
      { ts: ts(3), subtype: 'bot_message', bot_id: 'B1', username: 'x', text: 'c' },
      { ts: ts(4), subtype: 'bot_message', bot_id: 'B1', username: 'y', text: 'd' },
    ]),
  )
  const bots = items.flatMap((item) => (item.type === 'person' && item.bot ? [item.name] : []))
  assert.deepEqual(bots, ['Slackbot', 'x'])
})

describe('markup', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['*a* *b*', '**a** **b**'],
    ['a*b*c 2 * 3 * 4', 'a&#42;b&#42;c 2 * 3 * 4'],
    ['_a_ snake_case_name', '*a* snake_case_name'],
    ['~a~', '~~a~~'],
    ['`*a*` *`b`*', '`*a*` **`b`**'],
    ['```a\n*b*```', '```\na\n*b*\n```'],
    ['`curl <https://a.de/x>`', '`curl https://a.de/x`'],
    ['`<http://a.de|a.de>`', '`a.de`'],
    ['`<http://a.de/?a=1&amp;b=2> &lt;b&gt;`', '`http://a.de/?a=1&b=2 <b>`'],
    ['`<mailto:a@b.de|a@b.de> <tel:+49>`', '`a@b.de +49`'],
    ['`<@U1> <@U9|ann> <#C1|general> <#C9> <!here>`', '`@Olga @ann #general #C9 @here`'],
    ['<!subteam^S1> `<!subteam^S1>`', '@group `@group`'],
    ['`<!subteam^S1|@devs> <!date^1^{date}|then>`', '`@devs then`'],
    ['`<https://files.slack.com/f?t=xoxe-1-a>`', '`https://files.slack.com/f`'],
    ['`<&gt; a < b > c`', '`<> a < b > c`'],
    ['`std::vector&lt;int&gt;`', '`std::vector<int>`'],
    ['```print(<http://a.de|a.de>)\n<@U1>```', '```\nprint(a.de)\n@Olga\n```'],
    ['&lt;script&gt; &amp;amp;', '<script> &amp;amp;'],
    ['&gt; a\n&gt;b', '> a\n> b'],
    ['# no heading', '&#35; no heading'],
    ['[a](b)', '[a&#93;(b)'],
    ['<https://a.de|a]b>', '[a&#93;b](https://a.de)'],
    ['<https://a.de|a\nb> < c\nd>', '[a b](https://a.de) < c\nd>'],
    ['(<https://a.de>), "<https://a.de>".', '(https://a.de), "https://a.de".'],
    ['<https://a.de><https://b.de|b>', '[https://a.de](https://a.de)[b](https://b.de)'],
    ['-<https://a.de>', '-[https://a.de](https://a.de)'],
    ['<https://a.de/?token=xoxe-1-a>', 'https://a.de/'],
    ['<javascript:alert(1)|x>', 'x'],
    ['<https://files.slack.com/f?t=xoxe-1-a>', 'https://files.slack.com/f'],
    ['<https://a.de/?t=xoxe-1-a&b=1|c>', '[c](https://a.de/?b=1)'],
    ['<!everyone> <!here|here>', [{ everyone: true }, ' ', { everyone: true }]],
    ['<@U9|ann>', [{ person: 'U9', text: '@ann' }]],
    ['<#C9|old>', [{ channel: 'C9', text: '#old' }]],
    [':thumbsup::skin-tone-3: :unheard_of:', '👍 :unheard_of:'],
    [':star-struck: :flag-ca: :un-heard-of:', '🤩 🇨🇦 :un-heard-of:'],
    ['\u0001a\u0000b', 'ab'],
  ]
  for (const [text, wanted] of cases) {
    test(`${json(text)} becomes ${json(wanted)}`, async () => {
      assert.deepEqual(await texts([{ ts: ts(1), user: 'U1', text }]), [wanted])
    })
  }

  test('takes work in proportion to its length, whatever it is', async () => {
    for (const piece of [
      '*a',
      '_a',
      '~a ',
      '`',
      '<',
      '<@',
      '`<@U1>',
      '`<a:b`',
      '```',
      ':a',
      '&gt;',
      '[',
      '[a]',
      '$',
      '@**',
    ]) {
      await assertLinear(piece, (text) => texts([{ ts: ts(1), user: 'U1', text }]))
    }
  })
})

describe('blocks', () => {
  const raw = (text: string) => ({ type: 'raw_text', text })
  const richSection = (element: object) => ({ type: 'rich_text_section', elements: [element] })
  const [bold, code] = [{ bold: true }, { code: true }]
  const button = (text: string, url = 'https://a.de') => ({
    type: 'button',
    text: { type: 'plain_text', text },
    url,
  })
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'a' } }
  const cases: readonly (readonly [string, object, unknown])[] = [
    [
      'a section',
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*a*' },
        fields: [{ type: 'plain_text', text: '*b*' }],
      },
      '**a**\n&#42;b&#42;',
    ],
    ['a heading', { type: 'header', text: { type: 'plain_text', text: 'a' } }, '**a**'],
    [
      'a context',
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'a' },
          { type: 'plain_text', text: 'b' },
        ],
      },
      'a b',
    ],
    [
      'a picture',
      { type: 'image', image_url: 'https://a.de/b.png', alt_text: 'c' },
      '[c](https://a.de/b.png)',
    ],
    ['no block at all', { kind: 1 }, 'text'],
    ['a line between blocks', { type: 'divider' }, 'text'],
    [
      'a table',
      {
        type: 'table',
        rows: [
          [raw('Name'), raw('Count | *')],
          [raw('a\nb'), { type: 'raw_number', value: 7 }, raw('c')],
          [
            {
              type: 'rich_text',
              elements: [richSection({ type: 'text', text: 'x', style: bold })],
            },
          ],
          [{ type: 'rich_text', elements: [richSection({ type: 'user', user_id: 'U1' })] }],
          [
            {
              type: 'rich_text',
              elements: [richSection({ type: 'text', text: 'a|b', style: code })],
            },
          ],
        ],
      },
      '| Name | Count \\| * | |\n| --- | --- | --- |\n| a b | 7 | c |\n| **x** |\n| @Olga |\n| `a|b` |',
    ],
    ['a table without rows', { type: 'table', rows: [] }, 'text'],
    [
      'a video',
      {
        type: 'video',
        title: { type: 'plain_text', text: 'Film' },
        title_url: 'https://a.de/film',
        video_url: 'https://a.de/embed',
        description: { type: 'plain_text', text: 'About *us*' },
        author_name: 'Ann',
      },
      'text\n[Film](https://a.de/film)\nAnn\nAbout &#42;us&#42;',
    ],
    [
      'a row of buttons',
      { type: 'actions', elements: [button('Open'), button('Docs', 'https://b.de')] },
      'text\n[Open](https://a.de) [Docs](https://b.de)',
    ],
    [
      'a menu',
      { type: 'actions', elements: [{ type: 'overflow', options: [button('Open')] }] },
      'text\n[Open](https://a.de)',
    ],
    [
      'a section with a button',
      { ...section, accessory: button('Open') },
      'a\n[Open](https://a.de)',
    ],
    [
      'a section with a picture',
      { ...section, accessory: { type: 'image', image_url: 'https://a.de/b.png', alt_text: 'b' } },
      'a\n[b](https://a.de/b.png)',
    ],
  ]
  for (const [name, block, wanted] of cases) {
    test(`${name} becomes ${json(wanted)}`, async () => {
      assert.deepEqual(await texts([{ ts: ts(1), user: 'U1', text: 'text', blocks: [block] }]), [
        wanted,
      ])
    })
  }

  test('stay below each other, and none runs into a table', async () => {
    const table = { type: 'table', rows: [[raw('a')], [raw('b')]] }
    const words = (text: string) => ({
      type: 'rich_text',
      elements: [richSection({ type: 'text', text })],
    })
    const blocks = [words('before'), table, words('after')]
    assert.deepEqual(await texts([{ ts: ts(1), user: 'U1', text: 'text', blocks }]), [
      'before\n| a |\n| --- |\n| b |\n\nafter',
    ])
  })

  const lost: readonly (readonly [string, object, string, string])[] = [
    [
      'a button without an address',
      { type: 'actions', elements: [button('Yes', '')] },
      'text',
      'button',
    ],
    [
      'a field for a date',
      { type: 'actions', elements: [{ type: 'datepicker' }] },
      'text',
      'datepicker',
    ],
    [
      'a section with a menu',
      { ...section, accessory: { type: 'static_select' } },
      'a',
      'static_select',
    ],
    ['a file of elsewhere', { type: 'file', external_id: 'x', source: 'remote' }, 'text', 'file'],
    [
      'a call',
      { type: 'call', call: { v1: { name: 'Daily', join_url: 'https://a.de/join', id: 'R1' } } },
      'text\n[Daily](https://a.de/join)',
      'call',
    ],
    [
      'a question',
      { type: 'input', label: { type: 'plain_text', text: '*Why*' }, element: { type: 'x' } },
      'text\n&#42;Why&#42;',
      'input',
    ],
    [
      'a kind of later',
      {
        type: 'card',
        title: { type: 'mrkdwn', text: '*A*' },
        cards: [{ url: 'https://a.de', title: 'b' }, { description: 'c' }, { value: 'hidden' }],
      },
      'text\n**A**\n[b](https://a.de)\nc',
      'card',
    ],
    [
      'rich text with a kind of later',
      {
        type: 'rich_text',
        elements: [richSection({ type: 'mail', url: 'https://a.de', text: 'b' })],
      },
      '[b](https://a.de)',
      'mail',
    ],
  ]
  for (const [name, block, wanted, kind] of lost) {
    test(`${name} becomes ${json(wanted)}, and is counted`, async () => {
      const message = { ts: ts(1), user: 'U1', text: 'text', blocks: [block] }
      const { items, report } = await itemsOf(files([message]))
      const found = items.flatMap((item) => (item.type === 'message' ? [item.content] : []))
      assert.deepEqual(found, [wanted])
      assert.deepEqual(report.messages?.changed, { 'no-place': { count: 1, examples: [kind] } })
    })
  }

  test('take work in proportion to their length, whatever they have', async () => {
    for (const part of ['|', '``', 'a ']) {
      await assertLinear(part, (text) => {
        const table = { type: 'table', rows: [[raw(text)]] }
        return texts([{ ts: ts(1), user: 'U1', blocks: [table, { type: 'later', text }] }])
      })
    }
  })
})

describe('attachments', () => {
  const cases: readonly (readonly [string, object, unknown])[] = [
    ['an author', { author_name: 'Ann', text: 'a' }, 'Ann\na'],
    [
      'an author with a page',
      { author_name: 'Ann', author_link: 'https://a.de', text: 'a' },
      '[Ann](https://a.de)\na',
    ],
    ['a footer', { text: 'a', footer: 'GitHub' }, 'a\nGitHub'],
    [
      'buttons',
      { text: 'a', actions: [{ type: 'button', text: 'Open', url: 'https://a.de' }] },
      'a\n[Open](https://a.de)',
    ],
    ['a fallback', { fallback: 'a', footer: 'GitHub' }, 'a\nGitHub'],
    [
      'a title with markup',
      { title: '<https://a.de/1|#4 *Add*> &amp; _more_' },
      '**[#4 &#42;Add&#42;](https://a.de/1) & more**',
    ],
    [
      'a title that is a link',
      { title: '<https://a.de/1|#4 Add>' },
      '**[#4 Add](https://a.de/1)**',
    ],
    [
      'a linked title with markup',
      { title: '*A* <https://b.de|b> &amp; `c`', title_link: 'https://a.de' },
      '[A b & c](https://a.de)',
    ],
    ['a title of two lines', { title: 'a\nb' }, '**a b**'],
    ['a title with an emoji', { title: 'a :tada:' }, '**a 🎉**'],
    [
      'a footer with markup',
      { text: 'a', footer: '<https://a.de|repo> &amp; _x_' },
      'a\n[repo](https://a.de) & *x*',
    ],
    [
      'an author with markup',
      { text: 'a', author_name: '<https://a.de|Ann>' },
      '[Ann](https://a.de)\na',
    ],
    [
      'a field with markup in its title',
      { fields: [{ title: '<https://a.de|b>', value: 'c' }] },
      '**[b](https://a.de)**: c',
    ],
    ['a field without a title', { fields: [{ value: 'c' }] }, 'c'],
    [
      'an author of a shared message with markup',
      { is_share: true, text: 'a', author_name: 'Ann &amp; Bo' },
      '> **Ann & Bo**\n> a',
    ],
    ['nothing but a mark of a shared message', { is_share: true }, undefined],
    [
      'a file of a shared message',
      { is_share: true, author_name: 'Ann', text: 'a', files: [{ id: 'F1', title: 'Plan' }, null] },
      ['> **Ann**\n> a\n> ', { file: 'F1', text: 'Plan' }],
    ],
  ]
  for (const [name, attachment, wanted] of cases) {
    test(`with ${name} become ${json(wanted) ?? 'no message'}`, async () => {
      const message = { ts: ts(1), user: 'U1', text: '', attachments: [attachment] }
      assert.deepEqual(await texts([message]), wanted === undefined ? [] : [wanted])
    })
  }

  const page = { from_url: 'https://a.de/x', title: 'A page' }
  const rich = (url: string) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url }] }],
  })
  // biome-ignore format: a table reads best in columns
  const pages: readonly (readonly [string, object, object, boolean])[] = [
    ['without any text',                  { text: '' },                                              page,                                                    true],
    ['with a text',                       { text: 'see this' },                                      page,                                                    true],
    ['with a link to another page',       { text: '<https://a.de/x/y>' },                            page,                                                    true],
    ['with the link',                     { text: '<https://a.de/x>' },                              page,                                                    false],
    ['with the link under a label',       { text: 'a <https://a.de/x|b> c' },                        page,                                                    false],
    ['with the link and a slash',         { text: '<http://www.A.de/x/>' },                          page,                                                    false],
    ['with the link in its blocks',       { text: '', blocks: [rich('https://a.de/x')] },            page,                                                    false],
    ['with the link and parameters',      { text: '<https://a.de/?a=1&amp;b=2>' },                   { ...page, from_url: 'https://a.de/?a=1&b=2' },          false],
    ['with a link that led there',        { text: '<https://t.de/1>' },                              { ...page, original_url: 'https://t.de/1' },             false],
    ['with the link that an app shows',   { text: '<https://t.de/1>' },                              { ...page, app_unfurl_url: 'https://t.de/1' },           false],
    ['with the link of an app above',     { attachments: [{ title: 'b', title_link: 'https://a.de/x' }] }, page,                                              false],
  ]
  for (const [name, message, attachment, isKept] of pages) {
    test(`of a page in a message ${name} are ${isKept ? 'kept' : 'left to the client'}`, async () => {
      const { attachments = [] } = message as { attachments?: object[] }
      const row = { ts: ts(1), user: 'U1', ...message, attachments: [...attachments, attachment] }
      const [content] = await texts([row])
      assert.equal(json(content).includes('A page'), isKept)
    })
  }
})
