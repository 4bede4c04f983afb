import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '#clock.ts'
import {
  carryOver,
  forget,
  markAllRead,
  markEverything,
  markOwnSent,
  markRead,
  markUnread,
  startHistory,
} from '#read-state/actions.ts'
import { decode } from '#read-state/codec.ts'
import {
  countByTopic,
  firstUnread,
  isRead,
  readChecker,
  unread,
  unreadIds,
} from '#read-state/queries.ts'
import { each } from '#read-state/ranges.ts'
import { openDatabase } from '#store/open.ts'
import { createStore, type Tx } from '#store/write.ts'
import {
  type NaiveMessage,
  type NaiveReadState,
  naiveReadState,
} from './support/naive-read-state.ts'

const runs = Number(process.env.READ_STATE_RUNS ?? 300)

const users = [1, 2, 3]
/** Recipient ids; the channel's own id is ten times that. */
const channels = [1, 2, 3]
const directs = new Map([
  [4, [1, 2]],
  [5, [1, 2, 3]],
  [6, [3]],
])
const recipients = [...channels, ...directs.keys()]
const topics = ['a', 'b']

const db = openDatabase(':memory:')
const silent = { dispatch() {}, liveUsers: () => new Set<number>() }
const store = createStore(db, manualClock(0), silent)
after(store.close)
layOut()

/** Users, channels and conversations are the same in every run. */
function layOut(): void {
  const sqlite = db.$client
  sqlite.exec("INSERT INTO user_groups (id, name, name_key) VALUES (1, 'all', 'all')")
  const groups = sqlite
    .prepare("SELECT name FROM pragma_table_info('channels') WHERE name LIKE '%_group'")
    .pluck()
    .all()
  for (const recipient of channels) {
    sqlite.exec(`
      INSERT INTO recipients (id, channel_id) VALUES (${recipient}, ${recipient * 10});
      INSERT INTO channels (id, name, name_key, date_created, recipient_id, ${groups})
      VALUES (${recipient * 10}, '', '${recipient}', 0, ${recipient}, ${groups.map(() => 1)})`)
  }
  for (const [recipient, members] of directs) {
    sqlite.exec(`INSERT INTO recipients (id, direct_key) VALUES (${recipient}, '${members}')`)
    for (const user of members) {
      sqlite.exec(`INSERT INTO direct_members VALUES (${user}, ${recipient})`)
    }
  }
}

function reset(): void {
  db.$client.exec(`
    DELETE FROM messages;
    DELETE FROM sqlite_sequence WHERE name = 'messages';
    DELETE FROM read_state;
    DELETE FROM subscriptions;
    DELETE FROM subscription_spans;
    UPDATE channels SET history_public = 1`)
}

function run(source: string, ...values: (number | string)[]): number {
  return Number(db.$client.prepare(source).run(...values).lastInsertRowid)
}

function nextId(): number {
  const newest = db.$client.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
  return ((newest.pluck().get() as number | undefined) ?? 0) + 1
}

/** One thing that happens: to the tables, and to the naive model, with the same outcome. */
interface Happening {
  real(tx: Tx): unknown
  naive(): unknown
}

/** Numbers from which a step draws whom and what it is about. */
type Dice = {
  user: number
  from: number
  to: number
  topic: number
  flag: boolean
  picks: number[]
}

const ids = (messages: readonly NaiveMessage[]) => messages.map(({ id }) => id)
const placed = (messages: readonly NaiveMessage[]) =>
  messages.map(({ id, recipient }) => ({ id, recipientId: recipient }))

function draw<T>(list: readonly T[], die: number): T {
  const drawn = list[die % list.length]
  assert(drawn !== undefined)
  return drawn
}

/** Some of these messages, ascending. */
function pick(messages: readonly NaiveMessage[], picks: readonly number[]): NaiveMessage[] {
  if (messages.length === 0) return []
  const chosen = new Set(picks.map((die) => draw(messages, die)))
  return messages.filter((message) => chosen.has(message))
}

const steps = {
  subscribe(model: NaiveReadState, dice: Dice): Happening {
    const [user, recipient] = [draw(users, dice.user), draw(channels, dice.to)]
    const from = nextId()
    if (model.isReader(user, recipient)) return nothing
    return {
      real(tx) {
        run(
          `INSERT INTO subscriptions (user_id, channel_id, color) VALUES (?, ?, '')
           ON CONFLICT DO UPDATE SET is_active = 1`,
          user,
          recipient * 10,
        )
        run(
          `INSERT INTO subscription_spans (user_id, channel_id, from_message) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET until_message = NULL`,
          user,
          recipient * 10,
          from,
        )
        startHistory(tx, user, recipient, from)
      },
      naive: () => model.subscribe(user, recipient, from),
    }
  },

  unsubscribe(model: NaiveReadState, dice: Dice): Happening {
    const [user, recipient] = [draw(users, dice.user), draw(channels, dice.to)]
    const until = nextId()
    return {
      real() {
        run(
          'UPDATE subscriptions SET is_active = 0 WHERE user_id = ? AND channel_id = ?',
          user,
          recipient * 10,
        )
        run(
          `UPDATE subscription_spans SET until_message = ?
           WHERE user_id = ? AND channel_id = ? AND until_message IS NULL`,
          until,
          user,
          recipient * 10,
        )
      },
      naive: () => model.unsubscribe(user, recipient, until),
    }
  },

  protect(model: NaiveReadState, dice: Dice): Happening {
    const recipient = draw(channels, dice.to)
    return {
      real() {
        run('UPDATE channels SET history_public = ? WHERE id = ?', +!dice.flag, recipient * 10)
      },
      naive: () => model.protect(recipient, dice.flag),
    }
  },

  send(model: NaiveReadState, dice: Dice): Happening {
    const [user, recipient] = [draw(users, dice.user), draw(recipients, dice.to)]
    const topic = draw(topics, dice.topic)
    const id = nextId()
    return {
      real(tx) {
        run(
          `INSERT INTO messages (recipient_id, sender_id, topic, topic_key, content,
             rendered_content, sent_at, client) VALUES (?, ?, ?, ?, '', '', 0, '')`,
          recipient,
          user,
          topic.toUpperCase(),
          topic,
        )
        if (dice.flag) markOwnSent(tx, user, recipient, id)
      },
      naive: () => model.send({ id, recipient, topic }, dice.flag ? user : undefined),
    }
  },

  markRead(model: NaiveReadState, dice: Dice): Happening {
    const [user, chosen] = [draw(users, dice.user), pick(model.messages, dice.picks)]
    return {
      real: (tx) => markRead(tx, user, placed(chosen)),
      naive: () => model.mark(user, chosen, 'read'),
    }
  },

  markUnread(model: NaiveReadState, dice: Dice): Happening {
    const [user, chosen] = [draw(users, dice.user), pick(model.messages, dice.picks)]
    return {
      real: (tx) => markUnread(tx, user, placed(chosen)),
      naive: () => model.mark(user, chosen, 'unread'),
    }
  },

  markAll(model: NaiveReadState, dice: Dice): Happening {
    const [user, recipient] = [draw(users, dice.user), draw(recipients, dice.to)]
    const upTo = dice.flag ? Number.MAX_SAFE_INTEGER : (dice.picks[0] ?? 0)
    return {
      real: (tx) => markAllRead(tx, user, recipient, upTo),
      naive: () => model.markAll(user, recipient, upTo),
    }
  },

  markEverything(model: NaiveReadState, dice: Dice): Happening {
    const user = draw(users, dice.user)
    return {
      real: (tx) => markEverything(tx, user),
      naive: () => recipients.flatMap((r) => model.markAll(user, r, Infinity)).length > 0,
    }
  },

  move(model: NaiveReadState, dice: Dice): Happening {
    const [from, to] = [draw(channels, dice.from), draw(channels, dice.to)]
    if (from === to) return nothing
    const there = model.messages.filter(({ recipient }) => recipient === from)
    const chosen = dice.flag ? there : pick(there, dice.picks)
    return {
      real(tx) {
        for (const { id } of chosen)
          run('UPDATE messages SET recipient_id = ? WHERE id = ?', to, id)
        const lost = carryOver(tx, from, to, ids(chosen).reverse())
        return new Map(lost.map(({ userId, messageIds }) => [userId, messageIds]))
      },
      naive: () => model.move(chosen, to),
    }
  },

  remove(model: NaiveReadState, dice: Dice): Happening {
    const recipient = draw(recipients, dice.to)
    const there = model.messages.filter((message) => message.recipient === recipient)
    const chosen = dice.flag ? there : pick(there, dice.picks)
    return {
      real(tx) {
        for (const { id } of chosen) run('DELETE FROM messages WHERE id = ?', id)
        forget(tx, recipient, ids(chosen))
      },
      naive: () => model.remove(chosen),
    }
  },
}

const nothing: Happening = { real() {}, naive() {} }
const undone = new Error('undone')

/** Lets a step happen in both; in the tables alone, and undone again, if it `fails`. */
async function happen(model: NaiveReadState, name: keyof typeof steps, dice: Dice, fails = false) {
  const { real, naive } = steps[name](model, dice)
  const write = store.write((tx) => {
    const outcome = real(tx)
    if (fails) throw undone
    return outcome
  })
  if (fails) await assert.rejects(write, undone)
  else assert.deepEqual(await write, naive())
}

/** Everything that can be asked, about everybody. */
function compare(model: NaiveReadState): void {
  for (const user of users) {
    const expected = model.unread(user)
    assert.deepEqual(unreadIds(store, user), ids(expected))
    assert.equal(firstUnread(store, user), expected[0]?.id)
    for (const limit of [1, 3, 50_000]) {
      const { conversations, count, olderMissing } = unread(store, user, limit)
      const newest = expected.slice(-limit)
      const listed = conversations.flatMap(({ recipientId, topicKey, topic, messageIds }) => {
        assert.equal(topic, topicKey.toUpperCase())
        return messageIds.map((id) => ({ id, recipient: recipientId, topic: topicKey }))
      })
      assert.deepEqual(
        listed.sort((a, b) => a.id - b.id),
        newest,
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
      assert.equal(count, newest.length)
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
      assert.equal(firstUnread(store, user, recipientId), here[0]?.id)
      const counts = new Map<string, number>()
      for (const topicKey of topics) {
        const inTopic = here.filter(({ topic }) => topic === topicKey)
        assert.deepEqual(unreadIds(store, user, { recipientId, topicKey }), ids(inTopic))
        if (inTopic.length > 0) counts.set(topicKey, inTopic.length)
      }
      assert.deepEqual(new Map([...countByTopic(store, user, recipientId)].sort()), counts)
    }
  }
}

/** No gap is stored that holds no message: ranges are as few as they can be. */
function requireFewRanges(): void {
  const states = db.$client.prepare('SELECT user_id, recipient_id, ranges FROM read_state').all()
  for (const state of states as { user_id: number; recipient_id: number; ranges: Buffer }[]) {
    let end = 0
    for (const [from, to] of each(decode(state.ranges))) {
      if (from > 0) {
        const held = db.$client
          .prepare('SELECT 1 FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?')
          .get(state.recipient_id, end, from)
        assert(held, `user ${state.user_id} has an empty gap in recipient ${state.recipient_id}`)
      }
      end = to
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
    fc.array(die, { maxLength: 8 }),
    fc.tuple(die, fc.nat(20)).map(([at, many]) => Array.from({ length: many }, (_, i) => at + i)),
  ),
})
const stepName = fc.oneof(
  { weight: 12, arbitrary: fc.constant('send' as const) },
  { weight: 8, arbitrary: fc.constantFrom('markRead' as const, 'markUnread' as const) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  },
)
const happenings = fc.array(fc.tuple(stepName, dice, fc.nat(9)), { minLength: 5, maxLength: 50 })

test('random histories end as with one row for each reader and message', async () => {
  const history = fc.asyncProperty(
    fc.array(fc.tuple(die, die)),
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
    },
  )
  await fc.assert(history, { numRuns: runs, seed: 20_260_301 })
})
