import type { Logger } from 'pino'
import type { CommitTimes } from '#platform/store/commits.ts'

/**
 * A commit that takes this long is logged as slow, in milliseconds, because everyone waits for it.
 */
const slowMs = 250

export function logSlowCommit(log: Logger, { writes, ...times }: CommitTimes): void {
  if (times.ms >= slowMs) log.warn({ writes, ...rounded(times) }, 'slow commit')
}

/** Times for the log. */
export function rounded(times: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Math.round(ms)]))
}
