import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Row } from '#client/lists/message-list.ts'
import { createRowBuilder } from '#client/lists/rows.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { Message } from '#client/state/model.ts'

const noon = Date.UTC(2026, 10, 22, 12) / 1000
const utcDay = (timestamp: number) => new Date(timestamp * 1000).toISOString().slice(0, 10)

/** Messages with the ids 1, 2, 3 ..., a minute apart unless they say otherwise. */
function messagesOf(...all: Partial<Message>[]): Map<number, Message> {
  return new Map(
    all.map((message, i) => [
      i + 1,
      {
        id: i + 1,
        senderId: 9,
        conversation: { kind: 'topic', channelId: 4, topic: 'plans' },
        timestamp: noon + i * 60,
        isMe: false,
        flags: new Set(),
        ...message,
      } as Message,
    ]),
  )
}

function rowsOf(
  messages: ReadonlyMap<number, Message>,
  {
    narrow = { kind: 'all' },
    firstUnreadId,
    from = 0,
    to = messages.size,
  }: { narrow?: Narrow; firstUnreadId?: number; from?: number; to?: number } = {},
): string {
  const source = {
    ids: [...messages.keys()],
    message: (id: number) => messages.get(id),
    firstUnreadId,
  }
  return createRowBuilder(narrow, utcDay).rowsFor(source, from, to).map(short).join(' ')
}

function short(row: Row): string {
  if (row.kind === 'message') return `${row.message.id}${row.showsSender ? '+' : ''}`
  if (row.kind === 'day') return `day:${row.date.slice(-2)}`
  return row.kind === 'recipient' ? 'bar' : 'marker'
}

describe('rows', () => {
  test('of one sender in one conversation have one bar and one sender', () => {
    assert.equal(rowsOf(messagesOf({}, {}, {})), 'bar 1+ 2 3')
  })
  test('have a bar for each conversation; topics that differ in case are one', () => {
    const topic = (channelId: number, name: string) =>
      ({ conversation: { kind: 'topic', channelId, topic: name } }) as const
    const messages = messagesOf(topic(4, 'a'), topic(4, 'A'), topic(4, 'b'), topic(3, 'b'))
    assert.equal(rowsOf(messages), 'bar 1+ 2 bar 3+ bar 4+')
  })
  test('name the sender again for another one, after ten minutes, and around /me', () => {
    assert.equal(rowsOf(messagesOf({}, { senderId: 8 }, {})), 'bar 1+ 2+ 3+')
    assert.equal(
      rowsOf(messagesOf({}, { timestamp: noon + 600 }, { timestamp: noon + 1201 })),
      'bar 1+ 2 3+',
    )
    assert.equal(rowsOf(messagesOf({}, { isMe: true }, {})), 'bar 1+ 2+ 3+')
  })
  test('have a divider where a day begins', () => {
    const midnight = Date.UTC(2026, 10, 23) / 1000
    const messages = messagesOf(
      { timestamp: midnight - 60 },
      { timestamp: midnight },
      {
        timestamp: midnight + 60,
      },
    )
    assert.equal(rowsOf(messages), 'bar 1+ day:23 2+ 3')
  })
  test('have history that the user did not receive in a group of its own', () => {
    const messages = messagesOf({ flags: new Set(['historical']) }, {}, {})
    assert.equal(rowsOf(messages), 'bar 1+ bar 2+ 3')
  })
  test('of one conversation name each day once, whatever of it is history', () => {
    const narrow = { kind: 'topic', channelId: 4, topic: 'plans' } as const
    const history = { flags: new Set(['historical'] as const) }
    const midnight = Date.UTC(2026, 10, 23) / 1000
    const messages = messagesOf(history, {}, history, { timestamp: midnight })
    assert.equal(rowsOf(messages, { narrow }), 'bar 1+ 2 3 day:23 4+')
  })
  test('have a marker before the first unread message', () => {
    assert.equal(rowsOf(messagesOf({}, {}, {}), { firstUnreadId: 2 }), 'bar 1+ marker 2+ 3')
  })
  test('of a search stand each by itself', () => {
    for (const kind of ['mentions', 'starred', 'reactions'] as const) {
      assert.equal(rowsOf(messagesOf({}, {}), { narrow: { kind } }), 'bar 1+ bar 2+')
    }
  })
  test('of a part of the list begin with a bar and a sender', () => {
    const messages = messagesOf({}, {}, {}, {})
    assert.equal(rowsOf(messages, { from: 2, to: 4 }), 'bar 3+ 4')
    assert.equal(rowsOf(messages, { from: -5, to: 99 }), 'bar 1+ 2 3 4')
  })
  test('leave out messages that are gone', () => {
    const messages = messagesOf({}, {}, {})
    const source = {
      ids: [1, 2, 3],
      message: (id: number) => (id === 2 ? undefined : messages.get(id)),
    }
    const rows = createRowBuilder({ kind: 'all' }, utcDay).rowsFor(
      { ...source, firstUnreadId: undefined },
      0,
      3,
    )
    assert.equal(rows.map(short).join(' '), 'bar 1+ 3')
  })
})

test('rows that did not change are the same objects, whatever is added or changed beside them', () => {
  const messages = messagesOf({}, {}, {}, {})
  const builder = createRowBuilder({ kind: 'all' }, utcDay)
  const build = (to: number) =>
    builder.rowsFor(
      { ids: [...messages.keys()], message: (id) => messages.get(id), firstUnreadId: undefined },
      0,
      to,
    )
  const before = build(3)
  const after = build(4)
  assert.deepEqual(
    after.slice(0, 4).map((row, i) => row === before[i]),
    [true, true, true, true],
  )
  const second = messages.get(2)
  assert.ok(second)
  messages.set(2, { ...second, html: 'edited' })
  const edited = build(4)
  assert.deepEqual(
    edited.map((row, i) => row === after[i]),
    [true, true, false, true, true],
  )
})
