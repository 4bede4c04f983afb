import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { compileNarrow } from '#features/messaging/narrow/compile.ts'
import { matchNarrow, narrowWindow } from '#features/messaging/narrow/window.queries.ts'
import type { Term } from '#platform/events/types.ts'
import type { Steps } from '#platform/steps.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const reader = findUser(store, server.ids.member) as User

const words = ['the', 'of', 'and', 'to', 'in', 'that', 'is']
/** The texts of messages by ID: all words in changing orders, so that only phrases tell them apart. */
const texts = new Map<number, string>()

before(async () => {
  for (let i = 0; i < 60; i++) {
    const turned = words.map((_, n) => words[(n * ((i % 6) + 1) + i) % 7])
    const text = turned.join(' ')
    texts.set(await server.say('owner', i % 2 === 0 ? 'public' : 'shared', 'costs', text), text)
  }
  await store.write((tx) => indexMessages(tx))
})

/** Does work in steps; returns how many there were as well. */
function run<T>(steps: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next()
    if (done) return { value, pauses }
  }
}

const search = (operand: string, negated = false): Term => ({
  operator: 'search',
  operand,
  negated,
})
const inPublic: Term = { operator: 'channel', operand: server.channels.public, negated: false }

const phrases = ['"the of"', '"of to"', '"and is"', '"is the"', '"to and"', '"in to"', '"that of"']

interface Row {
  readonly what: string
  readonly narrow: readonly Term[]
  /** Whether a text is found. */
  readonly finds: (text: string) => boolean
}

const has = (phrase: string) => (text: string) => ` ${text} `.includes(` ${phrase.slice(1, -1)} `)
const some = phrases.slice(0, 2)
const rows: Row[] = [
  { what: 'a phrase', narrow: [search('"the of"')], finds: has('"the of"') },
  { what: 'a phrase that never occurs', narrow: [search('"the the"')], finds: () => false },
  { what: 'two words', narrow: [search('the of')], finds: () => true },
  {
    what: 'two phrases',
    narrow: some.map((each) => search(each)),
    finds: (text) => some.every((each) => has(each)(text)),
  },
  {
    what: 'two phrases in one search',
    narrow: [search(some.join(' '))],
    finds: (text) => some.every((each) => has(each)(text)),
  },
  {
    what: 'none of seven phrases',
    narrow: phrases.map((each) => search(each, true)),
    finds: (text) => !phrases.some((each) => has(each)(text)),
  },
  {
    what: 'a phrase without another',
    narrow: [search('"the of"'), search('"of to"', true)],
    finds: (text) => has('"the of"')(text) && !has('"of to"')(text),
  },
  {
    what: 'a phrase and the beginning of a word',
    narrow: [search('"the of"'), search('tha*')],
    finds: has('"the of"'),
  },
]

describe('searches for several phrases', () => {
  for (const { what, narrow, finds } of rows) {
    test(`find the same in a history, in a channel and among given messages: ${what}`, () => {
      const ids = [...texts.keys()]
      const expected = ids.filter((id) => finds(texts.get(id) ?? ''))
      const all = { anchor: 'newest', includeAnchor: true, numBefore: 200, numAfter: 0 } as const
      const found = run(narrowWindow(store, reader, { ...all, narrow })).value.ids
      assert.deepEqual(
        found.filter((id) => texts.has(id)),
        expected,
      )
      const there = [...narrow, inPublic]
      const inChannel = run(narrowWindow(store, reader, { ...all, narrow: there })).value.ids
      assert.deepEqual(
        inChannel.filter((id) => texts.has(id)),
        expected.filter((id) => ids.indexOf(id) % 2 === 0),
      )
      assert.deepEqual(run(matchNarrow(store, reader, narrow, ids)).value.ids, expected)
    })
  }

  test('are made one after another, with a pause after each, and not for each message', () => {
    const narrow = phrases.map((each) => search(each))
    const compiled = compileNarrow({ read: store, user: reader }, narrow)
    assert.equal(compiled.slowSearches.length, phrases.length)
    const { remaining, conditions } = compiled.without(compiled.slowSearches)
    assert.deepEqual([remaining.sql, conditions.sql], ['', ''])
    const { pauses } = run(matchNarrow(store, reader, narrow, [...texts.keys()]))
    assert.ok(pauses >= phrases.length, `${pauses} pauses`)
  })
})
