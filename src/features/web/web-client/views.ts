import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { filled } from '#platform/pages/html.ts'
import type { IconKind } from '#platform/pages/mark.ts'
import { colors } from '#shared/tokens.ts'
import type { Translator } from '#translations/translate.ts'
import { assetPath, type ClientEntries, inlineGlobal } from './bundle.ts'
import { oldBrowserScript, oldestBrowsers, tooOldId } from './old-browsers.ts'

/** The web manifest's path, and the service worker's, which covers what lies beside it. */
export const manifestPath = '/manifest.webmanifest'
export const workerPath = '/sw.js'

/** The server's current version of the client, so that an open page knows whether it is old. */
export const clientVersionPath = '/static/client-version'

/** The colors of the side bars, for what browsers draw themselves. */
const { light, dark } = colors['paper-side']

/**
 * The page may only load from this server, run no inline script but its own, and make HTML of text
 * only in the policy `parley` of Trusted Types.
 *
 * @param inline the source of the script in the page
 */
export const pagePolicy = (inline: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${integrityOf(inline)}`,
    "style-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types parley',
  ].join('; ')

/** The script at the end of the page, where its styles are there. */
const endScript = `${inlineGlobal}.reachEnd()`

let known: { readonly inline: string; readonly integrity: string } | undefined

/** The hashes by which a policy names the scripts in the page. */
function integrityOf(inline: string): string {
  if (known?.inline !== inline) {
    const hashes = [oldBrowserScript, inline, endScript].map((source) =>
      createHash('sha256').update(source).digest('base64'),
    )
    known = { inline, integrity: hashes.map((hash) => `'sha256-${hash}'`).join(' ') }
  }
  return known.integrity
}

/** The path for people without an account. */
export const publicPath = '/public/'

/** The path of the page of integrations, which is one of the client's settings. */
export const integrationsPath = '/integrations'

/** The path where the client shows all integrations, or one. @param name as in the address */
export function integrationsLink(name = ''): string {
  const isName = /^[a-z\d_]{1,60}$/.test(name)
  return `/#settings/integrations${isName ? `/${name}` : ''}`
}

/** The data of the page before its script runs. */
export interface ClientPage {
  readonly entries: ClientEntries
  /** Whether it is for people without an account. */
  readonly isPublic?: boolean
  /** The organization's name. */
  readonly title: string
  /** The user's choice; undefined: as the system has it. */
  readonly theme: 'light' | 'dark' | undefined
  /** The user's, or the visitor's. */
  readonly language: Translator
  /** The name of the file with its texts; undefined: English. */
  readonly texts: string | undefined
}

/** The page of the web client. It contains nothing about its user except their theme. */
export async function clientPage(shown: ClientPage): Promise<string> {
  const { entries, isPublic, title, theme, language, texts } = shown
  const { t } = language
  const file = (name: string) => assetPath + name
  const page = await html`<!doctype html>
<html lang="${language.language}" dir="${language.direction}"${theme ? html` data-theme="${theme}"` : ''} translate="no">
<head>
<meta charset="utf-8">
<script>${raw(oldBrowserScript)}</script>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${theme === 'dark' ? dark : light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${theme === 'light' ? light : dark}">
<meta name="client-version" content="${entries.version}">
<title>${title}</title>
${texts === undefined ? '' : html`<link rel="preload" as="fetch" crossorigin href="${file(texts)}" id="catalogue">`}
${
  isPublic
    ? ''
    : html`<link rel="modulepreload" href="${file(entries.first)}" id="first-calls">
<link rel="modulepreload" href="${file(entries.script)}" id="program">
<link href="${file(entries.typeface)}" as="font" type="font/woff2" crossorigin id="typeface">
<script>${raw(entries.inline)}</script>`
}
<link rel="icon" href="/static/icon.png">
<link rel="apple-touch-icon" href="${touchIcon.path}">
<link rel="manifest" href="${manifestPath}">
<link rel="stylesheet" href="${file(entries.style)}">
<link rel="stylesheet" href="${file(entries.formulaStyle)}" id="formula-styles" disabled>
<link rel="stylesheet" href="${file(entries.settingsStyle)}" id="settings-styles" disabled>
<link rel="stylesheet" href="${file(entries.surfacesStyle)}" id="surfaces-styles" disabled>
${
  isPublic
    ? html`<link rel="stylesheet" href="${file(entries.spectatorStyle)}">
<script type="module" src="${file(entries.spectatorScript)}"></script>`
    : ''
}
</head>
<body>
<noscript><main><h1>${title}</h1>
<p>${filled(t('The web client needs JavaScript. You can {link} instead.'), {
    link: html`<a href="/connect">${t('connect an app')}</a>`,
  })}</p></main></noscript>
<template id="${tooOldId}"><main><h1>${t('This browser is too old')}</h1>
<p>${filled(
    t('{title} needs {browsers}, or a newer release. Update the browser, or {link} instead.', {
      title,
      browsers: language.list(
        Object.entries(oldestBrowsers).map((each) => each.join(' ')),
        'narrow',
      ),
    }),
    { link: html`<a href="/connect">${t('connect an app')}</a>` },
  )}</p>
<p><a href="/help/">${t('Help')}</a></p></main></template>
<div id="app"${isPublic ? '' : html` class="awaited"`}></div>
${isPublic ? '' : html`<script>${raw(endScript)}</script>`}
</body>
</html>
`
  return page.toString()
}

/** An icon that a browser or a system shows for the client. */
interface AppIcon {
  readonly path: string
  /** Width and height, in pixels. */
  readonly size: number
  readonly kind: IconKind
}

function icon(name: string, size: number, kind: IconKind): AppIcon {
  return { path: `/static/client-icon/${name}.png`, size, kind }
}

/** iOS rounds the corners itself, and makes what is transparent black. */
const touchIcon = icon('touch', 180, 'maskable')

/** In the sizes that browsers require for installation. */
const manifestIcons: readonly AppIcon[] = [
  icon('192', 192, 'tile'),
  icon('512', 512, 'tile'),
  icon('maskable-192', 192, 'maskable'),
  icon('maskable-512', 512, 'maskable'),
]

/** All icons of the client; the last one is for the status bar of phones. */
export const appIcons: readonly AppIcon[] = [
  ...manifestIcons,
  touchIcon,
  icon('silhouette', 96, 'silhouette'),
]

/** The path to which other apps share; the service worker handles it. */
export const sharePath = '/share'

/** The address where the client says that something shared was lost. */
export const shareLostLink = '/#share-lost'

interface Manifest {
  /** The organization's name. */
  readonly title: string
  readonly language: Translator
  readonly screenshots: ClientEntries['screenshots']
}

/**
 * The manifest with which a browser installs the client.
 *
 * @source https://www.w3.org/TR/appmanifest/ and https://w3c.github.io/web-share-target/
 */
export function webManifest({ title, language, screenshots }: Manifest): object {
  const { t } = language
  const shortcut = (name: string, hash: string) => ({ name, url: `/${hash}` })
  return {
    id: '/',
    name: title,
    short_name: title.length > 12 ? 'Parley' : title,
    description: t('Team chat with channels, topics and direct messages.'),
    lang: language.language,
    dir: language.direction,
    categories: ['business', 'productivity', 'social'],
    shortcuts: [
      shortcut(t('Inbox'), '#inbox'),
      shortcut(t('Direct messages'), '#narrow/is/dm'),
      shortcut(t('Mentions'), '#narrow/is/mentioned'),
      shortcut(t('Starred messages'), '#narrow/is/starred'),
    ],
    share_target: {
      action: sharePath,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['*/*'] }],
      },
    },
    screenshots: screenshots.map(({ name, width, height, isWide }) => ({
      src: assetPath + name,
      sizes: `${width}x${height}`,
      type: 'image/webp',
      form_factor: isWide ? 'wide' : 'narrow',
      label: isWide
        ? t('A conversation with its channels and people beside it')
        : t('A conversation on a phone'),
    })),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: light,
    theme_color: light,
    icons: manifestIcons.map(({ path, size, kind }) => ({
      src: path,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: kind === 'tile' ? 'any' : 'maskable',
    })),
  }
}
