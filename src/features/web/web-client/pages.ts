import type { Context as HonoContext } from 'hono'
import { noOrganizationPage } from '#features/access/setup/views.ts'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import { homePath, loginPath } from '#features/foundation/sessions/entering.pages.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { authenticateBrowser } from '#platform/http/authenticate.ts'
import { replyText } from '#platform/http/compression.ts'
import { LightReply, lightText, redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { servedPicture } from '#platform/http/served-picture.ts'
import { iconPng } from '#platform/pages/mark.ts'
import { pageLanguage, pageLanguageCode } from '#platform/pages/page-language.ts'
import { typefacePath } from '#platform/pages/typeface.ts'
import { languageOf } from '#platform/translation/catalogues.ts'
import { type AssetFile, encoded } from './asset-file.ts'
import { findClientFile, loadClientAssets } from './assets.ts'
import { assetPath } from './bundle.ts'
import { catalogueFile, findCatalogueFile } from './catalogue.queries.ts'
import {
  appIcons,
  type ClientPage,
  clientPage,
  clientVersionPath,
  integrationsLink,
  integrationsPath,
  manifestPath,
  pagePolicy,
  publicPath,
  shareLostLink,
  sharePath,
  webManifest,
  workerPath,
} from './views.ts'

/**
 * The web client: its page, the files that the page loads, and the files with which browsers
 * install it.
 */
export function mountWebClient(app: App, server: SystemContext): void {
  app.get(homePath, async (c) => {
    if (!findRealm(server.store)) return await noOrganizationPage(pageLanguage(c, server))
    return await showClient(c, server)
  })
  for (const path of ['', '/', '/:name']) {
    app.get(integrationsPath + path, (c) => redirect(integrationsLink(c.req.param('name')), 303))
  }
  app.get(publicPath, async (c) => await showPublic(c, server))
  app.get(`${assetPath}:file`, async (c) => {
    const name = c.req.param('file')
    const file = findCatalogueFile(server.store, name) ?? (await findClientFile(name))
    return await sendAsset(c, file)
  })
  app.get(typefacePath, async () => {
    const { typeface } = (await loadClientAssets()).entries
    return redirect(assetPath + typeface, 302, [['Cache-Control', 'public, max-age=3600']])
  })
  app.get(workerPath, async (c) => {
    const { entries } = await loadClientAssets()
    const response = await sendAsset(c, await findClientFile(entries.worker))
    // The same address holds another worker once the client has changed.
    response.headers.set('Cache-Control', 'no-cache')
    response.headers.set('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
    return response
  })
  app.get(clientVersionPath, async () => lightText((await loadClientAssets()).entries.version))
  app.get(manifestPath, async () => {
    const title = findRealm(server.store)?.name ?? 'Parley'
    const language = organizationLanguage(server.store)
    const { screenshots } = (await loadClientAssets()).entries
    return new LightReply(JSON.stringify(webManifest({ title, language, screenshots })), {
      headers: {
        'Content-Type': 'application/manifest+json',
        'Cache-Control': 'no-cache',
      },
    })
  })
  // Only if the browser has no service worker of the client, for example after its data was
  // cleared.
  app.post(sharePath, () => redirect(shareLostLink, 303))
  app.get(sharePath, () => redirect(homePath, 303))
  for (const { path, size, kind } of appIcons) {
    app.get(path, () => servedPicture(iconPng(size, kind), 'image/png'))
  }
}

async function showClient(c: HonoContext, server: SystemContext): Promise<Response> {
  const caller = authenticateBrowser(c, server)
  // Browsers take the part of the address after `#` along.
  if (!caller) {
    return redirect(allowsSpectators(server.store) ? publicPath : loginPath, 303)
  }
  const { entries } = await loadClientAssets()
  const code = userSetting(server.store, caller.user.id, 'default_language')
  const scheme = userSetting(server.store, caller.user.id, 'color_scheme')
  const theme = scheme === 2 ? 'dark' : scheme === 3 ? 'light' : undefined
  const { name: title } = requireRealm(server.store)
  const parts = languageParts(server, code)
  return await sendPage(c, { entries, title, theme, ...parts })
}

/** The page for people without an account, if the operator and the organization allow it. */
async function showPublic(c: HonoContext, server: SystemContext): Promise<Response> {
  if (authenticateBrowser(c, server)) return redirect(homePath, 303)
  const { store } = server
  const realm = findRealm(store)
  if (!realm || !allowsSpectators(store)) return redirect(loginPath, 303)
  const { entries } = await loadClientAssets()
  const { name: title } = realm
  const parts = languageParts(server, pageLanguageCode(c, server))
  return await sendPage(c, { entries, title, theme: undefined, isPublic: true, ...parts })
}

/** The page's data about the language with this code. */
function languageParts(
  { store }: SystemContext,
  code: string,
): Pick<ClientPage, 'language' | 'texts'> {
  return { language: languageOf(store, code), texts: catalogueFile(store, code)?.name }
}

async function sendPage(c: HonoContext, shown: ClientPage): Promise<Response> {
  return replyText(c, await clientPage(shown), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(shown.entries.inline),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
}

async function sendAsset(c: HonoContext, file: AssetFile | undefined): Promise<Response> {
  if (!file) return await c.notFound()
  const { bytes, encoding } = await encoded(file, c.req.header('accept-encoding') ?? '')
  return new LightReply(new Uint8Array(bytes), {
    headers: {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    },
  })
}
