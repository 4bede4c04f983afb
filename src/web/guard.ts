import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { clientAddress } from '#http/client-address.ts'
import type { RawParams } from '#http/decode.ts'
import { rateLimitsOf } from '#http/rate-limit.ts'
import { sameText } from '#same-text.ts'
import { type Html, page } from './html.ts'

const cookieName = 'parley_form'

/** What protects the forms of people who are not logged in. */
export interface FormGuard {
  /** A page with a form that is this browser's own: the hidden field `seal` belongs into it. */
  show(c: HonoContext, draw: (seal: Html) => Promise<Response>): Promise<Response>
  /** Whether this site showed the form to the browser that sends it. */
  isOwn(c: HonoContext, params: RawParams): boolean
  /** Counts a try. @returns the page to answer with when there were too many */
  tooMany(c: HonoContext, budget?: 'form' | 'login'): Promise<Response | undefined>
  /** Counts a mail to an address that anybody can type in. @returns whether to send it */
  mayMail(email: string): boolean
}

export function createFormGuard(server: Context): FormGuard {
  const limits = rateLimitsOf(server)
  return {
    async show(c, draw) {
      const known = getCookie(c, cookieName) ?? ''
      const token = /^[0-9a-f]{64}$/.test(known) ? known : randomBytes(32).toString('hex')
      const response = await draw(html`<input type="hidden" name="form" value="${token}">`)
      const secure = siteOf(c, server).startsWith('https:') ? '; Secure' : ''
      const cookie = `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`
      response.headers.append('Set-Cookie', cookie)
      return response
    },
    isOwn(c, params) {
      const token = getCookie(c, cookieName)
      return token !== undefined && sameText(token, params.get('form') ?? '')
    },
    async tooMany(c, budget = 'form') {
      const seconds = waitFor(() => limits.spend(budget, clientAddress(server, c)))
      if (seconds === undefined) return undefined
      const response = await tooManyPage()
      response.headers.set('Retry-After', String(seconds))
      return response
    },
    mayMail: (email) => waitFor(() => limits.spend('mail', email.toLowerCase())) === undefined,
  }
}

/** How many seconds to wait until the budget has enough again; undefined when it had. */
function waitFor(spend: () => void): number | undefined {
  try {
    spend()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return Math.ceil(Number(error.extra['retry-after']))
    throw error
  }
}

/** Scheme, host and port under which the browser reached the server. */
export function siteOf(c: HonoContext, server: Context): string {
  return server.config.externalUrl ?? new URL(c.req.url).origin
}

function tooManyPage(): Promise<Response> {
  return page(
    'Too many tries',
    html`<h1>Too many tries</h1>
<p>Please wait a few minutes, then go back and try again.</p>`,
    429,
  )
}
