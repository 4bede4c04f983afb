import type { Context as HonoContext } from 'hono'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import type { App } from '#platform/http/mount.ts'
import { pageHeaders } from '#platform/pages/html.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import { loadHelp } from './library.ts'
import { pageForOldName } from './old-names.ts'
import { searchHelp } from './searching.ts'
import { helpScript, helpStyle } from './style.ts'
import { helpPage, resultsPage, startPage, titlesOf } from './views.ts'

/** Longer questions are cut. */
const longestQuestion = 200

/**
 * The help centre. It needs no log-in and reveals nothing about the organization. Addresses of
 * Zulip's help centre, to which its apps link, lead to the page about the same.
 */
export function mountHelp(app: App, server: SystemContext): void {
  const languageOf = (c: HonoContext) => {
    const user = findRealm(server.store) ? authenticateBrowser(c, server)?.user : undefined
    return user ? userLanguage(server.store, user) : pageLanguage(c, server)
  }
  app.get('/help', (c) => c.redirect('/help/', 301))
  app.get('/help/', async (c) => {
    const pages = await loadHelp()
    const words = c.req.query('q')?.slice(0, longestQuestion) ?? ''
    const titles = titlesOf(pages)
    if (words === '') return sendPage(c, await startPage(languageOf(c), titles))
    return sendPage(c, await resultsPage(languageOf(c), titles, words, searchHelp(pages, words)))
  })
  app.get('/help/results', async (c) => {
    const words = c.req.query('q')?.slice(0, longestQuestion) ?? ''
    c.header('Cache-Control', 'no-cache')
    return c.json(searchHelp(await loadHelp(), words))
  })
  app.get('/help/search.js', (c) =>
    c.body(helpScript, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    }),
  )
  app.get('/help/:section/:page', async (c) => {
    const { page, section } = c.req.param()
    const pages = await loadHelp()
    const found = pages.find(({ path }) => path === `${section}/${page}`)
    return found
      ? sendPage(c, await helpPage(languageOf(c), titlesOf(pages), found))
      : await c.notFound()
  })
  app.get('/help/:name', (c) => {
    const name = c.req.param('name')
    const page = pageForOldName(name)
    if (page !== undefined) return c.redirect(`/help/${page}`, 302)
    return c.redirect(`/help/?q=${encodeURIComponent(name.replaceAll('-', ' '))}`, 302)
  })
}

const headers = pageHeaders(helpStyle, true)

function sendPage(c: HonoContext, page: string): Response {
  return c.body(page, 200, { ...headers, 'Cache-Control': 'no-cache' })
}
