import type { Context as HonoContext } from 'hono'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import { LightReply, lightJson, lightScript, redirect } from '#platform/http/light/reply.ts'
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
  app.get('/help', () => redirect('/help/', 301))
  app.get('/help/', async (c) => {
    const pages = await loadHelp()
    const words = c.req.query('q')?.slice(0, longestQuestion) ?? ''
    const titles = titlesOf(pages)
    if (words === '') return sendPage(await startPage(languageOf(c), titles))
    return sendPage(await resultsPage(languageOf(c), titles, words, searchHelp(pages, words)))
  })
  app.get('/help/results', async (c) => {
    const words = c.req.query('q')?.slice(0, longestQuestion) ?? ''
    return lightJson(searchHelp(await loadHelp(), words), 200, { 'Cache-Control': 'no-cache' })
  })
  app.get('/help/search.js', () => lightScript(helpScript))
  app.get('/help/:section/:page', async (c) => {
    const { page, section } = c.req.param()
    const pages = await loadHelp()
    const found = pages.find(({ path }) => path === `${section}/${page}`)
    return found
      ? sendPage(await helpPage(languageOf(c), titlesOf(pages), found))
      : await c.notFound()
  })
  app.get('/help/:name', (c) => {
    const name = c.req.param('name')
    const page = pageForOldName(name)
    if (page !== undefined) return redirect(`/help/${page}`)
    return redirect(`/help/?q=${encodeURIComponent(name.replaceAll('-', ' '))}`)
  })
}

const headers = pageHeaders(helpStyle, true)

function sendPage(page: string): Response {
  return new LightReply(page, { headers: { ...headers, 'Cache-Control': 'no-cache' } })
}
