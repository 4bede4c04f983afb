import { html } from 'hono/html'
import { page } from '#platform/pages/html.ts'
import type { Translator } from '#translations/translate.ts'

/** The page in a separate window for someone who has connected their account with Zoom. */
export async function connectedPage(language: Translator): Promise<Response> {
  const { t } = language
  const title = t('Connected with Zoom')
  return await page(
    language,
    title,
    html`<h1>${title}</h1>
<p>${t('You can close this window now.')}</p>`,
  )
}
