import { html } from 'hono/html'
import type { ApiError } from '#platform/errors.ts'
import { page } from '#platform/pages/html.ts'
import type { HeaderPairs } from './reply.ts'

/**
 * Whether an answer is shown to a person by a browser that goes to an address: not a call, not a
 * picture or script of a page.
 */
export function isVisit(method: string, path: string, accept: string | undefined): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && accept?.includes('text/html') === true && !/^\/(api|json)\//.test(path)
}

/** What people read about an error, by its status. */
const texts: Readonly<Record<number, readonly [title: string, text: string]>> = {
  401: ['Log in to see this', 'This page is for members of the organization.'],
  403: ['You may not see this', 'Somebody who may can show it to you, or give you the right.'],
  404: ['There is nothing here', 'The address is wrong, or what was here is gone.'],
  429: ['Too many requests', 'Wait a moment, and try again.'],
  503: ['The server is busy', 'Wait a moment, and try again.'],
}

/** The page for an error, with the way back. @param headers such as `Retry-After` */
export async function errorPage(
  error: ApiError,
  headers: Readonly<HeaderPairs>,
): Promise<Response> {
  const { status, message } = error
  const [title, text] = texts[status] ?? ['Something went wrong', message]
  const back =
    status === 401 ? (['/login/', 'Log in'] as const) : (['/', 'Back to the chat'] as const)
  const main = html`<h1>${title}</h1>
    <p>${text}</p>
    <a class="button" href="${back[0]}">${back[1]}</a>`
  const answer = await page(title, main, status)
  for (const [name, value] of headers) answer.headers.set(name, value)
  return answer
}
