import type { Context } from '#platform/context.ts'
import type { HealthCheck } from '#platform/health/check.ts'
import { mountHealth } from '#platform/health/pages.ts'
import { setHealthChecks } from '#platform/health/results.ts'
import { type App, createHttpApp } from '#platform/http/mount.ts'
import { mountMetrics } from '#platform/metrics/pages.ts'
import { mountApiDescription } from '#platform/openapi/page/pages.ts'
import { features, healthChecks, listEndpoints, metrics } from './features.ts'

/**
 * Creates the Hono app with all endpoints and pages.
 *
 * @param alwaysOpen adds routes that are also served for a deactivated organization
 * @param health what can be wrong with where it listens
 */
export function createApp(
  server: Context,
  alwaysOpen: (app: App) => void = () => {},
  health: readonly HealthCheck[] = [],
): App {
  const endpoints = listEndpoints()
  return createHttpApp(server, {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    openPages(app) {
      alwaysOpen(app)
      mountApiDescription(app, endpoints)
      for (const { openPages = [] } of features) for (const mount of openPages) mount(app, server)
      setHealthChecks(server, [...healthChecks(), ...health])
      mountHealth(app, server)
      mountMetrics(app, server, metrics())
    },
    pages(app, whileActive) {
      for (const { pages = [] } of features) for (const mount of pages) mount(app, whileActive)
    },
  })
}
