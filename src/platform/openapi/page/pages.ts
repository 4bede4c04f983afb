import { replyText } from '#platform/http/compression.ts'
import { redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { documentPath, type ListedEndpoint } from '#platform/openapi/paths.ts'
import { pageHeaders } from '#platform/pages/html.ts'
import { type LanguageSources, pageLanguage } from '#platform/pages/page-language.ts'
import { SharedText } from '#platform/shared-replies/bytes.ts'
import type { Translator } from '#translations/translate.ts'
import { style } from './style.ts'

/**
 * Serves the API description as an OpenAPI document and as a page. Neither needs a login; both are
 * made on first request, with code that is loaded then, the page for each language.
 */
export function mountApiDescription(
  app: App,
  listed: readonly ListedEndpoint[],
  server: LanguageSources,
): void {
  let json: Promise<SharedText> | undefined
  const pages = new WeakMap<Translator, Promise<SharedText>>()
  app.get(`/api/v1${documentPath}`, async (c) => {
    json ??= makeDocument(listed)
    return replyText(c, await json, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
    })
  })
  app.get('/api', () => redirect('/api/'))
  app.get('/api/', async (c) => {
    const language = pageLanguage(c, server)
    const page = pages.get(language) ?? makePage(listed, language)
    pages.set(language, page)
    return replyText(c, await page, pageHeaders(style))
  })
}

async function makeDocument(listed: readonly ListedEndpoint[]): Promise<SharedText> {
  const { apiDocument } = await import('#platform/openapi/document.ts')
  return new SharedText(JSON.stringify(apiDocument(listed)))
}

async function makePage(
  listed: readonly ListedEndpoint[],
  language: Translator,
): Promise<SharedText> {
  const { apiDocument } = await import('#platform/openapi/document.ts')
  const { apiPage } = await import('./views.ts')
  return new SharedText(await apiPage(apiDocument(listed), language))
}
