import { replyText } from '#platform/http/compression.ts'
import { redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { apiDocument, documentPath } from '#platform/openapi/document.ts'
import type { ListedEndpoint } from '#platform/openapi/paths.ts'
import { pageHeaders } from '#platform/pages/html.ts'
import { type LanguageSources, pageLanguage } from '#platform/pages/page-language.ts'
import { SharedText } from '#platform/shared-replies/bytes.ts'
import type { Translator } from '#translations/translate.ts'
import { style } from './style.ts'
import { apiPage } from './views.ts'

/**
 * Serves the API description as an OpenAPI document and as a page. Neither needs a login; both are
 * made on first request, the page for each language.
 */
export function mountApiDescription(
  app: App,
  listed: readonly ListedEndpoint[],
  server: LanguageSources,
): void {
  let json: SharedText | undefined
  const pages = new WeakMap<Translator, Promise<SharedText>>()
  app.get(`/api/v1${documentPath}`, (c) => {
    json ??= new SharedText(JSON.stringify(apiDocument(listed)))
    return replyText(c, json, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
    })
  })
  app.get('/api', () => redirect('/api/'))
  app.get('/api/', async (c) => {
    const language = pageLanguage(c, server)
    const page =
      pages.get(language) ??
      apiPage(apiDocument(listed), language).then((text) => new SharedText(text))
    pages.set(language, page)
    return replyText(c, await page, pageHeaders(style))
  })
}
