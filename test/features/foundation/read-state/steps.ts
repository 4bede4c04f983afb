import assert from 'node:assert/strict'
import type { Statement } from 'better-sqlite3'
import { addArrival } from '#features/foundation/own-history/paths.queries.ts'
import {
  closeGapsBefore,
  forget,
  markAllRead,
  markEverything,
  markOwnSent,
  markRead,
  markUnread,
  moveReadState,
  startHistory,
  unreadBeforeMove,
} from '#features/foundation/read-state/actions.ts'
import { setAside } from '#features/foundation/read-state/states.queries.ts'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openDatabase } from '#platform/store/open.ts'
import { openness } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { silentQueues } from '#test/support/silent-queues.ts'
import type { NaiveMessage, NaiveReadState } from './naive-read-state.ts'

export const users = [1, 2, 3]
/** Recipient ids; the channel's own id is ten times that. */
export const channels = [1, 2, 3]
export const directs = new Map([
  [4, [1, 2]],
  [5, [1, 2, 3]],
  [6, [3]],
])
export const recipients = [...channels, ...directs.keys()]
export const topics = ['a', 'b']

export const db = openDatabase(':memory:')
export const store = createStore(db, manualClock(0), defaultConfig, silentQueues)
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

export function reset(): void {
  db.$client.exec(`
    DELETE FROM messages;
    DELETE FROM sqlite_sequence WHERE name = 'messages';
    DELETE FROM message_paths;
    DELETE FROM moved_messages;
    DELETE FROM read_state;
    DELETE FROM older_read_state;
    DELETE FROM subscriptions;
    DELETE FROM subscription_spans;
    UPDATE channels SET history_public = 1`)
}

const prepared = new Map<string, Statement<unknown[], number>>()

/** The statement, prepared once; it answers its first column. */
export function statement(source: string): Statement<unknown[], number> {
  const known = prepared.get(source) ?? db.$client.prepare<unknown[], number>(source)
  prepared.set(source, known)
  return known
}

const run = (source: string, ...values: (number | string)[]) => statement(source).run(...values)

function nextId(): number {
  const newest = statement("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").pluck()
  return (newest.get() ?? 0) + 1
}

/** One thing that happens: to the tables, and to the naive model, with the same outcome. */
interface Happening {
  real(tx: Tx): unknown
  naive(): unknown
}

/** Numbers from which a step draws whom and what it is about. */
export type Dice = {
  user: number
  from: number
  to: number
  topic: number
  flag: boolean
  picks: number[]
}

export const ids = (messages: readonly NaiveMessage[]) => messages.map(({ id }) => id)
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

export const steps = {
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
    // Channels get twice as many: that is where things happen.
    const recipient = draw([...channels, ...recipients], dice.to)
    const [user, topic] = [draw(users, dice.user), draw(topics, dice.topic)]
    const spelling = dice.from % 2 === 0 ? topic : topic.toUpperCase()
    const id = nextId()
    return {
      real(tx) {
        run(
          `INSERT INTO messages (recipient_id, sender_id, topic, topic_key, content,
             rendered_content, sent_at, client) VALUES (?, ?, ?, ?, '', '', 0, '')`,
          recipient,
          user,
          spelling,
          topic,
        )
        if (dice.flag) markOwnSent(tx, user, recipient, id)
      },
      naive: () => model.send({ id, recipient, topic, spelling }, dice.flag ? user : undefined),
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

  /** What otherwise happens to hundreds of ranges. */
  setAside(_: NaiveReadState, dice: Dice): Happening {
    const [user, recipient] = [draw(users, dice.user), draw(recipients, dice.to)]
    return { real: (tx) => setAside(tx, user, recipient), naive() {} }
  },

  move(model: NaiveReadState, dice: Dice): Happening {
    const [from, to] = [draw(channels, dice.from), draw(channels, dice.to)]
    if (from === to) return nothing
    const there = model.messages.filter(({ recipient }) => recipient === from)
    const chosen = dice.flag ? there : pick(there, dice.picks)
    return {
      real(tx) {
        const before = unreadBeforeMove(tx, from, ids(chosen))
        for (const { id } of chosen)
          run('UPDATE messages SET recipient_id = ? WHERE id = ?', to, id)
        addArrival(tx, ids(chosen), 10 * from, { channelId: 10 * to, openness: openness.nobody })
        const lost = moveReadState(tx, from, to, ids(chosen).reverse(), before)
        return new Map(lost.map(({ userId, messageIds }) => [userId, messageIds]))
      },
      naive: () => model.move(chosen, to),
    }
  },

  removeOldest(model: NaiveReadState, dice: Dice): Happening {
    const recipient = draw(recipients, dice.to)
    const there = model.messages.filter((message) => message.recipient === recipient)
    const ascending = [...there].sort((a, b) => a.id - b.id)
    const chosen = ascending.slice(0, pick(there, dice.picks).length)
    return {
      real(tx) {
        for (const { id } of chosen) run('DELETE FROM messages WHERE id = ?', id)
        const first = ascending[chosen.length]?.id
        let reader: number | undefined = 0
        while (reader !== undefined) reader = closeGapsBefore(tx, recipient, first, reader, 2)
      },
      naive: () => model.remove(chosen),
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
export async function happen(
  model: NaiveReadState,
  name: keyof typeof steps,
  dice: Dice,
  fails = false,
) {
  const { real, naive } = steps[name](model, dice)
  const write = store.write((tx) => {
    const outcome = real(tx)
    if (fails) throw undone
    return outcome
  })
  if (fails) await assert.rejects(write, undone)
  else assert.deepEqual(await write, naive())
}
