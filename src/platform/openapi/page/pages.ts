import type { App } from '#platform/http/mount.ts'
import { apiDocument, documentPath } from '#platform/openapi/document.ts'
import type { ListedEndpoint } from '#platform/openapi/paths.ts'
import { pageHeaders } from '#platform/pages/html.ts'
import { style } from './style.ts'
import { apiPage } from './views.ts'

/**
 * Serves the API description as an OpenAPI document and as a page. Neither needs a login; both are
 * made on first request.
 */
export function mountApiDescription(app: App, listed: readonly ListedEndpoint[]): void {
  let json: string | undefined
  let page: Promise<string> | undefined
  app.get(`/api/v1${documentPath}`, (c) => {
    json ??= JSON.stringify(apiDocument(listed))
    c.header('Access-Control-Allow-Origin', '*')
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })
  app.get('/api', (c) => c.redirect('/api/'))
  app.get('/api/', async (c) => {
    page ??= apiPage(apiDocument(listed))
    return c.body(await page, 200, pageHeaders(style))
  })
}
