import { prepared } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import type { Channel } from './queries.ts'

const day = 86_400
/** Averages are taken over this many days. */
const period = 28
/** Younger channels have no average yet. */
const leastDays = 7

const nextSent = prepared((db) =>
  db.$client.prepare<[number], { id: number; sentAt: number }>(
    'SELECT id, sent_at AS sentAt FROM messages WHERE id >= ? ORDER BY id LIMIT 1',
  ),
)

const countSince = prepared((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT count(*) FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?',
    )
    .pluck(),
)

/** What was counted on one day, so that a day's first reader pays for all. */
interface Counted {
  today: number
  readonly byRecipient: Map<number, number>
  from: number
  until: number
}

const counted = prepared((): Counted => ({ today: -1, byRecipient: new Map(), from: 0, until: 0 }))

/**
 * How many messages a channel gets in a week, on average over the four weeks before today, with
 * two significant digits; null for a channel that is younger than a week.
 *
 * @source the API description of `stream_weekly_traffic`
 */
export function weeklyTraffic(read: Read, channel: Channel): number | null {
  const today = Math.floor(read.clock.now() / 1000 / day)
  const age = today - Math.floor(channel.dateCreated / day)
  if (age < leastDays) return null
  const memory = counted(read)
  if (memory.today !== today) {
    memory.today = today
    memory.byRecipient.clear()
    memory.from = firstIdSince(read, (today - period) * day)
    memory.until = firstIdSince(read, today * day)
  }
  const { byRecipient, from, until } = memory
  let count = byRecipient.get(channel.recipientId)
  if (count === undefined) {
    count = countSince(read).get(channel.recipientId, from, until) ?? 0
    byRecipient.set(channel.recipientId, count)
  }
  if (count === 0) return 0
  const average = Math.round((count * 7) / Math.min(age, period))
  return Math.max(1, Number(average.toPrecision(2)))
}

/** The first message id sent at a time or later: ids grow with time, so halving finds it. */
function firstIdSince(read: Read, time: number): number {
  let low = 0
  let high = (read.db.$client.prepare('SELECT max(id) FROM messages').pluck().get() as number) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = nextSent(read).get(middle)
    if (next === undefined || next.sentAt >= time) high = middle
    else low = next.id + 1
  }
  return low
}
