import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  markAllRead,
  markOwnSent,
  markRead,
  markUnread,
  moveReadState,
  startHistory,
  unreadBeforeMove,
} from '#features/foundation/read-state/actions.ts'
import { decode } from '#features/foundation/read-state/codec.ts'
import {
  isRead,
  listNonReaders,
  readChecker,
  unread,
  unreadIds,
} from '#features/foundation/read-state/queries.ts'
import {
  listChannelReaders,
  listNewestReadings,
} from '#features/foundation/read-state/readers.queries.ts'
import { listStates, setAside } from '#features/foundation/read-state/states.queries.ts'
import { each } from '#platform/ranges.ts'
import { type NaiveReadState, naiveReadState } from './naive-read-state.ts'
import {
  channels,
  type Dice,
  db,
  directs,
  happen,
  ids,
  recipients,
  reset,
  statement,
  steps,
  store,
  topics,
  users,
} from './steps.ts'

const runs = Number(process.env.READ_STATE_RUNS ?? 200)
after(store.close)

/** Everything that can be asked, about everyone. */
function compare(model: NaiveReadState): void {
  for (const user of users) {
    const expected = model.unread(user)
    assert.deepEqual(unreadIds(store, user), ids(expected))
    for (const limit of [1, 3, 50_000]) {
      const { conversations, olderMissing } = unread(store, user, limit)
      const newest = expected.slice(-limit)
      const listed = conversations.flatMap(({ recipientId, topicKey, topic, messageIds }) => {
        const last = newest.find(({ id }) => id === messageIds.at(-1))
        assert.equal(topic, last?.spelling)
        return messageIds.map((id) => ({ id, recipient: recipientId, topic: topicKey }))
      })
      const asListed = newest.map(({ id, recipient, topic }) => ({ id, recipient, topic }))
      assert.deepEqual(
        listed.sort((a, b) => a.id - b.id),
        asListed,
      )
      const places = newest.map(({ recipient, topic }) => `${recipient} ${topic}`)
      assert.equal(conversations.length, new Set(places).size)
      for (const { recipientId, channelId, messageIds } of conversations) {
        assert.deepEqual(
          messageIds,
          [...messageIds].sort((a, b) => a - b),
        )
        assert.equal(channelId, channels.includes(recipientId) ? recipientId * 10 : null)
      }
      assert.equal(olderMissing, expected.length > limit)
    }
    const check = readChecker(store, user)
    for (const message of model.messages) {
      const { id, recipient } = message
      assert.equal(check(recipient, id), !model.isUnread(user, message))
      assert.equal(isRead(store, user, recipient, id), !model.isUnread(user, message))
    }
    for (const recipientId of recipients) {
      const here = expected.filter(({ recipient }) => recipient === recipientId)
      assert.deepEqual(unreadIds(store, user, { recipientId }), ids(here))
      for (const topicKey of topics) {
        const inTopic = here.filter(({ topic }) => topic === topicKey)
        assert.deepEqual(unreadIds(store, user, { recipientId, topicKey }), ids(inTopic))
      }
    }
  }
}

/** What is asked about one message and many users. */
function compareReaders({ messages, isUnread }: NaiveReadState): void {
  for (const message of messages) {
    const { id, recipient } = message
    const unread = users.filter((user) => isUnread(user, message))
    assert.deepEqual([...listNonReaders(store, recipient, id, users)].sort(), unread)
    if (!channels.includes(recipient)) continue
    for (const [user, hasRead] of listNewestReadings(store, recipient * 10, id, users)) {
      assert.equal(hasRead, !unread.includes(user))
    }
  }
}

/** No gap is stored that holds no message: ranges are as few as they can be. */
function requireFewRanges(): void {
  for (const recipient of recipients) {
    for (const { userId, ranges } of listStates(store, recipient)) {
      let end = 0
      for (const [from, to] of each(ranges)) {
        if (from > 0) {
          const held = statement(
            'SELECT 1 FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?',
          ).get(recipient, end, from)
          assert(held, `user ${userId} has an empty gap in recipient ${recipient}`)
        }
        end = to
      }
    }
  }
}

const die = fc.nat(60)
const dice: fc.Arbitrary<Dice> = fc.record({
  user: die,
  from: die,
  to: die,
  topic: die,
  flag: fc.boolean(),
  picks: fc.oneof(
    fc.array(die, { maxLength: 8, size: 'max' }),
    fc.tuple(die, fc.nat(20)).map(([at, many]) => Array.from({ length: many }, (_, i) => at + i)),
  ),
})
const rareSteps = Object.keys(steps) as (keyof typeof steps)[]
const stepName = fc.oneof(
  { weight: 3, arbitrary: fc.constant('send' as const) },
  { weight: 2, arbitrary: fc.constantFrom('markRead' as const, 'markUnread' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...rareSteps) },
)
const happenings = fc.array(fc.tuple(stepName, dice, fc.nat(9)), { maxLength: 60, size: 'max' })

test('random histories end as with one row for each reader and message', async () => {
  const history = fc.asyncProperty(
    fc.array(fc.tuple(die, die), { maxLength: 8, size: 'max' }),
    happenings,
    async (first, rest) => {
      reset()
      const model = naiveReadState(users, channels, directs)
      const blank = { from: 0, topic: 0, flag: false, picks: [] }
      for (const [user, to] of first) await happen(model, 'subscribe', { ...blank, user, to })
      for (const [name, drawn, failure] of rest) {
        await happen(model, name, drawn, failure === 0)
        for (const user of users) assert.deepEqual(unreadIds(store, user), ids(model.unread(user)))
        requireFewRanges()
      }
      compare(model)
      compareReaders(model)
    },
  )
  await fc.assert(history, { numRuns: runs, seed: 20_260_301 })
})

describe('by name', () => {
  const [reader, sender] = [1, 2]
  const [channel, other] = [1, 2]
  const five = [1, 2, 3, 4, 5].map((id) => ({ id, recipientId: channel }))

  /** Two subscribers of a channel, one of whom sent five messages there. */
  beforeEach(async () => {
    reset()
    const model = naiveReadState(users, channels, directs)
    const dice = { from: 0, to: channel - 1, topic: 0, flag: false, picks: [] }
    for (const user of [reader, sender]) {
      await happen(model, 'subscribe', { ...dice, user: user - 1 })
    }
    for (const _ of five) await happen(model, 'send', { ...dice, user: sender - 1, flag: true })
  })

  const run = (source: string) => db.$client.exec(source)
  const rangesOf = (user: number) => {
    const stored = db.$client.prepare('SELECT ranges FROM read_state WHERE user_id = ?').pluck()
    return decode(stored.get(user) as Buffer)
  }

  test('a reader who caught up is one range, over what others sent elsewhere too', async () => {
    run('UPDATE messages SET recipient_id = 6 WHERE id = 3')
    const even = five.filter(({ id }) => id % 2 === 0)
    assert.deepEqual(await store.write((tx) => markRead(tx, reader, even)), [2, 4])
    assert.deepEqual(rangesOf(reader), [0, 1, 2, 5])
    assert.deepEqual(await store.write((tx) => markRead(tx, reader, five)), [1, 5])
    assert.deepEqual(rangesOf(reader), [0, 6])
  })

  test('the newest range tells whether one has read what is in it, or newer', async () => {
    const newest = (id: number) => [...listNewestReadings(store, channel * 10, id, users)]
    const behind = [
      [reader, false],
      [sender, true],
    ]
    assert.deepEqual(newest(5), behind)
    await store.write((tx) => markRead(tx, reader, five.slice(2, 4)))
    assert.deepEqual(newest(5), behind)
    assert.deepEqual(newest(4), [
      [reader, true],
      [sender, true],
    ])
    assert.deepEqual(newest(2), [[sender, true]])
    assert.deepEqual([...listNewestReadings(store, channel * 10, 4, [sender])], [[sender, true]])
    assert.deepEqual([...listNewestReadings(store, other * 10, 4, users)], [])
  })

  test('someone who only sends has nothing unread, in one range', () => {
    assert.deepEqual(rangesOf(sender), [0, 6])
    assert.deepEqual(unreadIds(store, sender), [])
  })

  test('someone who sends without reading does not write again what is older', async () => {
    const rows = () =>
      statement('SELECT length(ranges) FROM read_state WHERE user_id = 2').pluck().get()
    const count = 1000
    await store.write((tx) => {
      for (let id = 6; id < 6 + 2 * count; id++) {
        run(`INSERT INTO messages (id, recipient_id, sender_id, topic, topic_key, content,
          rendered_content, sent_at, client) VALUES (${id}, 1, 1, '', '', '', '', 0, '')`)
        if (id % 2 === 0) continue
        markOwnSent(tx, sender, channel, id)
        assert.ok((rows() ?? 0) <= 1024)
      }
    })
    const others = Array.from({ length: count }, (_, i) => 6 + 2 * i)
    assert.deepEqual(unreadIds(store, sender), others)
    assert.deepEqual(listChannelReaders(store, channel * 10, others[0] ?? 0), [])
    assert.deepEqual(listChannelReaders(store, channel * 10, 7), [sender])
    await store.write((tx) => markAllRead(tx, sender, channel, Infinity))
    assert.deepEqual(unreadIds(store, sender), [])
    await store.write((tx) => markUnread(tx, sender, five))
    assert.deepEqual(unreadIds(store, sender), [1, 2, 3, 4, 5])
  })

  test('what nobody is subscribed to cannot be marked as unread', async () => {
    await store.write((tx) => markRead(tx, reader, five))
    run(`UPDATE subscriptions SET is_active = 0 WHERE user_id = ${reader}`)
    assert.deepEqual(await store.write((tx) => markUnread(tx, reader, five)), [])
    assert(isRead(store, reader, channel, 3))
  })

  test('a renewed subscription starts with nothing unread', async () => {
    run(`UPDATE subscriptions SET is_active = 0 WHERE user_id = ${reader}`)
    assert.deepEqual(unreadIds(store, reader), [])
    await store.write((tx) => {
      run(`UPDATE subscriptions SET is_active = 1 WHERE user_id = ${reader}`)
      startHistory(tx, reader, channel, 6)
    })
    assert.deepEqual(unreadIds(store, reader), [])
  })

  test('open history from before the subscription can be marked as unread', async () => {
    await store.write((tx) => startHistory(tx, reader, channel, 6))
    run(`UPDATE subscription_spans SET from_message = 6 WHERE user_id = ${reader}`)
    assert.deepEqual(await store.write((tx) => markUnread(tx, reader, five.slice(3))), [4, 5])
    assert.deepEqual(unreadIds(store, reader), [4, 5])
  })

  test('protected history from before the subscription cannot', async () => {
    await store.write((tx) => startHistory(tx, reader, channel, 6))
    run(`UPDATE subscription_spans SET from_message = 6 WHERE user_id = ${reader}`)
    run('UPDATE channels SET history_public = 0')
    assert.deepEqual(await store.write((tx) => markUnread(tx, reader, five)), [])
    assert.deepEqual(unreadIds(store, reader), [])
  })

  test('what moves to where its reader is not subscribed becomes read, and says so', async () => {
    const lost = await store.write((tx) => {
      const before = unreadBeforeMove(tx, channel, [2, 4])
      run(`UPDATE messages SET recipient_id = ${other} WHERE id IN (2, 4)`)
      return moveReadState(tx, channel, other, [2, 4], before)
    })
    assert.deepEqual(lost, [{ userId: reader, messageIds: [2, 4] }])
    assert.deepEqual(unreadIds(store, reader), [1, 3, 5])
  })

  test('a damaged state is refused, not taken for an empty one', async () => {
    run(`UPDATE read_state SET ranges = x'80' WHERE user_id = ${reader}`)
    assert.throws(() => unread(store, reader), /damaged/)
    await store.write((tx) => markUnread(tx, sender, five.slice(1, 3)))
    await store.write((tx) => setAside(tx, sender, channel))
    run(`UPDATE older_read_state SET ranges = x'80' WHERE user_id = ${sender}`)
    assert.throws(() => unread(store, sender), /damaged/)
  })
})
