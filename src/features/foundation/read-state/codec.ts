import { each, type Ranges } from '#platform/ranges.ts'

/**
 * The stored form of a set of ids: varints of 7 bits per byte, low bits first. The newest range
 * comes first, as its end and its length; each older range follows as the length of the gap above
 * it and its own length. Newest first, so that a new message changes only the first two numbers.
 */
export function encode(ranges: Ranges): Uint8Array {
  const bytes: number[] = []
  let above: number | undefined
  for (const [from, to] of [...each(ranges)].reverse()) {
    pushNumber(bytes, above === undefined ? to : above - to)
    pushNumber(bytes, to - from)
    above = from
  }
  return Uint8Array.from(bytes)
}

/** @throws Error the bytes are not the output of `encode`: the database is damaged */
export function decode(bytes: Uint8Array): Ranges {
  const bounds: number[] = []
  const cursor = { bytes, at: 0 }
  let above: number | undefined
  while (cursor.at < bytes.length) {
    const number = takeNumber(cursor)
    const to = above === undefined ? number : above - number
    const from = to - takeNumber(cursor)
    if (from < 0 || from >= to || to === above) throw corrupt()
    bounds.push(to, from)
    above = from
  }
  return bounds.reverse()
}

/** Whether an id is in the set; decodes only down to that id. @throws Error like `decode` */
export function includes(bytes: Uint8Array, id: number): boolean {
  const cursor = { bytes, at: 0 }
  let above: number | undefined
  while (cursor.at < bytes.length) {
    const number = takeNumber(cursor)
    const to = above === undefined ? number : above - number
    if (id >= to) return false
    above = to - takeNumber(cursor)
    if (id >= above) return true
  }
  return false
}

/** The newest range of a set; its first bytes are enough. Undefined for the empty set. */
export function newestRange(bytes: Uint8Array): { from: number; to: number } | undefined {
  if (bytes.length === 0) return undefined
  const cursor = { bytes, at: 0 }
  const to = takeNumber(cursor)
  return { from: to - takeNumber(cursor), to }
}

/** The most bytes of a newest range: two numbers. */
export const newestRangeBytes = 16

/**
 * Adds an id that is newer than all others, without decoding those.
 *
 * @param previous the recipient's message before it; if the set contains that or it is undefined,
 * the newest range is extended up to `id`
 */
export function appendId(bytes: Uint8Array, id: number, previous: number | undefined): Uint8Array {
  const head: number[] = []
  if (bytes.length === 0) {
    pushNumber(head, id + 1)
    pushNumber(head, previous === undefined ? id + 1 : 1)
    return Uint8Array.from(head)
  }
  const cursor = { bytes, at: 0 }
  const end = takeNumber(cursor)
  const afterEnd = cursor.at
  if (id < end) return bytes
  pushNumber(head, id + 1)
  if (id === end || previous === undefined || previous < end) {
    pushNumber(head, takeNumber(cursor) + id + 1 - end)
    return joined(head, bytes.subarray(cursor.at))
  }
  pushNumber(head, 1)
  pushNumber(head, id - end)
  return joined(head, bytes.subarray(afterEnd))
}

/**
 * Takes the stored form apart behind its newest range. The two parts joined are the set again, and
 * so they are with ranges that were added to the newest one.
 */
export function splitNewest(bytes: Uint8Array): { newest: Uint8Array; older: Uint8Array } {
  const cursor = { bytes, at: 0 }
  if (bytes.length > 0) {
    takeNumber(cursor)
    takeNumber(cursor)
  }
  return { newest: bytes.subarray(0, cursor.at), older: bytes.subarray(cursor.at) }
}

function joined(head: number[], tail: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number
  // No bit shifts: ids may need more than 32 bits.
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

function takeNumber(cursor: { readonly bytes: Uint8Array; at: number }): number {
  let number = 0
  let scale = 1
  for (;;) {
    const byte = cursor.bytes[cursor.at++]
    if (byte === undefined) throw corrupt()
    number += (byte % 128) * scale
    if (number > Number.MAX_SAFE_INTEGER) throw corrupt()
    if (byte < 128) {
      if (byte === 0 && scale > 1) throw corrupt()
      return number
    }
    scale *= 128
    if (scale > Number.MAX_SAFE_INTEGER) throw corrupt()
  }
}

function corrupt(): Error {
  return new Error('A stored read state is damaged.')
}
