import { messageSizes } from '#features/messaging/messages/sizes.queries.ts'
import type { Window } from '#features/messaging/narrow/window.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Steps } from '#platform/steps.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/**
 * The most that the messages of a reply may hold, in bytes of their contents, edits, votes and reactions.
 * A message of 10 KB can be 240 KB of HTML, and a poll can have 1 MB of votes.
 */
export const mostBytes = 4 * 1024 * 1024

/**
 * The part of a message beyond this counts more: because readers of a channel pay for what other
 * people wrote.
 */
export const usualBytes = 4 * 1024
export const unusualFactor = 16

/** By message ID, in bytes as `mostBytes` means them. */
export type MessageSizes = ReadonlyMap<number, number>

/**
 * Removes the messages furthest from the anchor that do not fit into one reply. At least one on
 * each side stays, so that clients make progress.
 */
export function* fitWindow(
  read: Read,
  window: Window,
): Steps<Window & { readonly sizes: MessageSizes }> {
  const { ids, anchor } = window
  const bytes = yield* messageSizes(read, ids)
  const size = (at: number) => counted(bytes.get(ids[at] ?? 0) ?? 0)
  const at = ids.findIndex((id) => id >= anchor)
  const middle = at < 0 ? ids.length : at
  let [from, to] = [middle, middle]
  let [older, newer] = [0, 0]
  let sides = { older: from > 0, newer: to < ids.length }
  while (sides.older || sides.newer) {
    // The side that has less so far, which begins with the anchor itself.
    const isNewer = sides.newer && (!sides.older || newer <= older)
    const next = size(isNewer ? to : from - 1)
    const isFirst = isNewer ? to === middle : from === middle
    const hasRoom = isFirst || older + newer + next <= mostBytes
    if (hasRoom && isNewer) [to, newer] = [to + 1, newer + next]
    else if (hasRoom) [from, older] = [from - 1, older + next]
    sides = isNewer
      ? { ...sides, newer: hasRoom && to < ids.length }
      : { ...sides, older: hasRoom && from > 0 }
  }
  return {
    ...window,
    sizes: bytes,
    ids: ids.slice(from, to),
    foundOldest: window.foundOldest && from === 0,
    foundNewest: window.foundNewest && to === ids.length,
  }
}

/** @throws BAD_REQUEST the messages are too long for one reply */
export function* requireFit(read: Read, ids: readonly number[]): Steps<MessageSizes> {
  let sum = 0
  const sizes = yield* messageSizes(read, ids)
  for (const bytes of sizes.values()) sum += bytes
  if (sum <= mostBytes) return sizes
  throw badRequest(
    sentSentence('The messages are too long for one reply (limit: {count} bytes): ask for fewer.', {
      count: mostBytes,
    }),
  )
}

/** As `mostBytes` of a page counts them. */
function counted(bytes: number): number {
  return bytes + (unusualFactor - 1) * Math.max(0, bytes - usualBytes)
}
