/** An event as the queues that hold it share it. */
export interface Body {
  /** The event as JSON without its opening brace and ID. */
  readonly json: string
  /** The memory that it takes. */
  readonly bytes: number
  /** How many queues hold it. */
  holders: number
  /** Its ID in the database; 0 if it is not stored. */
  row: number
  /** The ID of the newest message when it happened. */
  readonly newestMessage: number
}

const newMessage = /^"type":"message","message":\{"id":(\d+),/

/** The ID of the new message that an event is about; undefined for other events. */
export function messageIn({ json }: Body): number | undefined {
  const [, id] = newMessage.exec(json) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Roughly what a reference to a body takes in a queue, with the event's ID, in bytes. */
export const referenceBytes = 16

const notLatin = /[^\0-\xff]/

/** The body of an event that no queue holds yet. @param newestMessage when it happened */
export function createBody(event: object, newestMessage = 0): Body {
  return bodyOf(JSON.stringify(event).slice(1), newestMessage)
}

/** @param json an event as JSON without its opening brace */
export function bodyOf(json: string, newestMessage: number, row = 0): Body {
  // Strings take a byte per character unless one of them needs two.
  const bytes = json.length * (notLatin.test(json) ? 2 : 1) + referenceBytes
  return { json, bytes, holders: 0, row, newestMessage }
}

/** A list of unread events. */
export interface Unread {
  readonly bodies: Body[]
  /** The events' IDs in this queue, ascending. A crash leaves a gap, and so does a failed write. */
  readonly ids: number[]
}

/** How many events at the start of the list have ids up to `lastEventId`. */
export function acknowledged({ ids }: Unread, lastEventId: number): number {
  return ids.findLastIndex((id) => id <= lastEventId) + 1
}

/** @returns up to where events fit into `most` bytes, but at least one of those after the first */
export function fitting({ bodies }: Unread, first: number, most: number): number {
  let room = most
  for (let i = first; i < bodies.length; i++) {
    room -= bodies[i]?.bytes ?? 0
    if (room < 0 && i > first) return i
  }
  return bodies.length
}

/** What events take, in bytes. @param end the one after the last */
export function bytesOf({ bodies }: Unread, first: number, end: number): number {
  let bytes = 0
  for (let i = first; i < end; i++) bytes += bodies[i]?.bytes ?? 0
  return bytes
}

/** Events as a JSON array. @param end the one after the last */
export function listJson({ bodies, ids }: Unread, first: number, end: number): string {
  let list = ''
  for (let i = first; i < end; i++) {
    list += `${i === first ? '' : ','}{"id":${ids[i]},${bodies[i]?.json}`
  }
  return `[${list}]`
}
