import { answerText } from '#platform/http/compression.ts'
import type { App } from '#platform/http/mount.ts'
import { apiDocument, documentPath } from '#platform/openapi/document.ts'
import type { ListedEndpoint } from '#platform/openapi/paths.ts'
import { pageHeaders } from '#platform/pages/html.ts'
import { SharedText } from '#platform/shared-json.ts'
import { style } from './style.ts'
import { apiPage } from './views.ts'

/**
 * Serves the API description as an OpenAPI document and as a page. Neither needs a login; both are
 * made on first request.
 */
export function mountApiDescription(app: App, listed: readonly ListedEndpoint[]): void {
  let json: SharedText | undefined
  let page: Promise<SharedText> | undefined
  app.get(`/api/v1${documentPath}`, (c) => {
    json ??= new SharedText(JSON.stringify(apiDocument(listed)))
    c.header('Access-Control-Allow-Origin', '*')
    return answerText(c, json, { 'Content-Type': 'application/json' })
  })
  app.get('/api', (c) => c.redirect('/api/'))
  app.get('/api/', async (c) => {
    page ??= apiPage(apiDocument(listed)).then((text) => new SharedText(text))
    return answerText(c, await page, pageHeaders(style))
  })
}
