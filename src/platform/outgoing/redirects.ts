import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '#platform/context.ts'
import { sentence } from '#translations/translate.ts'
import { OutsideError } from './fetch.ts'

const redirections = new Set([301, 302, 303, 307, 308])

/** The most redirects in a row that are followed. */
export const mostRedirects = 4

/**
 * Requests an address and follows its redirects; each must pass the same checks as the first.
 *
 * @param timeout for all requests together, in milliseconds
 * @param ask makes one request, which ends when `signal` is aborted
 * @returns the first reply that is no redirect, and its address
 * @throws OutsideError whatever `ask` throws, and if the redirects lead nowhere
 */
export async function follow<
  T extends { readonly status: number; readonly headers: IncomingHttpHeaders },
>(
  { clock }: Pick<Context, 'clock'>,
  address: string,
  timeout: number,
  ask: (url: string, signal: AbortSignal) => Promise<T>,
): Promise<{ readonly url: string; readonly reply: T }> {
  const late = new AbortController()
  const cancel = clock.after(timeout, () => late.abort())
  try {
    let url = address
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const reply = await ask(url, late.signal)
      if (!redirections.has(reply.status)) return { url, reply }
      const { location } = reply.headers
      if (location === undefined || !URL.canParse(location, url)) break
      url = new URL(location, url).href
    }
    throw new OutsideError(sentence('The redirects of this address do not lead to a page.'))
  } finally {
    cancel()
  }
}
