import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { findMessage, insertMessage, type NewMessage } from '#features/foundation/core/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { narrowMatcher } from '#features/messaging/narrow/live.queries.ts'
import { narrowWindow } from '#features/messaging/narrow/window.queries.ts'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import type { Term } from '#platform/events/types.ts'
import { atOnce } from '#platform/steps.ts'
import { openDatabase } from '#platform/store/open.ts'
import { createStore } from '#platform/store/write.ts'
import { startServer } from '#test/support/server.ts'
import { silentQueues } from '#test/support/silent-queues.ts'

const server = await startServer()
after(server.close)
const member = server.as('member')
const { store } = server.server.context

type Filter = [operator: string, operand: string | number, negated?: 'not']

const termsOf = (filters: readonly Filter[]): Term[] =>
  filters.map(([operator, operand, negated]) => ({ operator, operand, negated: negated === 'not' }))

async function found(...filters: Filter[]): Promise<number[]> {
  const narrow = [...filters, ['topic', 'dates']].map(([operator, operand, negated]) => ({
    operator,
    operand,
    negated: negated === 'not',
  }))
  const window = { anchor: 'newest', num_before: 100, num_after: 0 }
  const reply = await member.get<{ messages: { id: number }[] }>('/messages', { ...window, narrow })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.messages.map(({ id }) => id)
}

const secondsOf = (time: string) => Date.parse(time) / 1000

/** Messages at these moments, in the order of their IDs. */
const times = [
  '2031-03-09T04:59:59Z',
  '2031-03-09T05:00:00Z',
  '2031-03-10T03:59:59Z',
  '2031-03-10T04:00:00Z',
  '2031-03-10T23:30:00Z',
] as const

const messages: number[] = []
for (const time of times) {
  server.clock.advance(Date.parse(time) - server.clock.now())
  messages.push(await server.say('owner', 'public', 'dates', `Written at ${time}.`))
}

/** Those of the messages above, by their numbers. */
const some = (...wanted: number[]) => wanted.map((i) => messages[i])

describe('a day', () => {
  // In New York the clocks go forward on this day, which has 23 hours.
  const rows: [timezone: string, filters: Filter[], expected: number[]][] = [
    [
      'America/New_York',
      [
        ['after', '2031-03-09'],
        ['before', '2031-03-10'],
      ],
      [1, 2],
    ],
    ['America/New_York', [['after', '2031-03-10']], [3, 4]],
    ['US/Eastern', [['before', '2031-03-09']], [0]],
    ['UTC', [['after', '2031-03-10']], [2, 3, 4]],
    ['Asia/Tokyo', [['after', '2031-03-11']], [4]],
    ['Asia/Tokyo', [['after', '2031-03-11', 'not']], [0, 1, 2, 3]],
    ['Asia/Tokyo', [['before', '2031-03-11', 'not']], [4]],
  ]
  for (const [timezone, filters, expected] of rows) {
    test(`begins by the clocks of the account: ${timezone}, ${filters.join(' and ')}`, async () => {
      const saved = await member.patch('/settings', { timezone })
      assert.equal(saved.result, 'success', saved.msg)
      assert.deepEqual(await found(...filters), some(...expected))
    })
  }
})

describe('a moment in seconds', () => {
  const moment = secondsOf(times[2])
  const rows: [Filter[], number[]][] = [
    [[['after', moment]], [2, 3, 4]],
    [[['after', moment + 1]], [3, 4]],
    [[['before', moment]], [0, 1]],
    [[['before', String(moment)]], [0, 1]],
    [
      [
        ['after', moment],
        ['before', moment + 1],
      ],
      [2],
    ],
    [
      [
        ['after', moment],
        ['before', moment],
      ],
      [],
    ],
    [[['after', 999_999_999_999_999]], []],
    [[['before', 0]], []],
    [[['after', moment, 'not']], [0, 1]],
    [
      [
        ['after', moment],
        ['search', 'written'],
      ],
      [2, 3, 4],
    ],
  ]
  for (const [filters, expected] of rows) {
    test(`divides messages: ${filters.join(' and ')}`, async () => {
      assert.deepEqual(await found(...filters), some(...expected))
    })
  }
})

test('an event queue filters by date as the history does', async () => {
  const moment = secondsOf(times[2])
  for (const filter of [
    ['after', moment],
    ['before', moment],
    ['after', '2031-03-10'],
    ['before', moment, 'not'],
  ] as Filter[]) {
    const matches = narrowMatcher(store, { userId: member.id, narrow: termsOf([filter]) })
    assert.ok(matches)
    const live = messages.filter((id) => {
      const row = findMessage(store, id)
      assert.ok(row)
      return matches({ ...row, channel: undefined, people: [], flags: [] })
    })
    assert.deepEqual(live, await found(filter), filter.join(':'))
    assert.ok(live.length > 0)
  }
})

test('dates are right whatever the clock did while messages were sent', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-dates-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'messages.db')
  const open = () => {
    const db = openDatabase(file)
    return { db, store: createStore(db, manualClock(0), defaultConfig, silentQueues) }
  }
  let { db, store } = open()
  t.after(() => db.$client.close())
  db.$client.exec(`
    INSERT INTO users (id, email, email_key, api_email, api_email_key, full_name, role,
      date_joined, api_key) VALUES (1, 'a', 'a', 'a', 'a', 'a', 400, 0, 'a');
    INSERT INTO recipients (id, direct_key) VALUES (1, '1');
    INSERT INTO direct_members VALUES (1, 1)`)
  const reopen = () => {
    db.$client.close()
    ;({ db, store } = open())
  }
  const message: NewMessage = {
    recipientId: 1,
    senderId: 1,
    topic: '',
    topicKey: '',
    content: '',
    renderedContent: '',
    sentAt: 0,
    client: 'x',
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    isMe: false,
    channelWildcard: false,
  }
  const passed = fc.oneof(
    { weight: 6, arbitrary: fc.nat(100) },
    { weight: 3, arbitrary: fc.integer({ min: -300, max: 0 }) },
    { weight: 1, arbitrary: fc.constant('restart') },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(passed, { minLength: 5, maxLength: 40, size: 'max' }),
      async (steps) => {
        db.$client.exec('DELETE FROM messages; DELETE FROM message_order')
        reopen()
        let now = 10_000
        const sent: { id: number; sentAt: number }[] = []
        for (const step of steps) {
          if (typeof step === 'string') {
            reopen()
            continue
          }
          now += step
          const sentAt = now
          const { id } = await store.write((tx) => insertMessage(tx, { ...message, sentAt }))
          sent.push({ id, sentAt })
        }
        const user = findUser(store, 1)
        assert.ok(user)
        const idsOf = (operator: string, operand: number) => {
          const narrow = [{ operator, operand, negated: false }]
          const window = { narrow, anchor: 'newest', includeAnchor: false } as const
          const request = { ...window, numBefore: 100, numAfter: 0 }
          return atOnce(narrowWindow(store, user, request)).ids
        }
        const expected = (is: (sentAt: number) => boolean) =>
          sent.filter(({ sentAt }) => is(sentAt)).map(({ id }) => id)
        for (const { sentAt: moment } of sent) {
          const isAfter = expected((sentAt) => sentAt >= moment)
          const isBefore = expected((sentAt) => sentAt < moment)
          assert.deepEqual(idsOf('after', moment), isAfter)
          assert.deepEqual(idsOf('before', moment), isBefore)
        }
      },
    ),
    { numRuns: 25, seed: 3 },
  )
})
