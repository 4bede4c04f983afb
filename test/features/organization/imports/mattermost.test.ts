import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { dumpOf } from '#test/support/exports/dump.ts'
import { importFiles } from '#test/support/exports/importing.ts'
import { itemsOf, type Told } from '#test/support/exports/items.ts'
import { mattermostExport } from '#test/support/exports/mattermost.ts'
import { assertLinear } from './linear.ts'

/** The lines of an export: of the team `crew`, with Ann in it, and Gus and Lea who are in no team. */
function exportOf(lines: readonly object[], teams: readonly string[] = ['crew']) {
  const person = (username: string, inTeams: readonly string[] | null) => ({
    type: 'user',
    user: {
      username,
      email: `${username}@example.com`,
      first_name: username.toUpperCase(),
      roles: username === 'ann' ? 'system_admin' : 'system_user',
      teams: inTeams?.map((name) => ({ name, roles: 'team_user' })) ?? null,
    },
  })
  const all = [
    { type: 'version', version: 1 },
    ...teams.map((name) => ({ type: 'team', team: { name, display_name: name } })),
    { type: 'channel', channel: { team: 'crew', name: 'talk', type: 'O' } },
    person('ann', ['crew']),
    person('ben', ['crew']),
    person('gus', null),
    person('lea', null),
    person('zoe', ['others']),
    ...lines,
  ]
  return { 'a.jsonl': all.map((line) => JSON.stringify(line)).join('\n') }
}
const post = (message: string, more: object = {}) => ({
  type: 'post',
  post: { team: 'crew', channel: 'talk', user: 'ann', message, create_at: 1, ...more },
})
const direct = (members: readonly string[], user: string) => ({
  type: 'direct_post',
  direct_post: { channel_members: members, user, message: 'psst', create_at: 2 },
})
const contentsOf = ({ items }: Told) =>
  items.flatMap((item) => (item.type === 'message' ? [item.content] : []))

test('an export with every construct becomes what it should', async () => {
  const made = await importFiles(mattermostExport(), { source: { team: 'crew' } })
  try {
    const expected = new URL('../../../support/exports/mattermost.txt', import.meta.url)
    assert.equal(dumpOf(made), readFileSync(expected, 'utf8'))
    const avatars = made.rows("SELECT full_name AS name FROM users WHERE avatar_hash <> ''")
    assert.deepEqual(avatars, [{ name: 'Olga Owner' }])
  } finally {
    made.close()
  }
})

test('one of several teams has to be named, by any of its names', async () => {
  await assert.rejects(itemsOf(mattermostExport()), /Name the one to import: crew, others\./)
  await assert.rejects(itemsOf(mattermostExport(), { team: 'x' }), /Its teams are: crew, others\./)
  const { items, source } = await itemsOf(mattermostExport(), { team: 'The Crew' })
  assert.equal(source, 'mattermost')
  assert.deepEqual(items[0], { type: 'organization', name: 'The Crew', description: '' })
})

test('replies stay in the main topic if nobody wants threads', async () => {
  const { items } = await itemsOf(mattermostExport(), { team: 'crew', noThreads: true })
  assert.equal(
    items.some(({ type }) => type === 'thread'),
    false,
  )
})

describe('a post under a name that is not of its account', () => {
  const webhook = { from_webhook: 'true', override_username: 'Jenkins' }
  const build = [{ title: 'Build', title_link: 'https://example.com/b' }]
  // biome-ignore format: a table reads best in columns
  const cases: readonly (readonly [string, string, object, unknown])[] = [
    ['one line',                  'build broke',        webhook,                                  '**Jenkins**: build broke'],
    ['several lines',             'a\nb',               webhook,                                  '**Jenkins**: a\nb'],
    ['a name of signs',           'a',                  { ...webhook, override_username: 'C*I*' }, '**C&#42;I&#42;**: a'],
    ['a name of two lines',       'a',                  { ...webhook, override_username: 'C\nI' }, '**C I**: a'],
    ['a block of code',           '```\na\n```',        webhook,                                  '**Jenkins**\n```\na\n```'],
    ['a quote',                   '> a',                webhook,                                  '**Jenkins**\n> a'],
    ['a heading',                 '# a',                webhook,                                  '**Jenkins**\n# a'],
    ['a list',                    '* a\n* b',           webhook,                                  '**Jenkins**\n* a\n* b'],
    ['a numbered list',           '1. a',               webhook,                                  '**Jenkins**\n1. a'],
    ['a table',                   '| a |\n|---|\n| b |', webhook,                                  '**Jenkins**\n| a |\n|---|\n| b |'],
    ['an attachment alone',       '',                   { ...webhook, attachments: build },       '**Jenkins**\n[Build](https://example.com/b)'],
    ['a flag instead of a word',  'a',                  { ...webhook, from_webhook: true },       '**Jenkins**: a'],
    ['no name',                   'a',                  { from_webhook: 'true' },                 'a'],
    ['a name but no webhook',     'a',                  { override_username: 'Jenkins' },         'a'],
    ['a webhook that is not one', 'a',                  { ...webhook, from_webhook: 'false' },    'a'],
  ]
  for (const [name, message, props, wanted] of cases) {
    test(`with ${name} becomes ${JSON.stringify(wanted)}`, async () => {
      assert.deepEqual(contentsOf(await itemsOf(exportOf([post(message, { props })]))), [wanted])
    })
  }

  test('is empty if it has nothing but the name', async () => {
    const told = await itemsOf(exportOf([post('', { props: webhook })]))
    assert.deepEqual(contentsOf(told), [])
    assert.equal(told.report.messages?.skipped.empty?.count, 1)
  })
})

describe('a post of the type', () => {
  // biome-ignore format: a table reads best in columns
  const cases: readonly (readonly [string, string, object, string | undefined])[] = [
    ['',                        'a',     {},                                  undefined],
    ['slack_attachment',        '',      { attachments: [{ text: 'a' }] },    undefined],
    ['custom_matterpoll',       '',      { attachments: [{ text: 'a' }] },    undefined],
    ['custom_run_update',       'a',     {},                                  undefined],
    ['custom_calls',            '',      {},                                  'empty'],
    ['custom_system_x',         'a',     {},                                  undefined],
    ['system_join_channel',     'a',     {},                                  'system-message'],
    ['system_generic',          'a',     {},                                  'system-message'],
  ]
  for (const [type, message, props, reason] of cases) {
    const what = reason === undefined ? 'is imported' : `is left out as ${reason}`
    test(`${JSON.stringify(type)} ${what}`, async () => {
      const told = await itemsOf(exportOf([post(message, { props, type })]))
      assert.deepEqual(contentsOf(told), reason === undefined ? ['a'] : [])
      assert.deepEqual(Object.keys(told.report.messages?.skipped ?? {}), reason ? [reason] : [])
    })
  }

  test('system_generic with replies is not linked from them', async () => {
    const replies = [{ user: 'ann', message: 'b', create_at: 2 }]
    const told = await itemsOf(exportOf([post('a', { replies, type: 'system_generic' })]))
    assert.deepEqual(contentsOf(told), ['b'])
  })
})

describe('the texts of a line are counted', () => {
  const { post: row } = post('a', { replies: [{ user: 'ann', message: 'b', create_at: 2 }] })
  const further = {
    type: 'thread',
    thread: { root: row, posts: [{ message: 'c' }, { message: '' }] },
  }
  // biome-ignore format: a table reads best in columns
  const cases: readonly (readonly [string, object, string, string, number])[] = [
    ['of no type',                 { type: null, post: row },          'unknown-table', 'line 9',  2],
    ['of several types',           { type: ['post'], post: row },      'unknown-table', 'line 9',  2],
    ['of a type that is not known', further,                           'unknown-table', 'thread',  3],
    ['of another type than it has', { type: 'direct_post', post: row }, 'bad-value', 'direct_post 9', 2],
  ]
  for (const [name, line, reason, example, count] of cases) {
    test(name, async () => {
      const told = await itemsOf(exportOf([line]))
      assert.deepEqual(contentsOf(told), [])
      assert.deepEqual(told.report.messages?.skipped, { [reason]: { count, examples: [example] } })
    })
  }
})

describe('direct messages', () => {
  // biome-ignore format: a table reads best in columns
  const cases: readonly (readonly [string, string[], string[], boolean])[] = [
    ['of two in the team',                      ['ann', 'ben'],        ['crew'],           true],
    ['with someone who left',                   ['ann', 'gus'],        ['crew'],           true],
    ['of three with someone who left',          ['ann', 'ben', 'gus'], ['crew'],           true],
    ['of two who left',                         ['gus', 'lea'],        ['crew'],           true],
    ['with someone who is not in the export',   ['ann', 'ghost'],      ['crew'],           true],
    ['with someone of another team',            ['ann', 'zoe'],        ['crew', 'others'], false],
    ['of someone of another team alone',        ['zoe'],               ['crew', 'others'], false],
    ['with someone who left one of two teams',  ['ann', 'gus'],        ['crew', 'others'], true],
    ['of two who left one of two teams',        ['gus', 'lea'],        ['crew', 'others'], false],
  ]
  for (const [name, members, teams, isKept] of cases) {
    test(`${name} are ${isKept ? 'imported' : 'left out'}`, async () => {
      const lines = members.map((user) => direct(members, user))
      const told = await itemsOf(exportOf(lines, teams), { team: 'crew' })
      const { items, report } = told
      assert.equal(contentsOf(told).length, isKept ? members.length : 0)
      const counted = isKept ? undefined : members.length
      assert.equal(report.messages?.skipped['other-team']?.count, counted)
      const left = members.filter((each) => isKept && ['gus', 'lea'].includes(each))
      const people = items.filter((item) => item.type === 'person' && !item.isActive)
      assert.deepEqual(
        people.map((item) => 'name' in item && item.name),
        left.map((each) => each.toUpperCase()),
      )
    })
  }

  test('with someone who wrote in the team and is in another now are imported', async () => {
    const lines = [post('a', { user: 'zoe' }), direct(['ann', 'zoe'], 'zoe')]
    const told = await itemsOf(exportOf(lines, ['crew', 'others']), { team: 'crew' })
    assert.deepEqual(contentsOf(told), ['a', 'psst'])
  })
})

describe('someone who left the team has their name and address', () => {
  const reactions = [{ user: 'gus', emoji_name: '+1' }]
  const cases: readonly (readonly [string, object])[] = [
    ['a post', { user: 'gus' }],
    ['a reaction', { reactions }],
    ['a star', { flagged_by: ['gus'] }],
    ['a reply', { replies: [{ user: 'gus', message: 'b', create_at: 2 }] }],
    [
      'a reaction to a reply',
      { replies: [{ user: 'ann', message: 'b', create_at: 2, reactions }] },
    ],
  ]
  for (const [name, more] of cases) {
    test(`at ${name}`, async () => {
      const made = await importFiles(exportOf([post('a', more), post('c', more)]))
      try {
        const found = made.rows(
          "SELECT full_name AS name, email, is_active AS active FROM users WHERE full_name NOT IN ('ANN', 'BEN') AND NOT is_system_bot",
        )
        assert.deepEqual(found, [{ name: 'GUS', email: 'gus@example.com', active: 0 }])
      } finally {
        made.close()
      }
    })
  }
})

test('markup takes work in proportion to its length, whatever it is', async () => {
  const version = JSON.stringify({ type: 'version', version: 1 })
  const dots = `@${'a.'.repeat(100)} `
  for (const piece of [
    '__a',
    '_a',
    '`',
    '``a',
    '```',
    '@a',
    '@a.',
    '~a',
    ':a',
    '\\',
    '@',
    '![',
    dots,
  ]) {
    await assertLinear(piece, (message) => {
      const line = {
        type: 'post',
        post: { team: 'a', channel: 'b', user: 'c', message, create_at: 1 },
      }
      return itemsOf({ 'a.jsonl': `${version}\n${JSON.stringify(line)}` })
    })
  }
})
