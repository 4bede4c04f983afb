/** An event as the queues that hold it share it. */
export interface Body {
  /** The event as JSON without its opening brace and ID. */
  readonly json: string
  /** The memory that it takes. */
  readonly bytes: number
  /** How many queues hold it. */
  holders: number
}

/** Roughly what a reference to a body takes in a queue, in bytes. */
export const referenceBytes = 16

const notLatin = /[^\0-\xff]/

/** The body of an event that no queue holds yet. */
export function createBody(event: object): Body {
  return bodyOf(JSON.stringify(event).slice(1))
}

/** @param json an event as JSON without its opening brace */
export function bodyOf(json: string): Body {
  // Strings take a byte per character unless one of them needs two.
  return { json, bytes: json.length * (notLatin.test(json) ? 2 : 1) + referenceBytes, holders: 0 }
}

/** A list of unread events in the order of their IDs, which have no gaps. */
export interface Unread {
  readonly bodies: Body[]
  /** The ID of the newest event so far, even if it is no longer in the list. */
  readonly lastEventId: number
}

/** How many events at the start of the list have ids up to `lastEventId`. */
export function acknowledged({ bodies, lastEventId: newest }: Unread, lastEventId: number): number {
  return Math.max(0, Math.min(bodies.length, bodies.length - newest + lastEventId))
}

/** The oldest events as a JSON array: as many as fit into `most` bytes, but at least one. */
export function listJson({ bodies, lastEventId }: Unread, most: number): string {
  const first = lastEventId - bodies.length + 1
  const list: string[] = []
  let room = most
  for (const { json, bytes } of bodies) {
    room -= bytes
    if (room < 0 && list.length > 0) break
    list.push(`{"id":${first + list.length},${json}`)
  }
  return `[${list.join(',')}]`
}
