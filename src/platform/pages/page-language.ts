import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { SystemContext } from '#platform/context.ts'
import { languageOf } from '#platform/translation/catalogues.ts'
import { isLanguage, type LanguageCode, negotiated } from '#platform/translation/languages.ts'
import { type Sentence, sentenceIn, type Translator } from '#translations/translate.ts'

const cookieName = 'parley_language'
/** How long a browser keeps the language that someone chose on a page, in seconds. */
const cookieSeconds = 365 * 24 * 3600

/**
 * The language of a page without a session: what someone chose there, else what the browser asks
 * for, else the organization's.
 */
export function pageLanguage(c: HonoContext, server: LanguageSources): Translator {
  return languageOf(server.store, pageLanguageCode(c, server))
}

export type LanguageSources = Pick<SystemContext, 'store' | 'directory'>

export function pageLanguageCode(c: HonoContext, { store, directory }: LanguageSources): string {
  const chosen = getCookie(c, cookieName)
  if (isLanguage(chosen)) return chosen
  return negotiated(c.req.header('accept-language') ?? '') ?? directory.language(store)
}

/** The header that makes a browser remember a language for pages without a session. */
export function languageCookie(
  code: LanguageCode,
  { realmUrl }: Pick<SystemContext, 'realmUrl'>,
): string {
  const secure = realmUrl.startsWith('https:')
  return generateCookie(cookieName, code, {
    path: '/',
    maxAge: cookieSeconds,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
  })
}

/** The text of an error for people: translated if it is marked where it is made. */
export function problemText(language: Translator, problem: Sentence): string {
  const shown = sentenceIn(language, problem)
  return /[\p{Po}]$/u.test(shown) ? shown : `${shown}.`
}
