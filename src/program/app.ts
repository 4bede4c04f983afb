import type { SystemContext } from '#platform/context.ts'
import { mountHealth } from '#platform/health/pages.ts'
import { type App, createHttpApp } from '#platform/http/mount.ts'
import { mountMetrics } from '#platform/metrics/pages.ts'
import { mountApiDescription } from '#platform/openapi/page/pages.ts'
import { features, listEndpoints, metrics } from './features.ts'

/**
 * Creates the Hono app with all endpoints and pages.
 *
 * @param current the server, whose parts a reset replaces
 * @param alwaysOpen adds routes that are also served for a deactivated organization
 */
export function createApp(
  current: () => SystemContext,
  alwaysOpen: (app: App) => void = () => {},
): App {
  const endpoints = listEndpoints()
  return createHttpApp(current, {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    openPages(app, server) {
      alwaysOpen(app)
      mountApiDescription(app, endpoints, server)
      for (const { openPages = [] } of features) for (const mount of openPages) mount(app, server)
      mountHealth(app, server)
      mountMetrics(app, server, metrics())
    },
    pages(app, whileActive) {
      for (const { pages = [] } of features) for (const mount of pages) mount(app, whileActive)
    },
  })
}
