import { inline } from './format.ts'
import { chosen, signs } from './signs.ts'

/** The signs of results and states of builds, one vocabulary for all services. */
const results: Readonly<Record<string, string>> = {
  success: signs.good,
  successful: signs.good,
  succeeded: signs.good,
  passed: signs.good,
  fixed: signs.good,
  ready: signs.good,
  failure: signs.bad,
  failed: signs.bad,
  error: signs.bad,
  broken: signs.bad,
  errored: signs.bad,
  exception: signs.bad,
  timed_out: signs.bad,
  still_failing: signs.bad,
  unauthorized: signs.bad,
  pending: signs.pending,
  running: signs.pending,
  building: signs.pending,
  started: signs.pending,
  queued: signs.pending,
  in_progress: signs.pending,
  retry: signs.pending,
}

/** The result of a build in words, with its sign. */
export function buildResult(result: string): string {
  const sign = chosen(results, result.toLowerCase().replaceAll(' ', '_')) ?? signs.info
  return `${inline(result.replaceAll('_', ' '), 60)} ${sign}`
}
