import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { dayAfter, momentTyped, startOfToday } from '#client/narrow/dates.ts'
import { describeSearch } from '#client/narrow/descriptions.ts'
import type { Term } from '#client/narrow/narrow.ts'
import { parseSearch, searchTextOf, termText, viewOfSearch } from '#client/narrow/search.ts'
import { term } from '#client/narrow/terms.ts'
import { suggest } from '#client/search/suggestions.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
await server.say('owner', 'public', 'big plans')
await server.say('owner', 'shared', 'big dinner')
await server.say('othello', ['member'], '')
const { store, api } = await goOnline(server, 'member')
for (const id of [server.channels.public, server.channels.shared]) {
  const reply = await api.get<{ topics: { name: string; max_id: number }[] }>(
    `/users/me/${id}/topics`,
    { allow_empty_topic_name: true },
  )
  store.recent.learnTopics(id, reply.topics)
}
const { ids, channels } = server

/** The beginning of a day here. */
const local = (year: number, month: number, date: number) =>
  new Date(year, month - 1, date).getTime() / 1000

describe('texts that are read', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, Term[]][] = [
    ['tea', [term('search', 'tea')]],
    ['green tea', [term('search', 'green tea')]],
    ['  "green tea"  now ', [term('search', '"green tea" now')]],
    ['"green tea', [term('search', '"green tea')]],
    ['tea -milk', [term('search', 'tea'), term('search', 'milk', true)]],
    ['- -- ->', [term('search', '- -- ->')]],
    ['channel:Denmark', [term('channel', channels.public)]],
    ['stream:denmark tea', [term('channel', channels.public), term('search', 'tea')]],
    ['channel:"core team"', [term('channel', channels.private)]],
    ['channel:core+team', [term('channel', channels.private)]],
    ['channel:"Ｃore  Team"', [term('channel', channels.private)]],
    ['sender:"King\u00a0Hamlet"', [term('sender', ids.member)]],
    ['channel:nowhere', [term('channel', 'nowhere')]],
    ['-channel:4', [term('channel', 4, true)]],
    ['topic:"big plans"', [term('topic', 'big plans')]],
    ['topic:""', [term('topic', '')]],
    ['topic:"say \\"hi\\""', [term('topic', 'say "hi"')]],
    ['sender:me', [term('sender', ids.member)]],
    ['from:"King Hamlet"', [term('sender', ids.member)]],
    ['sender:Zoe', [term('sender', ids.zoe)]],
    ['sender:user7@zulipdev.com', [term('sender', ids.zoe)]],
    ['sender:"Somebody|7"', [term('sender', ids.zoe)]],
    ['dm:Zoe,"Cordelia, Lear\'s daughter"', [term('dm', [ids.zoe, ids.cordelia])]],
    ['dm:me', [term('dm', [ids.member])]],
    ['dm-including:zoe', [term('dm-including', [ids.zoe])]],
    ['dm:nobody', [term('dm', 'nobody')]],
    ['is:private', [term('is', 'dm')]],
    ['IS:Starred', [term('is', 'starred')]],
    ['has:links', [term('has', 'link')]],
    ['id:7', [term('id', 7)]],
    ['id:seven', [term('search', 'id:seven')]],
    ['after:2026-11-20', [term('after', local(2026, 11, 20))]],
    ['-before:"2026-11-20T09:30"', [term('before', local(2026, 11, 20) + 9.5 * 3600, true)]],
    ['before:1764201600 tea', [term('before', 1_764_201_600), term('search', 'tea')]],
    ['after:2026-02-30 after:tea', [term('search', 'after:2026-02-30 after:tea')]],
    ['after:0001-01-01', [term('search', 'after:0001-01-01')]],
    ['https://example.com', [term('search', 'https://example.com')]],
    ['foo:bar channel:', [term('search', 'foo:bar channel:')]],
  ]
  for (const [text, expected] of table) {
    test(text, () =>
      assert.deepEqual(parseSearch(text, store), { terms: expected, near: undefined }),
    )
  }
})

test('the view of a search is the one that has a name, if there is one, at the message named', () => {
  const viewOf = (text: string) => viewOfSearch(parseSearch(text, store), store.selfId)
  const narrow = { kind: 'topic', channelId: channels.public, topic: 'big plans' } as const
  assert.deepEqual(viewOf('channel:Denmark topic:"big plans" near:7'), {
    kind: 'messages',
    narrow,
    near: 7,
  })
  assert.deepEqual(viewOf('is:starred'), { kind: 'messages', narrow: { kind: 'starred' } })
  assert.equal(searchTextOf(narrow, store), 'channel:Denmark topic:"big plans"')
})

test('every filter comes back from its text', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  const person = fc.constantFrom(ids.owner, ids.member, ids.cordelia, ids.moderator, 999)
  const people = fc.uniqueArray(
    person.filter((id) => id !== ids.member),
    { minLength: 1 },
  )
  const each: fc.Arbitrary<Term> = fc
    .oneof(
      fc.integer({ min: 1, max: 20 }).map((id) => term('channel', id)),
      text.map((topic) => term('topic', topic)),
      people.map((some) =>
        term(
          'dm',
          some.sort((a, b) => a - b),
        ),
      ),
      person.map((id) => term('sender', id)),
      fc.constantFrom('starred', 'unread').map((state) => term('is', state)),
      fc
        .oneof(
          fc.integer({ min: 0, max: 4e9 }),
          fc.integer({ min: 0, max: 40_000 }).map((day) => local(1971, 1, day)),
          fc.integer({ min: 1e9, max: 999_999_999_999_999 }),
        )
        .map((time) => term('after', time)),
    )
    .chain((found) => fc.boolean().map((negated) => ({ ...found, negated })))
  fc.assert(
    fc.property(fc.array(each, { maxLength: 4 }), (terms) => {
      const typed = terms.map((one) => termText(one, store)).join(' ')
      assert.deepEqual(parseSearch(typed, store).terms, terms)
    }),
    { numRuns: 300, seed: 7 },
  )
})

describe('suggestions', () => {
  const labels = (text: string, recent: string[] = []) =>
    suggest(text, { store, recent }).map(({ label }) => label)

  test('an empty box offers what was searched for, people and topics, and then the operators', () => {
    const found = suggest('', { store, recent: ['tea', 'is:unread'] })
    const last = found.findLastIndex(({ kind }) => kind !== 'operator')
    assert.deepEqual(
      found.slice(0, last + 1).map(({ label }) => label),
      ['tea', 'is:unread', 'Othello, the Moor of Venice', ...topicsOf()],
    )
    assert.equal(found[last + 1]?.label, 'channel:')
    const [person, topic] = found.slice(2)
    assert.deepEqual(person?.search?.terms, [term('dm', [ids.othello])])
    assert.deepEqual(
      topic?.search?.terms.map(({ operator }) => operator),
      ['channel', 'topic'],
    )

    function topicsOf(): string[] {
      const { topics } = store.recent
      return topics.value.slice(0, 3).flatMap(({ conversation: place }) => {
        if (place.kind !== 'topic') return []
        return [`#${store.channels.peek(place.channelId)?.name} › ${place.topic}`]
      })
    }
  })
  test('a word is searched for, or begins an operator, a channel, a topic or a name', () => {
    const found = labels('de')
    assert.equal(found[0], 'de')
    for (const each of ['channel:Denmark', 'sender:Desdemona', 'dm:Desdemona']) {
      assert.ok(found.includes(each), `${each} in ${found}`)
    }
    assert.deepEqual(labels('ha').slice(0, 3), ['ha', 'ha*', 'has:'])
    assert.ok(labels('big').includes('channel:Denmark topic:"big plans"'))
  })
  test('the last word is offered as the beginning of one, unless it is complete', () => {
    const [, begun] = suggest('channel:Denmark tea dep', { store, recent: [] })
    assert.equal(begun?.text, 'channel:Denmark tea dep*')
    assert.deepEqual(begun?.search?.terms.at(-1), {
      operator: 'search',
      operand: 'tea dep*',
      negated: false,
    })
    for (const text of ['tea ', 'tea*', '"tea', 'c++']) {
      assert.ok(!suggest(text, { store, recent: [] }).some(({ key }) => key === 'beginning'), text)
    }
  })
  test('operands are offered by what is typed of them', () => {
    assert.deepEqual(labels('is:m'), ['is:mentioned', 'is:muted'])
    assert.deepEqual(labels('-has:'), [
      '-has:link',
      '-has:image',
      '-has:attachment',
      '-has:reaction',
    ])
    assert.deepEqual(labels('channel:core'), ['channel:"core team"'])
    assert.deepEqual(labels('channel:Verona topic:big'), ['topic:"big dinner"'])
    assert.equal(labels('sender:oth')[0], 'sender:"Othello, the Moor of Venice"')
    assert.deepEqual(labels('dm:Zoe,desd'), ['dm:Zoe,Desdemona'])
    assert.deepEqual(labels('dm:"Othello, the Moor of Venice",zo'), [
      'dm:Zoe,"Othello, the Moor of Venice"',
    ])
    assert.ok(!labels('dm:Zoe,').some((label) => label === 'dm:Zoe'))
    assert.deepEqual(labels('near:12'), ['near:12'])
    const [near] = suggest('near:12', { store, recent: [] })
    assert.equal(near?.description, 'around message 12')
    assert.deepEqual(labels('id:12'), ['id:12'])
  })
  test('days are offered by what is typed of them, and by their names', () => {
    const today = momentTyped(startOfToday())
    assert.deepEqual(labels('after:').slice(0, 2), [
      `after:${today}`,
      `after:${momentTyped(dayAfter(startOfToday(), -1))}`,
    ])
    assert.deepEqual(labels('after:2021'), ['after:2021-01-01'])
    assert.deepEqual(labels('-before:2021-03'), ['-before:2021-03-01'])
    assert.deepEqual(labels('before:2021-03-09'), ['before:2021-03-09'])
    assert.deepEqual(labels('before:2021-3'), [])
    assert.ok(labels('tod').includes(`after:${today}`))
    assert.ok(
      labels('yester').includes(
        `after:${momentTyped(dayAfter(startOfToday(), -1))} before:${today}`,
      ),
    )
    assert.ok(labels('2021-03-31').includes('after:2021-03-31 before:2021-04-01'))
    assert.ok(!labels('after:2021-03-31 tod').includes(`after:${today}`))
  })
  test('what is there already is kept, and not offered again', () => {
    const [first] = suggest('tea channel:Denmark is:un', { store, recent: [] })
    assert.equal(first?.text, 'tea channel:Denmark is:unread ')
    assert.deepEqual(
      first?.search?.terms.map(({ operator }) => operator),
      ['search', 'channel', 'is'],
    )
    const next = labels('channel:Denmark ')
    assert.equal(next.includes('channel:'), false)
    assert.equal(next.includes('topic:'), true)
  })
  test('searches are described in words', () => {
    const described = describeSearch(
      parseSearch('channel:Denmark -sender:me has:link after:2026-11-20 tea', store),
      store,
    )
    assert.equal(
      described,
      'in #Denmark, not: sent by you, with links, sent since Nov 20, 2026, with the words tea',
    )
  })
})

test('what is looked for in one place can be looked for everywhere, last of all', () => {
  const offered = (text: string) =>
    suggest(text, { store, recent: [] })
      .filter(({ key }) => key === 'everywhere')
      .map((each) => each.text)
  assert.deepEqual(offered('channel:Denmark topic:"big plans" tea time'), ['tea time'])
  assert.deepEqual(offered('dm:Zoe tea'), ['tea'])
  assert.deepEqual(offered('tea'), [])
  assert.deepEqual(offered('channel:Denmark '), [])
  const last = suggest('channel:Denmark tea', { store, recent: [] }).at(-1)
  assert.equal(last?.label, 'Search all messages for “tea”')
})

test('the beginning of "from" offers the sender as well', () => {
  const labels = suggest('fr', { store, recent: [] }).map(({ label }) => label)
  assert.ok(labels.includes('sender:'), labels.join())
})
