import { positionOf } from '#client/lists/ids.ts'

/**
 * The messages of a list that are in the document, and the scroll position after changes. Pure:
 * rows are ids and numbers of pixels here.
 */

/** The most messages in the document. */
export const maxRows = 250
/** So many are in the document where they reach far enough: each costs a little in every frame. */
export const usualRows = 100
/** So many are drawn first when a list opens. */
export const firstRows = 16
/** So many are added while the browser is idle: drawing more takes longer than a frame. */
export const sliceRows = 10

/** A part of a list: indexes, `to` exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** What is drawn at first: the rows around an anchor, most of them after it. */
export function openRange(count: number, anchorIndex: number, rows = firstRows): Range {
  const wanted = Math.min(rows, count)
  const before = Math.floor(rows / 3)
  const from = Math.max(0, Math.min(anchorIndex - before, count - wanted))
  return { from, to: from + wanted }
}

/**
 * Adds a slice on one side. If there are too many then, the same number is removed on the other
 * side, but never `keep`, the index of the row being read.
 */
export function growRange(
  range: Range,
  count: number,
  side: 'before' | 'after',
  keep: number,
  rows = sliceRows,
  most = maxRows,
): Range {
  if (side === 'before') {
    const from = Math.max(0, range.from - rows, keep - most + 1)
    return { from, to: Math.min(range.to, from + most) }
  }
  const to = Math.min(count, range.to + rows, keep + most)
  return { from: Math.max(range.from, to - most), to }
}

/** The next slice to draw while idle: on the side with fewer rows around the one that is read. */
export function idleRange(
  range: Range,
  count: number,
  reading: number,
  most = maxRows,
): Range | undefined {
  if (range.to - range.from >= most) return undefined
  const canBefore = range.from > 0
  const canAfter = range.to < count
  if (!canBefore && !canAfter) return undefined
  const room = Math.min(sliceRows, most - (range.to - range.from))
  const wantsBefore = reading - range.from < range.to - reading
  const side = canBefore && (wantsBefore || !canAfter) ? 'before' : 'after'
  return growRange(range, count, side, reading, room)
}

/**
 * The same part of a list after ids came or went: from its first id that is still there to its
 * last. New IDs at the end of the list belong to it if `followsEnd` (new messages), or if the list
 * was drawn completely.
 */
export function carryRange(
  range: Range,
  before: readonly number[],
  after: readonly number[],
  followsEnd: boolean,
): Range {
  const first = before[range.from]
  const last = before[range.to - 1]
  if (first === undefined || last === undefined) {
    return openRange(after.length, after.length - 1)
  }
  const from = positionOf(after, first)
  const wasAtEnd = range.to === before.length
  const to = wasAtEnd && followsEnd ? after.length : positionOf(after, last + 1)
  return { from: Math.max(from, to - maxRows), to }
}

/** A row in sight, by the distance of its top edge from the top of the scroller, in pixels. */
export interface SeenRow {
  readonly id: number
  readonly top: number
}

/** The position of a list before it changed. */
export interface ScrollAnchor {
  /** Rows in sight, the one to hold first. The next ones serve if it goes. */
  readonly rows: readonly SeenRow[]
  /** Whether the end of the list was in sight, so that new messages are followed. */
  readonly isAtEnd: boolean
}

/**
 * The rows to hold, from those in sight: first the uppermost one with a visible top edge, so that
 * growth above it does not move the rows being read.
 *
 * @param rows from top to bottom
 * @param inset the height of the cover at the top of the scroller, in pixels
 */
export function rowsToHold(rows: readonly SeenRow[], inset: number): SeenRow[] {
  const shown = rows.filter((row) => row.top >= inset)
  const above = rows.filter((row) => row.top < inset)
  return [...shown, ...above.reverse()]
}

/**
 * The number of pixels to scroll so that the held row is where it was; 0 if none is left.
 *
 * @param scrolled how far the user has scrolled since, which is kept
 */
export function drift(
  place: ScrollAnchor,
  topOf: (id: number) => number | undefined,
  scrolled = 0,
): number {
  for (const row of place.rows) {
    const top = topOf(row.id)
    if (top !== undefined) return top - row.top + scrolled
  }
  return 0
}

/**
 * How far new messages are followed: to the end, but not beyond the first unread message, which must
 * not leave the top unseen.
 *
 * @param maxScroll the scroll position of the end
 * @param firstUnreadScroll the one at which the first unread message touches the top, if there is one
 */
export function followTo(maxScroll: number, firstUnreadScroll: number | undefined): number {
  return firstUnreadScroll === undefined
    ? maxScroll
    : Math.min(maxScroll, Math.max(0, firstUnreadScroll))
}
