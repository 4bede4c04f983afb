import type { SystemContext } from '#platform/context.ts'
import { mayInspect } from '#platform/http/inspection.ts'
import { lightJson } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { newerRelease } from './newer-release.ts'
import { healthResults } from './results.ts'

/** Serves `/health`: 200 or 503, and what is wrong to clients that may inspect the server. */
export function mountHealth(app: App, server: SystemContext): void {
  app.get('/health', (c) => {
    const checks = healthResults(server)
    const ok = checks.every((result) => result.ok)
    const newer = newerRelease(server.store)
    const release = newer ? { newer_release: newer } : {}
    const details = mayInspect(server, c) ? { checks, ...release } : {}
    const reply = ok
      ? { result: 'success', msg: '', status: 'ok' }
      : { result: 'error', msg: 'Something is wrong with the server.', status: 'failing' }
    return lightJson({ ...reply, ...details }, ok ? 200 : 503)
  })
}
