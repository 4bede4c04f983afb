import { html } from 'hono/html'
import { headedPage } from '#platform/pages/html.ts'
import type { Translator } from '#translations/translate.ts'

/** The page in a separate window for someone who has connected their account with Zoom. */
export async function connectedPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Connected with Zoom'),
    html`<p>${t('You can close this window now.')}</p>`,
  )
}
