import { perDatabase } from '#platform/store/per-database.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import type { Channel } from './queries.ts'

const day = 86_400
/** The number of days that the average is taken over. */
const period = 28
/** The age in days from which a channel has an average. */
const minDays = 7

const nextSent = perDatabase((db) =>
  db.$client.prepare<[number], { id: number; sentAt: number }>(
    'SELECT id, sent_at AS sentAt FROM messages WHERE id >= ? ORDER BY id LIMIT 1',
  ),
)

const countSince = perDatabase((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT count(*) FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?',
    )
    .pluck(),
)

/** The counts of one day, cached so that each channel is counted once a day. */
interface DailyCounts {
  today: number
  readonly byRecipient: Map<number, number>
  from: number
  until: number
}

const counts = perDatabase(
  (): DailyCounts => ({ today: -1, byRecipient: new Map(), from: 0, until: 0 }),
)

/**
 * The average number of messages per week in a channel over the four weeks before today, rounded to
 * two significant digits; null for a channel that is younger than a week.
 *
 * @source Zulip API, "Get all channels": `stream_weekly_traffic`
 */
export function weeklyTraffic(read: Read, channel: Channel): number | null {
  const today = Math.floor(read.clock.now() / 1000 / day)
  const age = today - Math.floor(channel.dateCreated / day)
  if (age < minDays) return null
  const cache = counts(read)
  if (cache.today !== today) {
    cache.today = today
    cache.byRecipient.clear()
    cache.from = firstIdSince(read, (today - period) * day)
    cache.until = firstIdSince(read, today * day)
  }
  const { byRecipient, from, until } = cache
  let count = byRecipient.get(channel.recipientId)
  if (count === undefined) {
    count = countSince(read).get(channel.recipientId, from, until) ?? 0
    byRecipient.set(channel.recipientId, count)
  }
  if (count === 0) return 0
  const average = Math.round((count * 7) / Math.min(age, period))
  return Math.max(1, Number(average.toPrecision(2)))
}

const newestId = preparedSql<{ id: number | null }>('SELECT max(id) AS id FROM messages')

/**
 * The first message ID sent at or after a time: a binary search, exact as far as IDs are in the order of
 * times.
 */
export function firstIdSince(read: Read, time: number): number {
  let low = 0
  let high = (newestId(read).get({})?.id ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = nextSent(read).get(middle)
    if (next === undefined || next.sentAt >= time) high = middle
    else low = next.id + 1
  }
  return low
}

/** The seconds without a message after which a channel is not recently active. */
const quietPeriod = 180 * 86_400

const newestSent = preparedSql<{ sentAt: number }>(`
  SELECT sent_at AS sentAt FROM messages WHERE recipient_id = @recipientId
  ORDER BY id DESC LIMIT 1`)

/** Whether a channel is new or has a recent message. */
export function isRecentlyActive(read: Read, channel: Channel): boolean {
  const since = read.clock.now() / 1000 - quietPeriod
  if (channel.dateCreated >= since) return true
  const newest = newestSent(read).get({ recipientId: channel.recipientId })
  return newest !== undefined && newest.sentAt >= since
}
