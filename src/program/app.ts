import type { Context } from '#platform/context.ts'
import { mountHealth } from '#platform/health/pages.ts'
import { type App, createHttpApp } from '#platform/http/mount.ts'
import { mountApiDescription } from '#platform/openapi/page/pages.ts'
import { features, healthChecks, listEndpoints } from './features.ts'

/**
 * Creates the Hono app with all endpoints and pages.
 *
 * @param alwaysOpen adds routes that are also served for a deactivated organization
 */
export function createApp(server: Context, alwaysOpen: (app: App) => void = () => {}): App {
  const endpoints = listEndpoints()
  return createHttpApp(server, {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    openPages(app) {
      alwaysOpen(app)
      mountApiDescription(app, endpoints)
      for (const { openPages = [] } of features) for (const mount of openPages) mount(app, server)
      mountHealth(app, server, healthChecks())
    },
    pages(app, whileActive) {
      for (const { pages = [] } of features) for (const mount of pages) mount(app, whileActive)
    },
  })
}
