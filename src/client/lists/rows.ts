import type { Narrow } from '#client/narrow/narrow.ts'
import { type Message, sameConversation } from '#client/state/model.ts'
import { localDay } from '#client/ui/dates.ts'
import type { Row } from './message-list.ts'

/** The sender is shown again after this time, in seconds. */
const longestPause = 10 * 60

export interface RowSource {
  /** Ids of the list, ascending. */
  readonly ids: readonly number[]
  readonly message: (id: number) => Message | undefined
  /** The message before which the unread marker stands. */
  readonly firstUnreadId: number | undefined
}

export interface RowBuilder {
  /**
   * The rows of a part of the list, with the recipient bar of its first message. Rows that did not
   * change since the last call are the same objects.
   *
   * @param from index of the first message
   * @param to index after the last one
   */
  rowsFor(source: RowSource, from: number, to: number): readonly Row[]
}

/**
 * Makes the rows of a list: recipient bars, dividers at days, messages in groups.
 *
 * @param dayOf the day of a time, as `2026-11-22`; in the reader's zone by default
 */
export function createRowBuilder(
  narrow: Narrow,
  dayOf: (timestamp: number) => string = localDay,
): RowBuilder {
  const single = isScattered(narrow)
  const isOne = narrow.kind === 'topic' || narrow.kind === 'direct'
  let known: ReadonlyMap<string, Row> = new Map()

  return {
    rowsFor({ ids, message, firstUnreadId }, from, to) {
      const rows: Row[] = []
      const next = new Map<string, Row>()
      const add = (row: Row) => {
        const before = known.get(row.key)
        const kept = before && sameRow(before, row) ? before : row
        next.set(kept.key, kept)
        rows.push(kept)
      }
      let before = from > 0 ? message(ids[from - 1] ?? 0) : undefined
      for (let i = Math.max(from, 0); i < Math.min(to, ids.length); i++) {
        const one = message(ids[i] ?? 0)
        if (!one) continue
        const date = dayOf(one.timestamp)
        const isNewDay = before !== undefined && dayOf(before.timestamp) !== date
        // Where all is one conversation, a bar would only name the day again.
        const isSame = before && (isOne || sameGroup(before, one))
        const isNewGroup = single || !isSame
        const isMarked = one.id === firstUnreadId
        if (isMarked) add({ kind: 'unread-marker', key: 'unread' })
        if (isNewDay) add({ kind: 'day', key: `d${one.id}`, date })
        // A part that begins inside a group needs its bar all the same.
        if (isNewGroup || rows.length === 0 || i === from) {
          add({ kind: 'recipient', key: `r${one.id}`, message: one, date })
        }
        const follows = !isNewGroup && !isNewDay && !isMarked && i > from
        const showsSender = !(follows && before && sameSender(before, one))
        add({ kind: 'message', key: `m${one.id}`, message: one, showsSender })
        before = one
      }
      known = next
      return rows
    },
  }
}

/** Views with messages from different conversations, where each is shown by itself. */
function isScattered({ kind }: Narrow): boolean {
  return kind === 'search' || kind === 'mentions' || kind === 'starred' || kind === 'reactions'
}

function sameGroup(a: Message, b: Message): boolean {
  const sameHistory = a.flags.has('historical') === b.flags.has('historical')
  return sameHistory && sameConversation(a.conversation, b.conversation)
}

function sameSender(before: Message, message: Message): boolean {
  return (
    before.senderId === message.senderId &&
    !before.isMe &&
    !message.isMe &&
    message.timestamp - before.timestamp <= longestPause
  )
}

function sameRow(a: Row, b: Row): boolean {
  if (a.kind === 'message' && b.kind === 'message') {
    return a.message === b.message && a.showsSender === b.showsSender
  }
  if (a.kind === 'recipient' && b.kind === 'recipient') {
    return a.date === b.date && sameBar(a.message, b.message)
  }
  return a.kind === b.kind && (a.kind !== 'day' || (b.kind === 'day' && a.date === b.date))
}

/** A bar only shows the conversation of its message. */
function sameBar(a: Message, b: Message): boolean {
  if (a === b) return true
  const [x, y] = [a.conversation, b.conversation]
  if (x.kind === 'topic' && y.kind === 'topic' && x.topic !== y.topic) return false
  return a.id === b.id && sameConversation(x, y) && a.topicLinks === b.topicLinks
}
