import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import { html, rendered } from './markdown.ts'

type Mentions = Partial<RenderedMarkdown['mentions']>
type Row = [source: string, expected: string, mentions?: Mentions]

const nobody: RenderedMarkdown['mentions'] = {
  userIds: [],
  groupIds: [],
  refusedGroups: [],
  channelWildcard: false,
  topicWildcard: false,
}

function each(rows: readonly Row[]): void {
  for (const [source, expected, mentions] of rows) {
    test(source, () => {
      const result = rendered(source)
      assert.equal(result.html, `<p>${expected}</p>`)
      assert.deepEqual({ ...result.mentions, refusedGroups: [] }, { ...nobody, ...mentions })
    })
  }
}

const user = (id: number, name: string) =>
  `<span class="user-mention" data-user-id="${id}">@${name}</span>`
const quiet = (id: number, name: string) =>
  `<span class="user-mention silent" data-user-id="${id}">${name}</span>`
const all = (name: string) =>
  `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`

describe('mentions of people', () => {
  each([
    ['@**Desdemona**', user(8, 'Desdemona'), { userIds: [8] }],
    [
      '@**desdemona|8** and @**|8**',
      `${user(8, 'Desdemona')} and ${user(8, 'Desdemona')}`,
      { userIds: [8] },
    ],
    ['@**Othello|31**', user(31, 'Othello'), { userIds: [31] }],
    ['@**Othello**', user(10, 'Othello'), { userIds: [10] }],
    ['@**Othello|8**', '@<strong>Othello|8</strong>'],
    ['@**Name of before|8**', user(8, 'Desdemona'), { userIds: [8] }],
    ['@_**Name of before|8**', quiet(8, 'Desdemona')],
    ['@**Name of before|99**', '@<strong>Name of before|99</strong>'],
    ['@**Nobody**', '@<strong>Nobody</strong>'],
    ['@_**Desdemona**', quiet(8, 'Desdemona')],
    ['@**Old Gobbo**', quiet(12, 'Old Gobbo')],
    [
      '(@**Desdemona**, "@**Desdemona**")',
      `(${user(8, 'Desdemona')}, "${user(8, 'Desdemona')}")`,
      { userIds: [8] },
    ],
    ['***@**Desdemona*****', `<strong><em>${user(8, 'Desdemona')}</em></strong>`, { userIds: [8] }],
    [
      'x@**Desdemona** \\@**Desdemona**',
      'x@<strong>Desdemona</strong> \\@<strong>Desdemona</strong>',
    ],
    ['`@**Desdemona**`', '<code>@**Desdemona**</code>'],
    ['@Desdemona @**', '@Desdemona @**'],
  ])
})

describe('wildcards', () => {
  each([
    ['@**all** @**everyone**', `${all('all')} ${all('everyone')}`, { channelWildcard: true }],
    ['@**channel** @**stream**', `${all('channel')} ${all('stream')}`, { channelWildcard: true }],
    [
      '@_**all**',
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
    ],
    ['@**topic**', '<span class="topic-mention">@topic</span>', { topicWildcard: true }],
    ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
    ['x@**all**', 'x@<strong>all</strong>'],
  ])
})

describe('mentions of groups', () => {
  const silent = (id: number, name: string) =>
    `<span class="user-group-mention silent" data-user-group-id="${id}">${name}</span>`
  each([
    [
      '@*crew*',
      '<span class="user-group-mention" data-user-group-id="5">@crew</span>',
      { groupIds: [5] },
    ],
    ['@_*crew*', silent(5, 'crew')],
    ['@_*role:administrators*', silent(2, 'Administrators')],
    ['@*chorus*', silent(7, 'chorus')],
    ['@*nobody*', '@<em>nobody</em>'],
    ['@*council*', '@<em>council</em>'],
    ['@_*council*', silent(6, 'council')],
  ])

  test('without permission are text, and told to who may refuse the message', () => {
    const { mentions } = rendered('@*council* @*role:administrators* @*council*')
    assert.deepEqual(
      mentions.refusedGroups.map(({ name }) => name),
      ['council', 'role:administrators'],
    )
    assert.deepEqual(mentions.groupIds, [])
  })
})

describe('in quotes', () => {
  for (const source of [
    '> @**Desdemona** @**all** @**topic** @*crew* @*council*',
    '```quote\n@**Desdemona** @**all** @**topic** @*crew* @*council*\n```',
    '* > * @**Desdemona**',
  ]) {
    test(`nobody is mentioned aloud: ${source}`, () => {
      const result = rendered(source)
      assert.deepEqual(result.mentions, nobody)
      assert.match(result.html, /user-mention silent" data-user-id="8">Desdemona</)
    })
  }
  test('a mention after the quote notifies', () => {
    assert.deepEqual(rendered('> a\n\n@**Desdemona**').mentions.userIds, [8])
  })
})

describe('links to channels', () => {
  const channel = (id: number, slug: string, name: string) =>
    `<a class="stream" data-stream-id="${id}" href="/#narrow/channel/${slug}">#${name}</a>`
  const topic = (href: string, name: string) =>
    `<a class="stream-topic" data-stream-id="2" href="/#narrow/channel/2-general/topic/${href}">#general &gt; ${name}</a>`
  const message = (href: string, name: string) =>
    `<a class="message-link" href="/#narrow/channel/2-general/topic/${href}">#general &gt; ${name} @ 💬</a>`
  each([
    ['#**general**', channel(2, '2-general', 'general')],
    ['#**Sea & Shore**', channel(9, '9-sea-.26-shore', 'sea &amp; shore')],
    ['#**general>plans**', topic('plans/with/71', 'plans')],
    ['#**general>a.b <c>**', topic('a.2Eb.20.3Cc.3E', 'a.b &lt;c&gt;')],
    ['#**general>**', topic('/with/71', '<em>general chat</em>')],
    ['#**general>plans@14**', message('plans/near/14', 'plans')],
    ['#**general>@14**', message('/near/14', '<em>general chat</em>')],
    ['#**general>a@b**', topic('a.40b', 'a@b')],
    [
      '(#**general**) **#**general****',
      `(${channel(2, '2-general', 'general')}) <strong>${channel(2, '2-general', 'general')}</strong>`,
    ],
    [
      '#**secret** #**secret>a** #**secret>a@1**',
      '#<strong>secret</strong> #<strong>secret&gt;a</strong> #<strong>secret&gt;a@1</strong>',
    ],
    ['x#**general** `#**general**`', 'x#<strong>general</strong> <code>#**general**</code>'],
  ])

  test('are not looked up where the text has none', () => {
    const fail = () => assert.fail('looked up')
    const asking = { usersByName: fail, groupByName: fail, channelByName: fail, customEmoji: fail }
    assert.equal(
      html('nothing *to* `see` here', asking),
      '<p>nothing <em>to</em> <code>see</code> here</p>',
    )
  })
})
