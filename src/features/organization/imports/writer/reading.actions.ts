import { addState, setAside } from '#features/foundation/read-state/states.queries.ts'
import type { Moment } from '#features/organization/imports/stream.ts'
import { ceiling, fromIds, type Ranges, span, subtract } from '#platform/ranges.ts'
import { subscriptionSpans } from '#platform/store/schema.ts'
import { text } from '#translations/translate.ts'
import {
  type After,
  bulkInsert,
  findTimeAt,
  listDirectMemberships,
  listMemberships,
  type Membership,
  newestMessage,
  setFirstMessages,
} from './bulk.queries.ts'
import { fillSpans, findReadUpTo, listSpans, listUnread, sortUnread } from './spool.queries.ts'
import type { Pause, Work } from './work.actions.ts'

const atOnce = 1000
const insertSpan = bulkInsert(subscriptionSpans)

/** Writes the periods of subscriptions, and what everyone has read. */
export async function writeReading(work: Work, pause: Pause): Promise<void> {
  const { tx } = work
  const newest = newestMessage(tx)
  await writeSpans(work, pause)
  fillSpans(tx, newest)
  setFirstMessages(tx)
  const unread = sortUnread(tx, work.keepsIds === true)
  const unreadOf = (userId: number, recipientId: number) =>
    unread === 0 ? [] : listUnread(tx, userId, recipientId)
  await eachPage(
    (after) => listMemberships(tx, after, atOnce),
    ({ channelId, recipientId, userId }) => {
      const moment = findReadUpTo(tx, userId, channelId ?? 0)
      const readUntil = moment === undefined ? newest + 1 : idAfter(work, JSON.parse(moment))
      writeState(work, userId, recipientId, span(0, readUntil), unreadOf(userId, recipientId))
    },
    pause,
  )
  await eachPage(
    (after) => listDirectMemberships(tx, after, atOnce),
    ({ recipientId, userId }) =>
      writeState(work, userId, recipientId, span(0, newest + 1), unreadOf(userId, recipientId)),
    pause,
  )
}

async function eachPage(
  list: (after: After) => readonly Membership[],
  use: (membership: Membership) => void,
  pause: Pause,
): Promise<void> {
  let done = 0
  for (let after: After = { userId: 0, placeId: 0 }; ; ) {
    const page = list(after)
    if (page.length === 0) return
    for (const membership of page) {
      const { channelId, recipientId, userId } = membership
      after = { userId, placeId: channelId ?? recipientId }
      use(membership)
      done++
      await pause(
        text('Writing what has been read'),
        () => done,
        () => 0,
      )
    }
  }
}

function writeState(
  { tx }: Work,
  userId: number,
  recipientId: number,
  read: Ranges,
  unread: readonly number[],
): void {
  const ranges = unread.length === 0 ? read : subtract(read, fromIds(unread))
  if (ranges.length === 0) return
  addState(tx, userId, recipientId, ranges)
  if (unread.length > 0) setAside(tx, userId, recipientId)
}

async function writeSpans(work: Work, pause: Pause): Promise<void> {
  const { tx } = work
  for (let last = 0; ; ) {
    const page = listSpans(tx, last, atOnce)
    if (page.length === 0) return
    for (const { channelId, from, n, until, userId } of page) {
      last = n
      const fromMessage = from === null ? 0 : idAfter(work, JSON.parse(from))
      const untilMessage = until === null ? null : idAfter(work, JSON.parse(until))
      if (untilMessage === null || untilMessage > fromMessage) {
        insertSpan(tx, { userId, channelId, fromMessage, untilMessage })
      }
      await pause(
        text('Writing subscriptions'),
        () => last,
        () => 0,
      )
    }
  }
}

/**
 * The ID after which a moment is: that of the message which the source names, if its time agrees, since
 * earlier imports may have given messages other IDs; else by the time.
 */
function idAfter(work: Work, moment: Moment): number {
  const { tx } = work
  if ('messageId' in moment) {
    const { messageId, time } = moment
    if (time === undefined) return work.keepsIds ? messageId + 1 : newestMessage(tx) + 1
    if (!work.keepsIds) return firstAfter(work, time)
    const [before, after] = [
      findTimeAt(tx, messageId, 'before'),
      findTimeAt(tx, messageId + 1, 'after'),
    ]
    // A second of leeway: times lost their fractions.
    if ((before?.sentAt ?? 0) <= time + 1 && (after?.sentAt ?? ceiling) >= Math.floor(time)) {
      return messageId + 1
    }
    return firstAfter(work, time)
  }
  return firstAfter(work, moment.time)
}

/** The first ID of those messages that are later than a time, as far as IDs are in the order of times. */
function firstAfter({ tx }: Work, time: number): number {
  let low = 0
  let high = newestMessage(tx) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = findTimeAt(tx, middle, 'after')
    if (found && found.sentAt <= time) low = found.id + 1
    else high = middle
  }
  return low
}
