/** A topic with new messages. */
export interface BusyTopic {
  readonly recipientId: number
  readonly topicKey: string
  readonly messages: number
  /** How many people wrote the messages. */
  readonly senders: number
  /** The first of the messages. */
  readonly firstId: number
}

const mostTopics = 4
/** How many of them are chosen by the number of people who wrote. */
const mostDiverse = 2

/**
 * The topics for a digest: two in which the most people wrote, then those with the most messages.
 */
export function chooseTopics<T extends BusyTopic>(topics: readonly T[]): T[] {
  const diverse = [...topics]
    .sort((a, b) => b.senders - a.senders || b.messages - a.messages)
    .slice(0, mostDiverse)
  const others = topics
    .filter((topic) => !diverse.includes(topic))
    .sort((a, b) => b.messages - a.messages)
  return [...diverse, ...others].slice(0, mostTopics)
}

const day = 24 * 3600
/** When digests are made, in seconds of the day in UTC. */
const timeOfDay = 9 * 3600

/**
 * When the next digest is to be made, in seconds since the epoch. On the day itself, this may be in
 * the past.
 *
 * @param weekday 0 is Monday
 * @param last when the last one was begun; 0: there was none
 */
export function nextDigest(now: number, weekday: number, last: number): number {
  const today = now - (now % day)
  const slots = Array.from({ length: 15 }, (_, days) => today + days * day + timeOfDay)
  const next = slots.find((slot) => slot > last && weekdayOf(slot) === weekday)
  return next ?? today + 15 * day
}

/** The epoch began on a Thursday. */
const weekdayOf = (time: number) => (Math.floor(time / day) + 3) % 7
