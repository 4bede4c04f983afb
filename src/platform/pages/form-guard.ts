import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { RawParams } from '#platform/http/decode.ts'
import { rateLimitsOf } from '#platform/http/rate-limit.ts'
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
}

export function createFormGuard(server: Context): FormGuard {
  const limits = rateLimitsOf(server)
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
      const seconds = waitFor(() => limits.spend(budget, clientAddress(server, c)))
      if (seconds === undefined) return undefined
      const response = await tooManyPage()
      response.headers.set('Retry-After', String(seconds))
      return response
    },
  }
}

/** The number of seconds until the rate limit allows the call; undefined if it does now. */
function waitFor(spend: () => void): number | undefined {
  try {
    spend()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return Math.ceil(Number(error.extra['retry-after']))
    throw error
  }
}

function tooManyPage(): Promise<Response> {
  return page(
    'Too many tries',
    html`<h1>Too many tries</h1>
<p>Please wait a few minutes, then go back and try again.</p>`,
    429,
  )
}
