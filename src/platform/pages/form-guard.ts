import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { RawParams } from '#platform/http/decode.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { type Html, page } from './html.ts'

const cookieName = 'parley_form'

/** Protects forms for users who are not logged in against CSRF and abuse. */
export interface FormGuard {
  /** Makes a page with a form and sets a CSRF cookie. @param draw must add `seal` to the form */
  show(c: HonoContext, draw: (seal: Html) => Promise<Response>): Promise<Response>
  /** Whether the submitted form has the token from the browser's CSRF cookie. */
  isOwn(c: HonoContext, params: RawParams): boolean
  /** Counts an attempt. @returns the error page if there were too many, otherwise undefined */
  tooMany(c: HonoContext, budget?: 'form' | 'login'): Promise<Response | undefined>
  /**
   * Counts a link with a wrong key, unless it has none. Makes `page`, or the error page if there
   * were too many.
   */
  wrongLink(c: HonoContext, key: string, page: () => Promise<Response>): Promise<Response>
}

export function createFormGuard(server: Context): FormGuard {
  return {
    async show(c, draw) {
      const known = getCookie(c, cookieName) ?? ''
      const token = /^[0-9a-f]{64}$/.test(known) ? known : randomBytes(32).toString('hex')
      const response = await draw(html`<input type="hidden" name="form" value="${token}">`)
      const secure = server.realmUrl.startsWith('https:')
      const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
      response.headers.append('Set-Cookie', generateCookie(cookieName, token, options))
      return response
    },
    isOwn(c, params) {
      const token = getCookie(c, cookieName)
      return token !== undefined && constantTimeEqual(token, params.get('form') ?? '')
    },
    async tooMany(c, budget = 'form') {
      return await refusal(() =>
        openBill(c, server.rateLimits.bill(budget, clientAddress(server, c))),
      )
    },
    async wrongLink(c, key, page) {
      const count = () => server.rateLimits.guesses.wrongKey(key, clientAddress(server, c))
      return (key && (await refusal(count))) || (await page())
    },
  }
}

/** Calls `count`. @returns the error page if that exceeds a rate limit */
async function refusal(count: () => void): Promise<Response | undefined> {
  try {
    count()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return await tooManyPage(error)
    throw error
  }
}

/** The page for a rate limit that was exceeded. */
export async function tooManyPage({ extra }: ApiError): Promise<Response> {
  const wait = Math.ceil(Number(extra['retry-after']))
  const hours = Math.ceil(wait / 3600)
  const time = wait < 1800 ? 'a few minutes' : hours === 1 ? 'an hour' : `${hours} hours`
  const response = await page(
    'Too many attempts',
    html`<h1>Too many attempts</h1>
<p>Please wait ${time}, then go back and try again.</p>`,
    429,
  )
  response.headers.set('Retry-After', String(wait))
  return response
}
