import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openArchive } from '#features/organization/imports/archive/archive.ts'
import { Notes } from '#features/organization/imports/report.ts'
import { systemClock } from '#platform/clock.ts'
import { type Files, writeZip } from '#test/support/exports/archives.ts'
import { bsonOf } from '#test/support/exports/bson.ts'
import { campfireExport } from '#test/support/exports/campfire.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf, type Told } from '#test/support/exports/items.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { rocketchatExport } from '#test/support/exports/rocketchat.ts'
import { ts } from '#test/support/exports/slack.ts'

const json = JSON.stringify
const root = mkdtempSync(join(tmpdir(), 'parley-others-'))
after(() => rmSync(root, { recursive: true, force: true }))

const owner = { id: 'U1', is_owner: true, profile: { real_name: 'Olga' } }
/** An export of Slack with a channel whose messages are in a folder. */
const slack = (messages: readonly object[], folder = 'general', name = folder): Files => ({
  'users.json': json([owner, { id: 'U2', profile: { real_name: 'Ben' } }]),
  'channels.json': json([{ id: 'C1', name, members: ['U1'] }]),
  [`${folder}/2024-03-01.json`]: json(messages),
})
const said = (n: number, text: string, more: object = {}) => ({
  ts: ts(n),
  user: 'U1',
  text,
  ...more,
})
const messagesOf = ({ items }: Told) =>
  items.flatMap((item) => (item.type === 'message' ? item : []))
const contentsOf = (told: Told) => messagesOf(told).map(({ content }) => content)

describe('the folder of a channel of Slack', () => {
  const name = 'プロジェクト'
  test('is found in another form of Unicode', async () => {
    const told = await itemsOf(slack([said(1, 'a')], 'café'.normalize('NFD'), 'café'))
    assert.deepEqual(contentsOf(told), ['a'])
  })

  // The names as tools of Windows write them into a zip archive, without the mark of UTF-8.
  const encoded: readonly [string, string, readonly number[]][] = [
    ['Japanese', '表ソース', [0x95, 0x5c, 0x83, 0x5c, 0x81, 0x5b, 0x83, 0x58]],
    ['Chinese', '中文', [0xd6, 0xd0, 0xce, 0xc4]],
    ['Korean', '한글', [0xc7, 0xd1, 0xb1, 0xdb]],
    ['Russian', 'чат', [0xf7, 0xe0, 0xf2]],
    ['German', 'größe', [0x67, 0x72, 0x94, 0xe1, 0x65]],
  ]
  for (const [language, channel, bytes] of encoded) {
    test(`is found in an encoding for ${language}`, async () => {
      const stands = 'x'.repeat(bytes.length)
      const path = await writeZip(
        join(root, `${language}.zip`),
        slack([said(1, 'a')], stands, channel),
      )
      const zip = readFileSync(path)
      const mark = Buffer.from(`${stands}/2024`)
      for (let at = zip.indexOf(mark); at >= 0; at = zip.indexOf(mark, at + 1)) zip.set(bytes, at)
      // The bit for UTF-8, in the directory and beside each file.
      for (let at = zip.indexOf('PK'); at >= 0; at = zip.indexOf('PK', at + 2)) {
        const offset = { 'PK\x01\x02': 8, 'PK\x03\x04': 6 }[zip.toString('latin1', at, at + 4)]
        if (offset !== undefined)
          zip.writeUInt16LE(zip.readUInt16LE(at + offset) & ~0x800, at + offset)
      }
      writeFileSync(path, zip)
      const made = await importFiles({}, { from: path })
      try {
        assert.deepEqual(made.rows('SELECT content FROM messages'), [{ content: 'a' }])
        assert.deepEqual(made.rows('SELECT name FROM channels'), [{ name: channel }])
      } finally {
        made.close()
      }
    })
  }

  test('that belongs to no channel is named, with the number of its messages', async () => {
    const { report } = await itemsOf(slack([said(1, 'a'), said(2, 'b')], name, 'other'))
    assert.deepEqual(report.channels?.skipped.absent, { count: 1, examples: [name] })
    assert.deepEqual(report.messages?.skipped.absent, { count: 2, examples: [name] })
  })
})

describe('rich text of Slack', () => {
  const rich = (...elements: object[]) => [
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
  ]
  const code = (text: string) => ({ type: 'text', text, style: { code: true } })
  const link = (style: object) => ({ type: 'link', url: 'https://a.example/x', text: 'x', style })
  const cases: readonly [string, string, readonly object[], unknown][] = [
    [
      'takes the names of groups and channels from the text beside it',
      '<!subteam^S1|@devs> in <#C9|plans> &amp; <#C8>',
      rich(
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'text', text: ' in ' },
        { type: 'channel', channel_id: 'C9' },
        { type: 'channel', channel_id: 'C8' },
      ),
      ['@devs in ', { channel: 'C9', text: '#plans' }, { channel: 'C8', text: '#C8' }],
    ],
    [
      'joins pieces of code that touch',
      '',
      rich(code('blotter._strategy'), code('orders'), { type: 'text', text: ' b' }),
      '`blotter._strategyorders` b',
    ],
    [
      'keeps the style of links',
      '',
      rich(link({ bold: true }), { type: 'text', text: ' ' }, link({ italic: true, strike: true })),
      '**[x](https://a.example/x)** *~~[x](https://a.example/x)~~*',
    ],
  ]
  for (const [name, text, blocks, wanted] of cases) {
    test(name, async () => {
      assert.deepEqual(contentsOf(await itemsOf(slack([said(1, text, { blocks })]))), [wanted])
    })
  }
})

describe('in an export of Slack', () => {
  test('a topic is named by what people see of links', async () => {
    const { items } = await itemsOf(
      slack([
        said(1, '<https://a.example/long|Open *source*> &lt;b&gt;', {
          thread_ts: ts(1),
          reply_count: 1,
        }),
        said(2, 'reply', { thread_ts: ts(1) }),
      ]),
    )
    const titles = items.flatMap((item) => (item.type === 'thread' ? [item.title] : []))
    assert.deepEqual(titles, ['2024-03-01 Open source <b>'])
  })

  test('a sign that stands alone is not escaped', async () => {
    const texts = ['2*3', '2*3*4 is', 'a`b', '*x', '5 * 3', '**kwargs']
    assert.deepEqual(contentsOf(await itemsOf(slack(texts.map((text, i) => said(i, text))))), [
      '2*3',
      '2&#42;3&#42;4 is',
      'a`b',
      '&#42;x',
      '5 * 3',
      '&#42;&#42;kwargs',
    ])
  })

  test('its own emoji are known', async () => {
    const told = await itemsOf(
      slack([
        said(1, ':simple_smile: :squirrel:', { reactions: [{ name: 'squirrel', users: ['U1'] }] }),
      ]),
    )
    const [message] = messagesOf(told)
    assert.equal(message?.content, '🙂 🐿')
    assert.deepEqual(message?.reactions, [
      { person: 'U1', emoji: { code: '1f43f', name: 'squirrel' } },
    ])
  })

  test('a message of nobody is not put into the mouth of a bot', async () => {
    const { items } = await itemsOf(slack([said(1, 'a', { user: undefined })]))
    const people = items.flatMap((item) => (item.type === 'person' ? [item.name] : []))
    assert.deepEqual(people, ['Olga', 'Ben', 'Unknown person'])
  })

  test('a huddle is a message, whose replies are a topic', async () => {
    const room = { created_by: 'U2', participant_history: ['U2', 'U1'] }
    const told = await itemsOf(
      slack([
        said(1, '', {
          user: 'USLACKBOT',
          subtype: 'huddle_thread',
          room,
          thread_ts: ts(1),
          reply_count: 1,
        }),
        said(2, 'notes', { thread_ts: ts(1) }),
      ]),
    )
    const [root, reply] = messagesOf(told)
    assert.deepEqual(
      [root?.sender, root?.content],
      [
        'U2',
        [
          'Huddle with ',
          { person: 'U2', text: '@Ben', silent: true },
          ', ',
          { person: 'U1', text: '@Olga', silent: true },
          '\n',
          { thread: `C1-${ts(1)}`, text: 'Replies in a thread' },
        ],
      ],
    )
    assert.deepEqual(reply?.place, { thread: `C1-${ts(1)}` })
    const titles = told.items.flatMap((item) => (item.type === 'thread' ? [item.title] : []))
    assert.deepEqual(titles, ['2024-03-01 Huddle with @Ben, @Olga'])
  })
})

test('what was said in the future was said by the time of the import', async () => {
  const future = 2_000_000_000
  const made = await importFiles(
    slack([
      said(1, 'now'),
      { ...said(0, 'later'), ts: `${future}.000100`, edited: { ts: `${future}.000200` } },
    ]),
  )
  try {
    const [last] = made.rows(
      'SELECT sent_at AS sent, last_edit_at AS edited FROM messages WHERE id = 2',
    )
    const now = systemClock.now() / 1000
    assert.ok(Number(last?.sent) <= now && Number(last?.edited) <= now)
    assert.equal(made.report.tables.messages?.changed['future-date']?.count, 1)
  } finally {
    made.close()
  }
})

describe('text in UTF-16', () => {
  const files = slack([said(1, 'größe')])
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
    'with its mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'without a mark': (text) => Buffer.from(text, 'utf16le'),
    'with the higher byte first': (text) => swapped(`\ufeff${text}`),
    'with the higher byte first and no mark': swapped,
  }
  for (const [name, encode] of Object.entries(encodings)) {
    test(`is read ${name}`, async () => {
      const encoded = Object.entries(files).map(([path, text]) => [path, encode(String(text))])
      const told = await itemsOf(Object.fromEntries(encoded))
      assert.deepEqual(contentsOf(told), ['größe'])
    })
  }

  test('is read in chunks that end in the middle of a character', async () => {
    const path = join(root, 'a.json')
    const text = json('äöü'.repeat(50_000))
    writeFileSync(path, Buffer.from(`\ufeff${text}`, 'utf16le'))
    const { signal } = new AbortController()
    const archive = await openArchive(path, { scratch: root, notes: new Notes(), signal })
    const parts: Uint8Array[] = []
    for await (const part of archive.read('a.json')) parts.push(part)
    assert.equal(Buffer.concat(parts).toString().replace('\ufeff', ''), text)
  })
})

describe('an export is refused with what is wrong', () => {
  const {
    'users.json': users = '',
    'channels.json': channels = '',
    ...days
  } = slack([said(1, 'a')])
  const rocket = (name: string) =>
    Object.fromEntries(Object.entries(rocketchatExport()).filter(([path]) => !path.includes(name)))
  const cases: readonly [string, Files, RegExp, string?][] = [
    [
      'without people',
      { 'channels.json': channels, ...days },
      /of Slack, but its file users\.json is missing/,
    ],
    [
      'without channels',
      { 'users.json': users, ...days },
      /of Slack, but its file channels\.json is missing/,
    ],
    [
      'without people, if its format is named',
      { 'channels.json': channels, ...days },
      /file users\.json is missing/,
      'slack',
    ],
    [
      'of Rocket.Chat without people',
      rocket('users.bson'),
      /of Rocket\.Chat, but its file users\.bson is missing/,
    ],
    [
      'whose people are no JSON',
      { ...days, 'channels.json': channels, 'users.json': 'id,name\nU1,Olga' },
      /No person of the export could be read \(users\.json\): it is not valid JSON\. .*--owner-name/,
    ],
    ['that says nothing', { 'notes.json': '[]' }, /does not look like an export of/],
  ]
  for (const [name, files, reason, format] of cases) {
    test(name, async () => {
      await assert.rejects(importFiles(files, { format }), reason)
    })
  }
})

describe('in an export of Mattermost', () => {
  const lines = (...posts: readonly object[]) => {
    const { 'import.jsonl': own = '', ...files } = mattermostExport()
    const added = posts.map((each) => `${json(each)}\n`).join('')
    return { ...files, 'import.jsonl': `${own}${added}` }
  }
  const post = (message: string, more: object = {}) => ({
    type: 'post',
    post: {
      team: 'crew',
      channel: 'town-square',
      user: 'olga',
      message,
      create_at: 1_709_283_700_000,
      ...more,
    },
  })
  const last = async (...posts: readonly object[]) =>
    contentsOf(await itemsOf(lines(...posts), { team: 'crew' })).at(-1)

  test('another export beside it is named', async () => {
    const files = { ...mattermostExport(), 'later.jsonl': '{"type":"version","version":1}\n' }
    const { report } = await itemsOf(files, { team: 'crew' })
    assert.deepEqual(report.other?.skipped['other-export'], { count: 1, examples: ['later.jsonl'] })
  })

  test('lines of unknown kinds are counted', async () => {
    const { report } = await itemsOf(
      lines(
        { type: 'playbook', playbook: {} },
        { type: 'board' },
        { type: 'playbook' },
        { kind: 1 },
      ),
      { team: 'crew' },
    )
    const { count, examples } = report.other?.skipped['unknown-table'] ?? { count: 0, examples: [] }
    assert.deepEqual([count, examples.slice(0, 2)], [4, ['playbook', 'board']])
  })

  test('a line that is nothing is counted', async () => {
    const { 'import.jsonl': own = '', ...files } = mattermostExport()
    const { report } = await itemsOf({ ...files, 'import.jsonl': `${own}null\n` }, { team: 'crew' })
    assert.equal(report.other?.skipped['unknown-table']?.count, 1)
  })

  test('a post is left out with its replies, and all are counted', async () => {
    const replies = ['a', 'b'].map((message) => ({ user: 'olga', message, create_at: 1 }))
    const bad = post('no author', { user: 7, replies })
    const foreign = post('elsewhere', { team: 'others', replies })
    const before = await itemsOf(lines(), { team: 'crew' })
    const { report } = await itemsOf(lines(bad, foreign), { team: 'crew' })
    const more = (reason: 'bad-value' | 'other-team') =>
      (report.messages?.skipped[reason]?.count ?? 0) -
      (before.report.messages?.skipped[reason]?.count ?? 0)
    assert.deepEqual([more('bad-value'), more('other-team')], [3, 3])
  })

  test('values of fields may be numbers', async () => {
    const fields = [
      { title: 'Tests', value: 12 },
      { title: 7, value: true },
    ]
    assert.equal(
      await last(post('built', { props: { attachments: [{ fields }] } })),
      'built\n**Tests**: 12\n**7**: true',
    )
  })

  test('pictures with a size are links', async () => {
    assert.equal(
      await last(post('![x](https://a.example/x.png =100x100) and [y](https://a.example/y "Y")')),
      '[x](https://a.example/x.png) and [y](https://a.example/y "Y")',
    )
  })
})

test('messages of a file of Discord without a channel are counted, with those that are damaged', async () => {
  const guild = { id: '1', name: 'G' }
  const file = (channel: object) =>
    json({
      guild,
      channel,
      messages: [{ id: '1' }, ...[2, 3].map((id) => messageOf(`${id}`, 'a'))],
    })
  const { report } = await itemsOf({
    'general.json': file({ id: '3', type: 'GuildTextChat', name: 'general' }),
    'lost.json': file({ id: 4 }),
  })
  assert.deepEqual(report.messages?.skipped.absent, { count: 3, examples: ['lost.json'] })
})

/** A message of Discord. */
const messageOf = (id: string, content: string) => ({
  id,
  type: 'Default',
  timestamp: '2024-03-01T09:00:00Z',
  content,
  author: { id: '2', name: 'ann' },
})

test('people of another database in the same dump stay out', async () => {
  const { 'dump/rocketchat/users.bson': own = '', ...others } = rocketchatExport()
  const files = {
    ...others,
    'dump/aaa/users.bson': bsonOf({ _id: 'foreign', username: 'foreign' }),
    'dump/rocketchat/users.bson': own,
  }
  const keysOf = ({ items }: Told) =>
    items.flatMap((item) => (item.type === 'person' ? [item.key] : []))
  const [alone, beside] = [await itemsOf(rocketchatExport()), await itemsOf(files)]
  assert.deepEqual(keysOf(beside), keysOf(alone))
  assert.ok(beside.report.other?.skipped['unread-file']?.examples.includes('aaa/users.bson'))
})

describe('a spoiler of Discord', () => {
  const of = async (content: string) => {
    const file = {
      guild: { id: '1', name: 'G' },
      channel: { id: '3', type: 'GuildTextChat', name: 'general' },
      messages: [messageOf('1', content)],
    }
    return contentsOf(await itemsOf({ 'general.json': json(file) }))[0]
  }
  const cases: readonly [string, string, string][] = [
    ['on a line of its own is a block', '||a||', '```spoiler\na\n```'],
    ['over two lines is a block', '||a\nb||', '```spoiler\na\nb\n```'],
    [
      'in a line goes below it',
      'say ||no|| now\nnext',
      'say (spoiler) now\n```spoiler\nno\n```\nnext',
    ],
    [
      'may come twice',
      '||a|| or ||b||',
      '(spoiler) or (spoiler)\n```spoiler\na\n```\n```spoiler\nb\n```',
    ],
    ['that does not end is text', 'a || b', 'a || b'],
    ['in code is code', '`||a||`', '`||a||`'],
  ]
  for (const [name, content, wanted] of cases) {
    test(name, async () => assert.equal(await of(content), wanted))
  }
})

test('texts of Campfire whose messages are gone are counted', async () => {
  const { report } = await itemsOf(campfireExport('DELETE FROM messages WHERE id IN (1, 2)'))
  assert.deepEqual(report.messages?.skipped.absent, {
    count: 2,
    examples: ['message 1', 'message 2'],
  })
})

test('boosts of Campfire that are words are said by who gave them', async () => {
  const { items, report } = await itemsOf(campfireExport())
  const boosts = items.flatMap((item) =>
    item.type === 'message' && item.key.startsWith('boost') ? [[item.sender, item.content]] : [],
  )
  assert.deepEqual(boosts, [['2', [{ message: '1', text: 'Boost' }, ': well done']]])
  assert.equal(report.reactions?.skipped['bad-emoji'], undefined)
})

test('a discussion of Rocket.Chat is named by its title where a text has its ID', async () => {
  const room = (_id: string, name: string, more: object = {}) => ({ _id, t: 'c', name, ...more })
  const rooms = [
    room('r1', 'general'),
    room('r2', 'fC75x4', { fname: 'Lunch?', prid: 'r1' }),
    { _id: 'r3', t: 'd' },
    room('r4', 'gD86y5', { fname: 'Between us', prid: 'r3' }),
  ]
  const message = {
    _id: 'm',
    rid: 'r1',
    msg: '#general #fC75x4 #gD86y5 #nowhere',
    ts: new Date(1_709_283_600_000),
    u: { _id: 'u' },
  }
  const told = await itemsOf({
    'users.bson': bsonOf({ _id: 'u', username: 'u' }),
    'rocketchat_room.bson': Buffer.concat(rooms.map((each) => bsonOf(each))),
    'rocketchat_message.bson': bsonOf(message),
  })
  assert.deepEqual(contentsOf(told), [
    [
      { channel: 'r1', text: '#general' },
      ' ',
      { thread: 'r2', text: '#Lunch?' },
      ' #Between us #nowhere',
    ],
  ])
})
