import type { Clock } from '#platform/clock.ts'

/** What each subject may spend: at most `tokens` in one burst, refilled evenly over `seconds`. */
export interface Budget {
  readonly tokens: number
  readonly seconds: number
}

/** A token bucket for each subject. */
export interface Buckets {
  /** How many subjects are remembered. */
  readonly size: number
  /** How many tokens a subject has; below zero if it owes some. */
  left(subject: string): number
  /** The seconds until a subject has a token; 0 if it has one. */
  wait(subject: string): number
  /**
   * Takes tokens, even if there are not enough: a subject can owe at most as many as it can have.
   */
  take(subject: string, tokens: number): void
  /** Gives back tokens that were taken. */
  giveBack(subject: string, tokens: number): void
}

/** How many subjects are remembered at most: about 4 MB. */
export const mostSubjects = 20_000

/**
 * Creates buckets in memory, in two generations. A bucket moves to the young generation when it is
 * used. From time to time, and when there are too many, the old generation is dropped and the young
 * one becomes old. So nothing has to search for buckets to forget. Time only drops full buckets;
 * the maximum number drops those that were not used for longest.
 *
 * @param most how many subjects to remember
 */
export function createBuckets(
  { tokens: most, seconds }: Budget,
  clock: Clock,
  subjects = mostSubjects,
): Buckets {
  const perMs = most / (seconds * 1000)
  /** The time after which a bucket that owes the most is full again, in milliseconds. */
  const lifespan = 2 * seconds * 1000
  let young = new Map<string, { left: number; at: number }>()
  let old: typeof young = new Map()
  let turnedAt = clock.elapsed()

  function turn(now: number): void {
    old = young
    young = new Map()
    turnedAt = now
  }

  /** The bucket as it is now; undefined: it is full. */
  function find(subject: string, now: number) {
    if (now - turnedAt > lifespan) turn(now)
    let bucket = young.get(subject)
    if (!bucket) {
      bucket = old.get(subject)
      if (!bucket) return undefined
      old.delete(subject)
      add(subject, bucket, now)
    }
    bucket.left = Math.min(most, bucket.left + (now - bucket.at) * perMs)
    bucket.at = now
    return bucket
  }

  function add(subject: string, bucket: { left: number; at: number }, now: number): void {
    if (young.size >= subjects / 2) turn(now)
    young.set(subject, bucket)
  }

  function change(subject: string, tokens: number): void {
    const now = clock.elapsed()
    const bucket = find(subject, now)
    const left = Math.max(-most, Math.min(most, (bucket?.left ?? most) + tokens))
    if (bucket) bucket.left = left
    else add(subject, { left, at: now }, now)
  }

  const left = (subject: string) => find(subject, clock.elapsed())?.left ?? most

  return {
    get size() {
      return young.size + old.size
    },
    left,
    wait: (subject) => Math.max(0, 1 - left(subject)) / perMs / 1000,
    take: (subject, tokens) => change(subject, -tokens),
    giveBack: (subject, tokens) => change(subject, tokens),
  }
}
