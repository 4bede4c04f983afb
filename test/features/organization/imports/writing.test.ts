import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Item, MessageItem, PersonItem } from '#features/organization/imports/stream.ts'
import { defaultConfig } from '#platform/config.ts'
import { type Imported, importItems } from '#test/support/exports/importing.ts'
import { isRead } from '#test/support/exports/read.ts'

const imports: Imported[] = []
after(() => {
  for (const each of imports) each.close()
})

async function imported(items: Iterable<Item>, options = {}): Promise<Imported> {
  const made = await importItems(items, options)
  imports.push(made)
  return made
}

const person = (key: string, more: Partial<PersonItem> = {}): PersonItem => ({
  type: 'person',
  key,
  name: `Person ${key}`,
  email: `${key}@example.com`,
  role: 'member',
  isActive: true,
  ...more,
})
const owner = person('o', { name: 'Olga', role: 'owner' })
const general: Item = { type: 'channel', key: 'g', name: 'general' }
const message = (key: string, time: number, more: Partial<MessageItem> = {}): MessageItem => ({
  type: 'message',
  key,
  time,
  sender: 'o',
  place: { channel: 'g', topic: 'talk' },
  content: `text ${key}`,
  ...more,
})

test('messages get IDs by their time, and those of one time in the order in which they came', async () => {
  const { rows } = await imported([
    owner,
    general,
    message('c', 30),
    message('a', 10.5),
    message('b2', 20),
    message('a0', 10.25),
    message('b1', 20),
  ])
  assert.deepEqual(rows('SELECT id, content, sent_at AS time FROM messages ORDER BY id'), [
    { id: 1, content: 'text a0', time: 10 },
    { id: 2, content: 'text a', time: 10 },
    { id: 3, content: 'text b2', time: 20 },
    { id: 4, content: 'text b1', time: 20 },
    { id: 5, content: 'text c', time: 30 },
  ])
  assert.deepEqual(rows('SELECT first_message_id AS first FROM channels'), [{ first: 1 }])
})

test('a message that comes twice, or is of no time or place, is left out with a reason', async () => {
  const { report, rows } = await imported([
    owner,
    general,
    message('a', 1),
    message('a', 2),
    message('b', -5),
    message('c', 1e15),
    message('d', Number.NaN),
    message('e', 3, { place: { channel: 'x', topic: '' } }),
  ])
  assert.deepEqual(rows('SELECT content FROM messages'), [{ content: 'text a' }])
  const { skipped } = report.tables.messages ?? {}
  assert.deepEqual(
    [skipped?.duplicate?.count, skipped?.['bad-date']?.count, skipped?.absent?.count],
    [1, 3, 1],
  )
  assert.equal(report.tables.messages?.read, 6)
})

test('references become mentions and links, to later messages and threads too', async () => {
  const { rows } = await imported([
    owner,
    person('p', { name: 'P*aul "x" @y' }),
    { type: 'group', key: 'crew', name: 'crew', members: ['p'] },
    general,
    { type: 'channel', key: 'd', name: 'dev *ops' },
    { type: 'thread', key: 't1', channel: 'g', title: 'a thread' },
    { type: 'thread', key: 't2', channel: 'g', title: 'A Thread' },
    { type: 'file', key: 'f', name: 'plan.txt', body: () => bytes('the plan') },
    { type: 'conversation', key: 'op', members: ['o', 'p'] },
    message('a', 1, {
      content: [
        'Hi ',
        { person: 'p' },
        ' ',
        { person: 'o', silent: true },
        ' ',
        { group: 'crew' },
        ' ',
        { everyone: true },
        ' ',
        { channel: 'g' },
        ' ',
        { channel: 'd' },
        ' ',
        { message: 'b', text: 'the [answer]' },
        ' ',
        { message: 'c', text: 'psst' },
        ' ',
        { message: 'no', text: 'gone', url: 'https://old.example/x' },
        ' ',
        { file: 'f' },
        ' ',
        { person: 'nobody', text: '@ghost' },
      ],
    }),
    message('b', 2, { place: { thread: 't2' } }),
    message('c', 3, { place: { conversation: 'op' } }),
    message('d', 4, { place: { thread: 't1' } }),
  ])
  const [first, second, , fourth] = rows('SELECT * FROM messages ORDER BY id')
  const ids = rows('SELECT id, full_name AS name FROM users WHERE NOT is_system_bot ORDER BY id')
  assert.deepEqual(
    ids.map(({ name }) => name),
    ['Olga', 'Paul x y'],
  )
  const [o, p] = ids.map(({ id }) => id)
  const [{ path = '' } = {}] = rows('SELECT path_id AS path FROM attachments')
  assert.equal(
    first?.content,
    `Hi @**Paul x y|${p}** @_**Olga|${o}** @*crew* @**all** #**general** [#dev *ops](/#narrow/channel/2-dev-.2Aops)` +
      ` [the \\[answer\\]](/#narrow/channel/1-general/topic/A.20Thread.20.282.29/near/2)` +
      ` [psst](/#narrow/dm/${o},${p}-dm/near/3) [gone](https://old.example/x) [plan.txt](/user_uploads/${path}) @ghost`,
  )
  assert.match(String(first?.rendered_content), /class="user-mention"[^>]*>@Paul x y<\/span>/)
  assert.deepEqual([second?.topic, fourth?.topic], ['A Thread (2)', 'a thread'])
  assert.deepEqual(rows('SELECT user_id, message_id, flags FROM message_flags'), [])
  assert.deepEqual(rows('SELECT message_id FROM attachment_claims'), [{ message_id: 1 }])
  assert.deepEqual(
    [first?.has_attachment, first?.channel_wildcard, second?.has_attachment],
    [1, 1, 0],
  )
})

async function* bytes(text: string) {
  yield Buffer.from(text)
}

test('those whom a message mentions have it flagged if they are subscribed', async () => {
  const { rows } = await imported([
    owner,
    person('p'),
    person('q'),
    general,
    { type: 'membership', channel: 'g', person: 'p' },
    message('a', 1, { content: [{ person: 'p' }, { person: 'q' }, { person: 'p', silent: true }] }),
  ])
  const [p] = rows("SELECT id FROM users WHERE email = 'p@example.com'")
  assert.deepEqual(rows('SELECT user_id, message_id, flags FROM message_flags'), [
    { user_id: p?.id, message_id: 1, flags: 2 },
  ])
})

test('HTML of the source is text, and nothing else of it can do harm', async () => {
  const { rows } = await imported([
    owner,
    { ...general, description: '<script>1</script> [x](javascript:alert(1))' },
    message('a', 1, { content: '<img src=x onerror=alert(1)> \0 \uD800 \r\n**b**' }),
  ])
  const [row] = rows('SELECT content, rendered_content AS html FROM messages')
  assert.equal(row?.content, '<img src=x onerror=alert(1)>  \uFFFD \n**b**')
  assert.equal(
    row?.html,
    '<p>&lt;img src=x onerror=alert(1)&gt;  \uFFFD <br>\n<strong>b</strong></p>',
  )
  const [channel] = rows('SELECT rendered_description AS html FROM channels')
  assert.doesNotMatch(String(channel?.html), /<script|href="javascript/)
})

test('a text that is too long becomes several messages, and a code block goes on', async () => {
  const code = Array.from({ length: 1500 }, (_, i) => `line ${i}`).join('\n')
  const { report, rows } = await imported([
    owner,
    general,
    message('a', 1, { content: `Look:\n\`\`\`js\n${code}\n\`\`\`\nend` }),
    message('b', 2, { content: [{ message: 'a', text: 'up' }] }),
  ])
  const contents = rows('SELECT content FROM messages ORDER BY id').map(({ content }) =>
    String(content),
  )
  assert.equal(contents.length, 3)
  for (const content of contents) {
    assert.ok([...content].length <= 10_000)
    assert.equal((content.match(/^```/gm) ?? []).length % 2, 0)
  }
  const lines = contents
    .slice(0, 2)
    .flatMap((content) => content.split('\n').filter((line) => /^line/.test(line)))
  assert.equal(lines.length, 1500)
  assert.match(contents[2] ?? '', /near\/1\)$/)
  assert.equal(report.tables.messages?.changed['split-up']?.count, 1)
})

describe('people', () => {
  test('of whom something is missing get placeholders', async () => {
    const { report, rows } = await imported([
      owner,
      person('Ann', { email: undefined, name: '' }),
      person('b', { email: 'O@example.com' }),
      person('c', { email: 'no address' }),
      general,
      message('a', 1, { sender: 'stranger' }),
    ])
    const people = rows(
      'SELECT email, full_name AS name, is_active AS active FROM users WHERE NOT is_system_bot ORDER BY id',
    )
    assert.deepEqual(people, [
      { email: 'o@example.com', name: 'Olga', active: 1 },
      { email: 'talk-Ann@chat.example.org', name: 'Talk Ann', active: 1 },
      { email: 'talk-b@chat.example.org', name: 'Person b', active: 1 },
      { email: 'talk-c@chat.example.org', name: 'Person c', active: 1 },
      { email: 'talk-stranger@chat.example.org', name: 'Talk stranger', active: 0 },
    ])
    const { changed } = report.tables.people ?? {}
    assert.deepEqual(
      [
        changed?.['no-address']?.count,
        changed?.duplicate?.count,
        changed?.['bad-value']?.count,
        changed?.placeholder?.count,
      ],
      [1, 1, 1, 1],
    )
  })

  test('whom a channel names before they are described get their names', async () => {
    const { report, rows } = await imported([
      owner,
      general,
      { type: 'membership', channel: 'g', person: 'late' },
      person('late', { name: 'Lena Late', isActive: false }),
      person('late', { name: 'Again' }),
    ])
    assert.deepEqual(rows("SELECT full_name AS name FROM users WHERE email LIKE 'talk-%'"), [
      { name: 'Lena Late' },
    ])
    assert.equal(report.tables.people?.skipped.duplicate?.count, 1)
  })

  test('get the addresses that someone gives, by key or by name', async () => {
    const addresses = new Map([
      ['u1', 'ann@example.com'],
      ['bob b', 'bob@example.com'],
    ])
    const { rows } = await imported(
      [
        owner,
        person('U1', { email: undefined }),
        person('U2', { email: undefined, name: 'Bob B' }),
      ],
      { addresses },
    )
    const emails = rows('SELECT email FROM users WHERE NOT is_system_bot ORDER BY id')
    assert.deepEqual(
      emails.map(({ email }) => email),
      ['o@example.com', 'ann@example.com', 'bob@example.com'],
    )
  })
})

test('channels get names that are allowed and that none of them has yet', async () => {
  const long = 'x'.repeat(80)
  const names = ['general', 'General', ' a\nb ', long, long, '']
  const { rows } = await imported([
    owner,
    ...names.map((name, i): Item => ({ type: 'channel', key: String(i), name })),
  ])
  assert.deepEqual(
    rows('SELECT name FROM channels ORDER BY id').map(({ name }) => name),
    ['general', 'General (2)', 'a b', 'x'.repeat(60), `${'x'.repeat(56)} (2)`, 'channel 5'],
  )
})

test('groups get names that are allowed, and never that of a system group', async () => {
  const names = ['role:owners', 'Owners', '@role: Owners', '*crew*', 'role:', '@']
  const { report, rows } = await imported([
    owner,
    ...names.map((name, i): Item => ({ type: 'group', key: String(i), name, members: ['o'] })),
  ])
  assert.deepEqual(
    rows('SELECT name FROM user_groups WHERE NOT is_system ORDER BY id').map(({ name }) => name),
    ['owners', 'Owners (2)', 'Owners (3)', 'crew', 'group 4', 'group 5'],
  )
  assert.equal(report.tables.groups?.changed['new-name']?.count, 6)
})

test('a domain that comes twice is one, without subdomains if either has none', async () => {
  const domain = { type: 'domain', allowSubdomains: true } as const
  const { report, rows } = await imported([
    owner,
    { ...domain, domain: 'example.com' },
    { ...domain, domain: 'Example.com', allowSubdomains: false },
    { ...domain, domain: 'example.org' },
    { ...domain, domain: 'example.org' },
  ])
  assert.deepEqual(
    rows('SELECT domain, allow_subdomains AS subdomains FROM realm_domains ORDER BY domain'),
    [
      { domain: 'example.com', subdomains: 0 },
      { domain: 'example.org', subdomains: 1 },
    ],
  )
  assert.equal(report.tables.domains?.skipped.duplicate?.count, 2)
})

test('everything is read, but for what the source says is not', async () => {
  const { db, rows } = await imported([
    owner,
    person('p'),
    general,
    { type: 'membership', channel: 'g', person: 'o' },
    { type: 'membership', channel: 'g', person: 'p', readUpTo: { time: 2 } },
    { type: 'conversation', key: 'op', members: ['o', 'p'] },
    message('a', 1),
    message('b', 2),
    message('c', 3),
    message('d', 4, { place: { conversation: 'op' } }),
    message('e', 5, { place: { conversation: 'op' } }),
    { type: 'flags', message: 'd', person: 'p', isUnread: true, isStarred: true },
    { type: 'flags', message: 'a', person: 'o', isUnread: true },
  ])
  const [o, p] = rows('SELECT id FROM users WHERE NOT is_system_bot ORDER BY id').map(({ id }) =>
    Number(id),
  )
  const unread = (userId = 0) => [1, 2, 3, 4, 5].filter((id) => !isRead(db, userId, id))
  assert.deepEqual([unread(o), unread(p)], [[1], [3, 4]])
  assert.deepEqual(rows('SELECT user_id, message_id, flags FROM message_flags'), [
    { user_id: p, message_id: 4, flags: 1 },
  ])
})

test('reactions of every kind are kept once; unknown ones are left out', async () => {
  const reaction = (name: string) => ({ person: 'o', emoji: { name } })
  const { report, rows } = await imported([
    owner,
    person('p'),
    general,
    message('a', 1, {
      reactions: [
        reaction('+1'),
        reaction('thumbs_up'),
        reaction('nonsense'),
        { person: 'p', emoji: { code: '1F44D-1f3fd' } },
        { person: 'p', emoji: { custom: 'none' } },
      ],
    }),
    { type: 'reaction', message: 'a', person: 'p', emoji: { name: 'octopus' } },
    { type: 'reaction', message: 'z', person: 'p', emoji: { name: 'octopus' } },
  ])
  const found = rows('SELECT emoji_name AS name, emoji_code AS code FROM reactions ORDER BY id')
  assert.deepEqual(
    found.map(({ code, name }) => `${name} ${code}`),
    ['+1 1f44d', '+1 1f44d', 'octopus 1f419'],
  )
  const { skipped } = report.tables.reactions ?? {}
  assert.deepEqual(
    [skipped?.duplicate?.count, skipped?.['bad-emoji']?.count, skipped?.absent?.count],
    [1, 2, 1],
  )
})

test('messages are found by their words, and the database is whole', async () => {
  const { rows } = await imported([owner, general, message('a', 1), message('b', 2)])
  const found = rows("SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'content: b'")
  assert.deepEqual(found, [{ rowid: 2 }])
  assert.deepEqual(rows('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  const indexes = rows(
    "SELECT count(*) AS count FROM sqlite_master WHERE tbl_name = 'messages' AND type = 'index'",
  )
  assert.deepEqual(indexes, [{ count: 8 }])
})

describe('a picture of another site', () => {
  const items = [owner, general, message('p', 1, { content: 'https://example.net/cat.png' })]
  const htmlWith = async (externalContent: boolean) => {
    const { rows } = await imported(items, { config: { ...defaultConfig, externalContent } })
    return String(rows('SELECT rendered_content AS html FROM messages')[0]?.html)
  }

  test('is shown through the server', async () => {
    assert.match(await htmlWith(true), /<img [^>]*src="\/external_content\//)
  })

  test('stays a link where the operator does not want the server to fetch such pictures', async () => {
    const html = await htmlWith(false)
    assert.match(html, /href="https:\/\/example.net\/cat.png"/)
    assert.doesNotMatch(html, /<img/)
  })
})
