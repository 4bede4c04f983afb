import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  decodeHashComponent,
  hashOf,
  type Lookups,
  otherIds,
  parseHash,
} from '#client/narrow/hash.ts'
import type { Narrow, Overlay, Route, Term, View } from '#client/narrow/narrow.ts'
import { narrowOf, term } from '#client/narrow/terms.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import { Table } from '#client/state/table.ts'
import { encodeHashComponent } from '#shared/place-links.ts'

const channel = (id: number, name: string) => [id, { id, name } as Channel] as const
const user = (id: number, name: string, email: string) =>
  [id, { id, name, email, deliveryEmail: null } as User] as const

const lookups: Lookups = {
  selfId: 10,
  groups: new Table([[4, { id: 4, name: 'Hamlet fans' } as Group]]),
  channels: new Table([
    channel(42, 'dev talk'),
    channel(7, '日本語'),
    channel(9, '2016 (old) & new!'),
    channel(5, 'Verona'),
  ]),
  users: new Table([
    user(9, 'Ada L', 'ada@example.com'),
    user(10, 'King Hamlet', 'hamlet@example.com'),
    user(12, 'Brontë / Zoë', 'zoe@example.com'),
  ]),
}

const messages = (narrow: Narrow, near?: number): Route => ({
  view: near === undefined ? { kind: 'messages', narrow } : { kind: 'messages', narrow, near },
})
const topic = (channelId: number, name: string, withId?: number): Narrow => ({
  kind: 'topic',
  channelId,
  topic: name,
  ...(withId !== undefined && { withId }),
})
const search = (...terms: Parameters<typeof term>[]): Narrow => ({
  kind: 'search',
  terms: terms.map((each) => term(...each)),
})

describe('links that are read', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, Route][] = [
    ['', {}],
    ['#', {}],
    ['#inbox', { view: { kind: 'inbox' } }],
    ['#recent', { view: { kind: 'recent' } }],
    ['#direct', { view: { kind: 'direct' } }],
    ['#recent_topics', { view: { kind: 'recent' } }],
    ['#feed', messages({ kind: 'all' })],
    ['#all_messages', messages({ kind: 'all' })],
    ['#topics/channel/42-dev-talk', { view: { kind: 'topics', channelId: 42 } }],
    ['#drafts', { view: { kind: 'drafts' } }],
    ['#scheduled', { view: { kind: 'scheduled' } }],
    ['#reminders', { view: { kind: 'reminders' } }],
    ['#narrow/is/mentioned', messages({ kind: 'mentions' })],
    ['#narrow/is/starred', messages({ kind: 'starred' })],
    ['#narrow/is/dm', messages({ kind: 'all-direct' })],
    ['#narrow/is/private', messages({ kind: 'all-direct' })],
    ['#narrow/has/reaction/sender/me', messages({ kind: 'reactions' })],
    ['#narrow/channel/42-dev-talk', messages({ kind: 'channel', channelId: 42 })],
    ['#narrow/channel/42', messages({ kind: 'channel', channelId: 42 })],
    ['#narrow/channel/42-anything-else', messages({ kind: 'channel', channelId: 42 })],
    ['#narrow/stream/dev-talk', messages({ kind: 'channel', channelId: 42 })],
    ['#narrow/stream/verona', messages({ kind: 'channel', channelId: 5 })],
    ['#narrow/stream/2016-.28old.29-.26-new!', messages({ kind: 'channel', channelId: 2016 })],
    ['#narrow/stream/no-such', messages(search(['channel', 'no-such']))],
    ['#narrow/channel/42-dev-talk/topic/big.20plans', messages(topic(42, 'big plans'))],
    ['#narrow/channel/42-dev-talk/topic/big%20plans', messages(topic(42, 'big plans'))],
    ['#narrow/stream/42/subject/v1.2E0', messages(topic(42, 'v1.0'))],
    ['#narrow/channel/42/topic/', messages(topic(42, ''))],
    ['#narrow/channel/42/topic', messages(topic(42, ''))],
    ['#narrow/channel/42/topic/a/with/71', messages(topic(42, 'a', 71))],
    ['#narrow/channel/42/topic/a/near/71', messages(topic(42, 'a'), 71)],
    ['#narrow/channel/42/topic/a/near/71/', messages(topic(42, 'a'), 71)],
    ['#narrow/near/71', messages({ kind: 'all' }, 71)],
    ['#narrow/dm/9-Ada-L', messages({ kind: 'direct', userIds: [9] })],
    ['#narrow/dm/12,9-group', messages({ kind: 'direct', userIds: [9, 12] })],
    ['#narrow/dm/9,10,12-group', messages({ kind: 'direct', userIds: [9, 12] })],
    ['#narrow/dm/10-King-Hamlet', messages({ kind: 'direct', userIds: [10] })],
    ['#narrow/pm-with/ada.40example.2Ecom', messages({ kind: 'direct', userIds: [9] })],
    ['#narrow/pm-with/9-ada', messages({ kind: 'direct', userIds: [9] })],
    ['#narrow/group-pm-with/9,12-group', messages(search(['dm-including', [9, 12]]))],
    ['#narrow/streams/public/search/tea', messages(search(['channels', 'public'], ['search', 'tea']))],
    ['#narrow/search/two.20words', messages(search(['search', 'two words']))],
    ['#narrow/sender/9-Ada-L', messages(search(['sender', 9]))],
    ['#narrow/sender/me', messages(search(['sender', 10]))],
    ['#narrow/from/zoe.40example.2Ecom', messages(search(['sender', 12]))],
    ['#narrow/is/starred/sender/9/-channel/42', messages(search(['is', 'starred'], ['sender', 9], ['channel', 42, true]))],
    ['#narrow/after/1764201600/before/5', messages(search(['after', 1_764_201_600], ['before', 5]))],
    ['#narrow/-after/2026-11-20', messages(search(['after', new Date(2026, 10, 20).getTime() / 1000, true]))],
    ['#narrow/after/2026-02-30', {}],
    ['#narrow/before/-1', {}],
    ['#channels/subscribed', { overlay: { kind: 'channels', tab: 'subscribed' } }],
    ['#streams/all', { overlay: { kind: 'channels', tab: 'all' } }],
    ['#channels/new', { overlay: { kind: 'channels', tab: 'new' } }],
    ['#channels/42/dev.20talk/subscribers', { overlay: { kind: 'channel', channelId: 42, section: 'subscribers' } }],
    ['#channels/42', { overlay: { kind: 'channel', channelId: 42, section: 'general' } }],
    ['#channels/folders/3/new', { overlay: { kind: 'channels', tab: 'new', folderId: 3 } }],
    ['#user/9', { overlay: { kind: 'user', userId: 9 } }],
    ['#keyboard-shortcuts', { overlay: { kind: 'keyboard-shortcuts' } }],
    ['#about-zulip', { overlay: { kind: 'about' } }],
    ['#settings/display-settings', { overlay: { kind: 'settings', area: 'personal', path: ['preferences'] } }],
    ['#organization/users/active', { overlay: { kind: 'settings', area: 'organization', path: ['users', 'active'] } }],
  ]
  for (const [hash, expected] of table) {
    test(hash || '(empty)', () => assert.deepEqual(parseHash(hash, lookups), expected))
  }
})

describe('malformed links are the home view', () => {
  const table = [
    '#narrow',
    '#narrow/',
    '#narrow/channel',
    '#narrow/channel/',
    '#narrow/is/',
    '#narrow/nonsense/7',
    '#narrow/channel/42/topic/100%',
    '#narrow/channel/42/topic/a.ZZ',
    '#narrow/channel/42/near/soon',
    '#narrow/channel/42/-near/7',
    '#narrow/dm/,',
    '#topics/channel/no-such',
    '#user/ada',
    '#constructor',
    '#nonsense/7',
  ]
  for (const hash of table) test(hash, () => assert.deepEqual(parseHash(hash, lookups), {}))
})

describe('links that are written', () => {
  const view = (narrow: Narrow, near?: number): View => ({
    kind: 'messages',
    narrow,
    ...(near !== undefined && { near }),
  })
  // biome-ignore format: a table reads best in columns
  const table: [View | Overlay, string][] = [
    [view({ kind: 'all' }), '#feed'],
    [view({ kind: 'reactions' }), '#narrow/has/reaction/sender/me'],
    [view({ kind: 'channel', channelId: 42 }), '#narrow/channel/42-dev-talk'],
    [view({ kind: 'channel', channelId: 7 }), '#narrow/channel/7'],
    [view({ kind: 'channel', channelId: 99 }), '#narrow/channel/99'],
    [view(topic(42, 'v1.0 (new)', 71)), '#narrow/channel/42-dev-talk/topic/v1.2E0.20.28new.29/with/71'],
    [view(topic(42, ''), 71), '#narrow/channel/42-dev-talk/topic//near/71'],
    [view({ kind: 'direct', userIds: [9] }), '#narrow/dm/9-Ada-L'],
    [view({ kind: 'direct', userIds: [9, 12] }), '#narrow/dm/9,12-group'],
    [view(search(['sender', 9], ['search', 'a b', true])), '#narrow/sender/9-Ada-L/-search/a.20b'],
    [{ kind: 'channel', channelId: 42, section: 'personal' }, '#channels/42/dev.20talk/personal'],
    [{ kind: 'channels', tab: 'all' }, '#channels/all'],
    [{ kind: 'about' }, '#about-zulip'],
    [{ kind: 'settings', area: 'personal', path: ['profile'] }, '#settings/profile'],
  ]
  for (const [target, expected] of table) {
    test(expected, () => assert.equal(hashOf(target, lookups), expected))
  }
})

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const word = text.filter((each) => each !== '')
const id = fc.integer({ min: 1, max: 60 })
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).map((each) => otherIds(each, 10))

test('texts come back from their encoding, which has nothing that browsers change', () => {
  fc.assert(
    fc.property(text, (each) => {
      const encoded = encodeHashComponent(each)
      assert.match(encoded, /^[\w.~-]*$/)
      assert.equal(decodeHashComponent(encoded), each.toWellFormed())
    }),
    { seed: 7 },
  )
})

test('every view comes back from its link', () => {
  const operand: fc.Arbitrary<Term> = fc.oneof(
    id.map((each) => term('channel', each)),
    text.map((each) => term('topic', each)),
    ids.map((each) => term('dm', each)),
    ids.map((each) => term('dm-including', each)),
    id.map((each) => term('sender', each)),
    word.filter((each) => each !== 'private').map((each) => term('is', each)),
    word.map((each) => term('search', each)),
    id.map((each) => term('id', each)),
  )
  const terms = fc.array(
    fc.tuple(operand, fc.boolean()).map(([each, negated]) => ({ ...each, negated })),
    { minLength: 1, maxLength: 4 },
  )
  const narrow: fc.Arbitrary<Narrow> = fc.oneof(
    fc.constantFrom<Narrow>(
      { kind: 'all' },
      { kind: 'all-direct' },
      { kind: 'mentions' },
      { kind: 'starred' },
      { kind: 'reactions' },
    ),
    id.map((channelId) => ({ kind: 'channel' as const, channelId })),
    fc.tuple(id, text).map(([channelId, name]) => topic(channelId, name)),
    fc.tuple(id, text, id).map(([channelId, name, withId]) => topic(channelId, name, withId)),
    ids.map((userIds) => ({ kind: 'direct' as const, userIds })),
    terms.map((each) => narrowOf(each, 10)),
  )
  const view: fc.Arbitrary<View> = fc.oneof(
    fc.constantFrom<View>({ kind: 'inbox' }, { kind: 'recent' }, { kind: 'drafts' }),
    id.map((channelId) => ({ kind: 'topics' as const, channelId })),
    narrow.map((each) => ({ kind: 'messages' as const, narrow: each })),
    fc.tuple(narrow, id).map(([each, near]) => ({ kind: 'messages' as const, narrow: each, near })),
  )
  fc.assert(
    fc.property(view, (each) => {
      assert.deepEqual(parseHash(hashOf(each, lookups), lookups), { view: each })
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('no hash whatsoever makes the client fail', () => {
  const parts = fc.constantFrom(
    'narrow',
    '/',
    'channel',
    '42',
    '-',
    '.',
    '%',
    'dm',
    'topic',
    'near',
  )
  const hash = fc.oneof(
    text,
    fc.array(parts).map((each) => each.join('')),
  )
  fc.assert(
    fc.property(hash, (each) => {
      parseHash(`#${each}`, lookups)
    }),
    { seed: 7 },
  )
})
