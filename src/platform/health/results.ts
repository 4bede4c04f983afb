import type { SystemContext } from '#platform/context.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { type CheckResult, type HealthCheck, runChecks } from './check.ts'

/** How long the result of the checks is used again, in milliseconds, so that asking costs little. */
const keptMs = 1000

const known = perDatabase(() => ({
  checks: [] as readonly HealthCheck[],
  at: Number.NEGATIVE_INFINITY,
  results: [] as readonly CheckResult[],
}))

/** Says what is checked, once at the start. */
export function setHealthChecks({ store }: SystemContext, checks: readonly HealthCheck[]): void {
  Object.assign(known(store), { checks, at: Number.NEGATIVE_INFINITY })
}

/** What the checks found, at most a second ago. */
export function healthResults(server: SystemContext): readonly CheckResult[] {
  const kept = known(server.store)
  const now = server.clock.elapsed()
  if (now - kept.at >= keptMs) {
    kept.at = now
    kept.results = runChecks(server, kept.checks)
  }
  return kept.results
}
