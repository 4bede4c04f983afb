import { html } from 'hono/html'
import type { ApiError } from '#platform/errors.ts'
import { page } from '#platform/pages/html.ts'
import { problemText } from '#platform/pages/page-language.ts'
import { type Text, type Translator, text, texts } from '#translations/translate.ts'
import type { HeaderPairs } from './reply.ts'

/**
 * Whether a browser that goes to an address shows the answer to a person, unlike that to an API
 * call, or a picture or script in a page.
 */
export function isVisit(method: string, path: string, accept: string | undefined): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && accept?.includes('text/html') === true && !/^\/(api|json)\//.test(path)
}

/** The explanation of an error for people, by its status. */
const statusTexts: Readonly<Record<number, readonly [title: Text, text: Text]>> = texts({
  401: ['Log in to see this', 'This page is for members of the organization.'],
  403: [
    'You do not have access to this',
    'Ask someone who has access to show it to you, or an administrator to give you access.',
  ],
  404: ['Page not found', 'The address is wrong, or what was here is gone.'],
  429: ['Too many requests', 'Wait a moment, and try again.'],
  503: ['The server is busy', 'Wait a moment, and try again.'],
})

/** The page for an error, with the way back. @param headers such as `Retry-After` */
export async function errorPage(
  language: Translator,
  error: ApiError,
  headers: Readonly<HeaderPairs>,
): Promise<Response> {
  const { status, sentence } = error
  const { t } = language
  const known = statusTexts[status]
  const title = t(known ? known[0] : text('Something went wrong'))
  const back =
    status === 401 ? (['/login/', t('Log in')] as const) : (['/', t('Back to the chat')] as const)
  const main = html`<h1>${title}</h1>
    <p>${known ? t(known[1]) : problemText(language, sentence)}</p>
    <a class="button" href="${back[0]}">${back[1]}</a>`
  const reply = await page(language, title, main, status)
  for (const [name, value] of headers) reply.headers.set(name, value)
  return reply
}
