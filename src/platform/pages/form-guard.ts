import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { RawParams } from '#platform/http/decode.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { sentence, type Translator } from '#translations/translate.ts'
import { type Html, page } from './html.ts'
import { pageLanguage } from './page-language.ts'

const cookieName = 'parley_form'

/** The error for a form that `FormGuard.isOwn` rejects. */
export const notOwn = sentence('Please submit the form again. Your browser must accept cookies.')

/** A page with the same content for everyone, in their language. */
type LanguagePage = (language: Translator) => Promise<Response>

/** Protects forms for users who are not logged in against CSRF and abuse. */
export interface FormGuard {
  /** Makes a page with a form and sets a CSRF cookie. @param draw must add `seal` to the form */
  show(
    c: HonoContext,
    draw: (seal: Html, language: Translator) => Promise<Response>,
  ): Promise<Response>
  /** Whether the submitted form has the token from the browser's CSRF cookie. */
  isOwn(c: HonoContext, params: RawParams): boolean
  /** Counts an attempt. @returns the error page if there were too many, otherwise undefined */
  tooMany(c: HonoContext, budget?: 'form' | 'login'): Promise<Response | undefined>
  /**
   * Counts a link with a wrong key, unless it has none. Makes `page`, or the error page if there
   * were too many.
   */
  wrongLink(c: HonoContext, key: string, page: LanguagePage): Promise<Response>
}

export function createFormGuard(server: SystemContext): FormGuard {
  return {
    async show(c, draw) {
      const known = getCookie(c, cookieName) ?? ''
      const token = /^[0-9a-f]{64}$/.test(known) ? known : randomBytes(32).toString('hex')
      const response = await draw(
        html`<input type="hidden" name="form" value="${token}">`,
        pageLanguage(c, server),
      )
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
      return await refusal(pageLanguage(c, server), () =>
        openBill(c, server.rateLimits.bill(budget, clientAddress(server, c))),
      )
    },
    async wrongLink(c, key, page) {
      const count = () => server.rateLimits.guesses.wrongKey(key, clientAddress(server, c))
      const language = pageLanguage(c, server)
      return (key && (await refusal(language, count))) || (await page(language))
    },
  }
}

/** Calls `count`. @returns the error page if that exceeds a rate limit */
async function refusal(language: Translator, count: () => void): Promise<Response | undefined> {
  try {
    count()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return await tooManyPage(language, error)
    throw error
  }
}

/** The page for a rate limit that was exceeded. */
export async function tooManyPage(language: Translator, { extra }: ApiError): Promise<Response> {
  const { t, tn } = language
  const wait = Math.ceil(Number(extra['retry-after']))
  const hours = Math.ceil(wait / 3600)
  const title = t('Too many attempts')
  const response = await page(
    language,
    title,
    html`<h1>${title}</h1>
<p>${
      wait < 1800
        ? t('Please wait a few minutes, then go back and try again.')
        : tn(
            hours,
            'Please wait an hour, then go back and try again.',
            'Please wait {count} hours, then go back and try again.',
          )
    }</p>`,
    429,
  )
  response.headers.set('Retry-After', String(wait))
  return response
}
