import type { Clock } from '#platform/clock.ts'
import { mostSubjects } from './buckets.ts'

/** A code of a second factor that is being compared. It counts as wrong until it turns out right. */
export interface CodeGuess {
  right(): void
  /**
   * Whether a pause begins if this code is wrong. The owner of the account should then be notified.
   */
  readonly isLast: boolean
}

/**
 * How many wrong codes there may be in a row, and for how long codes are refused then: each pause
 * is twice as long as the one before, up to the longest.
 */
export const codeBudget = {
  tokens: 20,
  pauseSeconds: 3600,
  longestPauseSeconds: 30 * 24 * 3600,
} as const

interface Tries {
  readonly wrong: number
  readonly pauses: number
  /** In milliseconds, as `Clock.elapsed`. */
  readonly pausedUntil: number
}

/**
 * Counts the wrong codes of each subject. Someone who enters codes already has the password, and
 * there are only a million codes, so the pauses grow with each failure. A right code resets them.
 *
 * @param refuse makes the error for a client that has to wait this many seconds
 * @returns a function that counts a code before it is compared; it throws the error that `refuse`
 *   makes
 */
export function createCodeGuesses(
  clock: Clock,
  refuse: (seconds: number) => Error,
): (subject: string) => CodeGuess {
  const all = new Map<string, Tries>()

  /** The subjects that were not used for longest are forgotten. */
  function keep(subject: string, tries: Tries): void {
    all.delete(subject)
    all.set(subject, tries)
    const [oldest] = all.keys()
    if (all.size > mostSubjects && oldest !== undefined) all.delete(oldest)
  }

  return (subject) => {
    const now = clock.elapsed()
    const { wrong, pauses, pausedUntil } = all.get(subject) ?? fresh
    if (pausedUntil > now) throw refuse((pausedUntil - now) / 1000)
    const isLast = wrong + 1 >= codeBudget.tokens
    keep(subject, {
      wrong: isLast ? 0 : wrong + 1,
      pauses: isLast ? pauses + 1 : pauses,
      pausedUntil: isLast ? now + pauseSeconds(pauses) * 1000 : pausedUntil,
    })
    return { isLast, right: () => all.delete(subject) }
  }
}

const fresh: Tries = { wrong: 0, pauses: 0, pausedUntil: 0 }

function pauseSeconds(pausesBefore: number): number {
  const { pauseSeconds: first, longestPauseSeconds } = codeBudget
  return Math.min(first * 2 ** pausesBefore, longestPauseSeconds)
}
