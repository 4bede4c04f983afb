import type { App } from '#http/mount.ts'
import { apiDocument, documentPath } from '#openapi/document.ts'
import type { ListedEndpoint } from '#openapi/paths.ts'
import { pageHeaders } from '#web/html.ts'
import { style } from './style.ts'
import { apiPage } from './views.ts'

/**
 * The server's own API description, for programs and for people. Neither needs an account; both
 * are made when they are first asked for.
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
