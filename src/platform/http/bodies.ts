import { ApiError } from '#platform/errors.ts'
import { createTally } from '#platform/fairness/tally.ts'
import { sentSentence } from '#translations/translate.ts'

const mib = 1024 * 1024

/** The most bytes of bodies that the server holds until they are decoded. */
export const bodyLimits = { perClient: 32 * mib, total: 128 * mib } as const

/** Shorter bodies are not counted: the system holds as much for a connection. */
const leastBytes = 16 * 1024

/** Counts the bodies that arrive, or wait to be worked on, before any of it is in memory. */
export interface Bodies {
  /**
   * Makes room for a body. An account or network without any body may always send one.
   *
   * @param client whose body it is
   * @returns gives the room back
   * @throws RATE_LIMIT_HIT
   */
  hold(client: string, bytes: number): () => void
}

export function createBodies(limits: typeof bodyLimits = bodyLimits): Bodies {
  const held = createTally()

  return {
    hold(client, bytes) {
      if (bytes < leastBytes) return () => {}
      const own = held.of(client)
      if (own > 0 && (own + bytes > limits.perClient || held.total + bytes > limits.total)) {
        throw new ApiError('RATE_LIMIT_HIT', sentSentence('Too many large requests at a time'), {
          'retry-after': 1,
        })
      }
      return held.hold(client, bytes)
    },
  }
}
