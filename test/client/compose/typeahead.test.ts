import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Candidate, candidatesFor, type TypeaheadFacts } from '#client/compose/candidates.ts'
import { completionAt } from '#client/compose/completion.ts'
import { channelMarkdown, completionEdit } from '#client/compose/completion-edit.ts'
import { fetchRecent } from '#client/lists/recent.ts'
import { learnTopics } from '#client/lists/topics.ts'
import { type EmojiData, unicodeEmoji } from '#client/ui/emoji-search.ts'
import { emojiData } from '#platform/emoji-data/unicode.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels, ids } = server
await server.say('othello', 'public', 'big plans')
await server.say('owner', 'public', 'small plans')
await server
  .as('owner')
  .patch(`/users/${ids.prospero}`, { full_name: 'Othello, the Moor of Venice' })
const member = await goOnline(server, 'member')
await learnTopics(member, channels.public)
await fetchRecent(member)
const { store } = member

const facts: TypeaheadFacts = {
  store,
  target: { kind: 'topic', channelId: channels.public, topic: 'big plans' },
  emoji: unicodeEmoji(emojiData() as EmojiData),
  now: Date.UTC(2026, 10, 22, 12, 34) / 1000,
}

/** The text with `|` for the caret, split there. */
function typed(text: string): { text: string; caret: number } {
  return { text: text.replace('|', ''), caret: text.indexOf('|') }
}

function at(marked: string): string | undefined {
  const { text, caret } = typed(marked)
  const found = completionAt(text, caret, store)
  return found && `${found.kind}:${found.query}`
}

describe('what is being completed', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string | undefined][] = [
    ['Hello |',                    undefined],
    ['@|',                         'mention:'],
    ['Hi @ada| and more',          'mention:ada'],
    ['Hi @**Ada Lov|',             'mention:Ada Lov'],
    ['(@King Ham|',                'mention:King Ham'],
    ['@_ada|',                     'silent:ada'],
    ['@_**Ada|',                   'silent:Ada'],
    ['日本@ada|',                   'mention:ada'],
    ['🎉@ada|',                    'mention:ada'],
    ['＠ada|',                     'mention:ada'],
    ['日本＠_ada|',                 'silent:ada'],
    ['日本＃den|',                  'channel:den'],
    ['＃Denmark>big pl|',          'topic:big pl'],
    ['会议<time|',                  'time:'],
    ['`＠ada|`',                   undefined],
    ['注意：ok|',                   undefined],
    ['ada@example|',               undefined],
    ['@ ada|',                     undefined],
    ['@**Ada** and|',              undefined],
    ['#|',                         'channel:'],
    ['see #den|',                  'channel:den'],
    ['#**core te|',                'channel:core te'],
    ['# heading|',                 undefined],
    ['## heading|',                undefined],
    ['issue#7|',                   undefined],
    ['#**Denmark>|',               'topic:'],
    ['#Denmark>big pl|',           'topic:big pl'],
    ['#**nowhere>big|',            undefined],
    [':oct|',                      'emoji:oct'],
    ['so :+|',                     'emoji:+'],
    [':o|',                        undefined],
    ['at 10:30|',                  undefined],
    [':octopus:|',                 undefined],
    ['/po|',                       'command:po'],
    ['/|',                         'command:'],
    ['text\n/po|',                 undefined],
    ['```py|',                     'language:py'],
    ['~~~ py|',                    'language:py'],
    ['```|',                       undefined],
    ['```\n@ada|',                 undefined],
    ['```\ncode\n```py|',          undefined],
    ['```\ncode\n```\n@ada|',      'mention:ada'],
    ['```quote\n@ada|',            'mention:ada'],
    ['`@ada|',                     undefined],
    ['`code` @ada|',               'mention:ada'],
    ['<ti|',                       undefined],
    ['<time|',                     'time:'],
    ['x<time|',                    undefined],
    ['check that x<t|',            undefined],
    ['a List<t|',                  undefined],
    ['if 5 <ti|',                  undefined],
    ['at (<time:|',                'time:'],
    ['@**Ad|a** and',              'mention:Ad'],
    ['~~~\n@ada|',                 undefined],
    ['````\n```\n@ada|',           undefined],
    ['> ```\n> @ada|',             undefined],
    ['> ```\n@ada|',               'mention:ada'],
    ['- ```\n  @ada|',             undefined],
    ['    @ada|',                  undefined],
    ['- a\n\n    @ada|',           'mention:ada'],
    ['[see](@ada|',                undefined],
    ['[see](x) @ada|',             'mention:ada'],
    ['[see @ada|](x)',             'mention:ada'],
    ['$$x :oct|',                  undefined],
    ['$$x :oct|$$',                undefined],
    ['$5 and $6 :oct|',            'emoji:oct'],
    ['``a` @ada|',                 undefined],
    ['https://a.test/@ada|',       undefined],
    ['https://a.test/#den|',       undefined],
    ['```spoiler @ada|',           'mention:ada'],
    ['> ```py|',                   'language:py'],
    ['```\ncode\n``` @ada|',       undefined],
    ['<time:2026-11-2|',           'time:2026-11-2'],
    ['<time:2026-11-22T10:00Z> |', undefined],
  ]
  for (const [marked, expected] of table) {
    test(JSON.stringify(marked), () => assert.equal(at(marked), expected))
  }
})

function offered(marked: string, more: Partial<TypeaheadFacts> = {}): readonly Candidate[] {
  const { text, caret } = typed(marked)
  const completion = completionAt(text, caret, store)
  return completion ? candidatesFor(completion, { ...facts, ...more }) : []
}

function nameOf(candidate: Candidate): string {
  switch (candidate.kind) {
    case 'person':
      return candidate.user.name
    case 'group':
      return candidate.group.name
    case 'channel':
      return candidate.channel.name
    case 'topic':
      return candidate.topic + (candidate.isNew ? ' (new)' : '')
    case 'emoji':
      return candidate.emoji.name
    case 'time':
      return candidate.description
    default:
      return candidate.name
  }
}
const names = (marked: string, more?: Partial<TypeaheadFacts>) => offered(marked, more).map(nameOf)

/** What stands there once the first candidate is taken, with `|` for the caret. */
function completed(marked: string, index = 0): string {
  const { text, caret } = typed(marked)
  const completion = completionAt(text, caret, store)
  assert.ok(completion)
  const candidate = candidatesFor(completion, facts)[index]
  assert.ok(candidate)
  const edit = completionEdit(completion, candidate, store)
  assert.ok(edit)
  const changed = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${changed.slice(0, edit.start)}|${changed.slice(edit.start)}`
}

describe('what is offered', () => {
  test('people who wrote in the topic come first, then those of the channel', () => {
    assert.equal(names('@|')[0], 'Othello, the Moor of Venice')
    const found = offered('@|').flatMap((each) => (each.kind === 'person' ? [each.user.id] : []))
    assert.equal(found[0], ids.othello)
    assert.equal(found.indexOf(ids.prospero) > 0, true)
  })
  test('people, groups and wildcards are found by what is typed', () => {
    assert.deepEqual(names('@desd|'), ['Desdemona'])
    assert.deepEqual(names('@hamletch|'), ['hamletcharacters'])
    assert.ok(names('@all|').includes('all'))
    assert.ok(names('@top|').includes('topic'))
    assert.equal(names('@_all|').includes('all'), false)
    const direct = { target: { kind: 'direct', userIds: [ids.zoe] } } as const
    assert.equal(names('@cha|', direct).includes('channel'), false)
    assert.deepEqual(names('@nobody at all|'), [])
  })
  test('before anything is typed, everyone is offered behind those who write here', () => {
    const { topic, direct } = {
      topic: names('@|'),
      direct: names('@|', { target: { kind: 'direct', userIds: [ids.zoe] } }),
    }
    assert.deepEqual(topic.slice(0, 3), ['Othello, the Moor of Venice', 'all', 'topic'])
    assert.deepEqual(direct.slice(0, 2), ['Zoe', 'all'])
    assert.deepEqual([topic.length, direct.length], [8, 8])
    for (const list of [topic, direct]) assert.equal(new Set(list).size >= 7, true)
  })
  test('where many write, some places are left to mentions of all', async () => {
    const many = ['iago', 'cordelia', 'othello', 'aaron', 'zoe', 'prospero', 'polonius', 'owner']
    const busy = { kind: 'topic', channelId: channels.public, topic: 'busy' } as const
    const recent = {
      ...store.recent,
      direct: store.recent.direct,
      topicsOf: () => [
        { conversation: busy, newestId: 1, senderIds: [...store.users.current.keys()] },
      ],
    }
    const facts = { target: busy, store: { ...store, recent } as unknown as typeof store }
    assert.equal(many.length, 8)
    const found = names('@|', facts)
    assert.deepEqual(found.slice(6), ['all', 'topic'])
  })
  test('one is offered to oneself only where one types the name, and last', () => {
    const own = store.users.peek(store.selfId)?.name ?? ''
    assert.equal(own, 'King Hamlet')
    for (const marked of ['@|', '@_|', '@**|']) assert.equal(names(marked).includes(own), false)
    for (const marked of ['@king|', '@_king h|', '@hamlet|']) {
      assert.ok(names(marked).includes(own), marked)
    }
    const alike = offered('@ha|').flatMap((each) => (each.kind === 'person' ? [each.user.id] : []))
    assert.equal(alike.at(-1), store.selfId)
  })
  test('channels of the user come before others', () => {
    assert.deepEqual(names('#ve|'), ['Verona', 'Venice', 'devel'])
  })
  for (const query of ['', 'd', 'de', 'den']) {
    test(`the channel that is written to comes first of those with "${query}"`, () => {
      for (const channel of store.channels.current.values()) {
        const isFound = channel.name.toLowerCase().startsWith(query) && !channel.isArchived
        if (!isFound) continue
        const target = { kind: 'topic', channelId: channel.id, topic: '' } as const
        assert.equal(names(`#${query}|`, { target })[0], channel.name)
      }
    })
  }
  test('topics are those of the channel, and what is typed as a new one', () => {
    assert.deepEqual(names('#**Denmark>|'), ['small plans', 'big plans'])
    assert.deepEqual(names('#**Denmark>plans|'), ['small plans', 'big plans', 'plans (new)'])
    assert.deepEqual(names('#**Denmark>big plans|'), ['big plans'])
  })
  test('emoji, commands, languages and times', () => {
    assert.equal(names(':octop|')[0], 'octopus')
    assert.deepEqual(names(':fir|').slice(0, 2), ['fire', 'fireworks'])
    assert.equal(names(':he|')[0], 'heart')
    assert.deepEqual(names('/|'), ['me', 'poll', 'todo'])
    assert.deepEqual(names('/to|'), ['todo'])
    assert.deepEqual(names('```py|'), ['python'])
    assert.equal(names('<time:|')[0], 'Choose a time…')
    assert.deepEqual(names('<time:2026-11-23T10:00Z|'), ['2026-11-23T10:00Z'])
  })
})

describe('what is inserted', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string][] = [
    ['Hi @desd| there',  'Hi @**Desdemona** | there'],
    ['@_desd|',          '@_**Desdemona** |'],
    ['@**desd|',         '@**Desdemona** |'],
    ['@othel|',          `@**Othello, the Moor of Venice|${ids.othello}** |`],
    ['@hamletch|',       '@*hamletcharacters* |'],
    ['#core|',           '#**core team** |'],
    ['#**Denmark>bi|',   '#**Denmark>big plans** |'],
    [':octopus|',        ':octopus: |'],
    ['/pol|',            '/poll |'],
    ['```pyt|',          '```python\n|\n```'],
    ['```pyt|\ncode\n```', '```python\n|\ncode\n```'],
    ['<time:2026-11-23T10:00Z|', '<time:2026-11-23T10:00:00Z> |'],
  ]
  for (const [marked, expected] of table) {
    test(JSON.stringify(marked), () => assert.equal(completed(marked), expected))
  }

  test('a time still to choose inserts nothing', () => {
    const completion = completionAt('<time', 5, store)
    assert.ok(completion)
    const [first] = candidatesFor(completion, facts)
    assert.ok(first)
    assert.equal(completionEdit(completion, first, store), undefined)
  })

  test('names that Markdown would misread become ordinary links', () => {
    const channel = store.channels.peek(channels.public)
    assert.ok(channel)
    assert.equal(
      channelMarkdown({ ...channel, name: 'a > b' }, '*c*', store),
      '[#a &#62; b &#62; &#42;c&#42;](#narrow/channel/4-a-.3E-b/topic/.2Ac.2A)',
    )
  })
})
