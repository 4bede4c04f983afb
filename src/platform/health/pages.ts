import type { Context } from '#platform/context.ts'
import { mayInspect } from '#platform/http/inspection.ts'
import type { App } from '#platform/http/mount.ts'
import { type HealthCheck, runChecks } from './check.ts'

/** How long the result of the checks is used again, in milliseconds, so that asking costs little. */
const keptMs = 1000

/** Serves `/health`: 200 or 503; what is wrong, only to those who may inspect the server. */
export function mountHealth(app: App, server: Context, checks: readonly HealthCheck[]): void {
  let kept = { at: Number.NEGATIVE_INFINITY, results: runChecks(server, []) }
  app.get('/health', (c) => {
    const now = server.clock.elapsed()
    if (now - kept.at >= keptMs) kept = { at: now, results: runChecks(server, checks) }
    const ok = kept.results.every((result) => result.ok)
    const details = mayInspect(server, c) ? { checks: kept.results } : {}
    const reply = ok
      ? { result: 'success', msg: '', status: 'ok' }
      : { result: 'error', msg: 'Something is wrong with the server.', status: 'failing' }
    return c.json({ ...reply, ...details }, ok ? 200 : 503)
  })
}
