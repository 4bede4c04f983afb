import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { LightReply } from '#platform/http/light/reply.ts'
import { languages } from '#platform/translation/languages.ts'
import { tokens } from '#shared/tokens.ts'
import type { Translator } from '#translations/translate.ts'
import { markPath } from './mark.ts'
import { showPasswordPath } from './show-password.ts'
import { typeface } from './typeface.ts'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const css = `${tokens}${typeface}
* { box-sizing: border-box }
body {
  font: 1rem/1.5 var(--font); margin: 0; min-height: 100dvh;
  padding: 1.5rem 1rem; background: var(--paper-side); color: var(--ink);
  display: flex; flex-direction: column; align-items: center; justify-content: center
}
main {
  width: 100%; max-width: 26.25rem; padding: 2rem; border: 1px solid var(--line-soft); border-radius: 16px;
  background: var(--paper); box-shadow: 0 1px 2px var(--shadow-ink), 0 12px 32px -12px var(--shadow-ink)
}
main > .organization { display: block; width: 3rem; height: 3rem; border-radius: 28%; margin: 0 0 1.25rem }
footer { display: flex; align-items: center; gap: .4rem; margin-top: 1.25rem; font-size: .8125rem; font-weight: 600; color: var(--ink-soft) }
footer .languages { position: relative; margin: 0; margin-inline-start: .75rem }
footer summary { cursor: pointer; list-style: none; padding: .35rem .6rem; border-radius: 8px }
footer summary::-webkit-details-marker { display: none }
footer summary::after { content: "▾"; margin-inline-start: .35rem }
footer summary:hover { background: var(--paper-hover) }
footer ul {
  position: absolute; bottom: 100%; inset-inline-end: 0; min-width: 12rem; margin: 0; padding: .35rem; list-style: none;
  background: var(--paper-raised); border: 1px solid var(--line-soft); border-radius: 10px
}
footer li a { display: block; padding: .4rem .6rem; border-radius: 6px; color: inherit; text-decoration: none }
footer li a:hover, footer li a[aria-current] { background: var(--paper-hover) }
footer svg { width: 1.1rem; height: 1.1rem; fill: var(--accent) }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .5rem; overflow-wrap: anywhere }
main > :last-child { margin-bottom: 0 }
h2 { font-size: 1rem; margin: 2rem 0 .25rem }
p { margin: .5rem 0 1rem; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: .15em }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 35%, transparent) }
label { display: block; font-size: .875rem; font-weight: 600; margin-top: 1.1rem }
.hint, .problem { margin: .1rem 0 .35rem; font-size: .8125rem; color: var(--ink-soft) }
.problem { color: var(--danger); font-weight: 600 }
input, select, textarea, button, .button {
  font: inherit; min-height: 2.75rem; padding: .55rem .75rem; border-radius: 10px; border: 1px solid transparent; width: 100%
}
input, select, textarea { margin-top: .35rem; background: var(--paper); border-color: var(--line-control); color: inherit }
.hint + :is(input, select, textarea), .problem + input { margin-top: 0 }
:is(input, select, textarea):focus { border-color: var(--accent); outline: 1px solid var(--accent) }
input[aria-invalid] { border-color: var(--danger) }
button, .button {
  display: flex; align-items: center; justify-content: center; gap: .5rem; margin-top: 1.5rem;
  background: var(--accent); color: var(--ink-on-accent); font-weight: 600; cursor: pointer; text-decoration: none
}
button:hover, .button:hover { background: var(--accent-strong) }
.plain { background: var(--paper-raised); border-color: var(--line-strong); color: var(--ink); margin-top: .75rem }
.plain:hover { background: var(--paper-hover) }
button.text { background: none; color: var(--link); margin-top: .5rem }
button.text:hover { background: var(--paper-hover) }
button.show {
  width: auto; min-height: 2.75rem; margin: .25rem 0 0 auto; padding: .25rem .5rem; background: none; color: var(--link);
  font-size: .875rem
}
button.show:hover { background: var(--paper-hover) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
[role=alert] { background: var(--paper-danger); border-radius: 10px; padding: .6rem .75rem }
.check { display: flex; align-items: center; gap: .5rem; font-weight: 400 }
.check input { width: 1.1rem; min-height: 1.1rem; margin: 0; accent-color: var(--accent) }
progress { display: block; width: 100%; height: .5rem; margin-top: 1.5rem; accent-color: var(--accent) }
progress[hidden] { display: none }
details { margin-top: 1rem; font-size: .875rem }
summary { cursor: pointer; color: var(--link); padding: .25rem 0 }
details ul { margin: .25rem 0; padding-left: 1.1rem; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .35rem 0 .35rem .75rem; text-align: end; border-bottom: 1px solid var(--line-soft) }
th:first-child { padding-left: 0; text-align: start }
th { font-weight: 500 }
thead th { color: var(--ink-soft) }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
dt { font-size: .875rem; font-weight: 600; margin-top: .75rem }
dd { margin: 0; overflow-wrap: anywhere }
code, pre {
  font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; white-space: pre-wrap;
  background: var(--paper-sunken); border-radius: 6px; padding: .1rem .3rem
}
pre { padding: .75rem }
svg[role=img] { display: block; margin: 1rem auto; border-radius: 10px; background: #fff }
.people {
  list-style: none; margin: .5rem -.5rem 0; padding: 0; max-height: 21rem; overflow-y: auto; scrollbar-width: thin
}
.people button {
  margin: 0; padding: .3rem .5rem; justify-content: flex-start; gap: .75rem; background: none; color: inherit; font-weight: 500; text-align: start
}
.people button:hover { background: var(--paper-hover) }
.people :is(img, svg) { flex: none; width: 2rem; height: 2rem; border-radius: 28% }
@media (max-width: 30rem) {
  body { padding: 0 0 1rem; justify-content: flex-start; background: var(--paper) }
  main { border: 0; border-radius: 0; box-shadow: none; padding: 1.5rem 1.25rem }
}
`

/**
 * The headers of a page with this style: they block scripts, other resources and framing, and hide
 * the page's URL from other sites. `no-referrer` would be stricter, but makes browsers send the
 * page's forms with `Origin: null`, as foreign ones.
 *
 * @param scripts whether scripts of this server may run and send requests to it
 */
export function pageHeaders(style: string, scripts = false): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
      "img-src 'self'",
      "font-src 'self'",
      // A log-in for a phone app ends with a redirect into the app.
      "form-action 'self' zulip:",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}

/**
 * Lets the forms of a page end with a redirect to another place.
 *
 * @param target an origin or scheme
 */
export function withFormTarget(response: Response, target: string): Response {
  const policy = 'Content-Security-Policy'
  const { headers: made } = response
  made.set(
    policy,
    (made.get(policy) ?? '').replace('form-action', () => `form-action ${target}`),
  )
  return response
}

/** The current icon of the organization, or the product's before there is one. */
export const organizationIconPath = '/static/organization-icon.png'

const headers = pageHeaders(css)
const scriptedHeaders = pageHeaders(css, true)

/**
 * A translated text with HTML in place of its placeholders.
 *
 * @param translated as `t` returns it without values
 * @param values by placeholder
 */
export function filled(translated: string, values: Readonly<Record<string, Html>>): Html {
  const parts = translated.split(/\{(\w+)\}/)
  // Every other part is the name of a placeholder.
  return html`${parts.map((part, index) => (index % 2 === 1 ? (values[part] ?? part) : part))}`
}

/**
 * Makes a response with a page.
 *
 * @param script the path of a script that makes the page more comfortable; it has to work without
 *   it. Pages with a password have one that can show it
 */
export async function page(
  language: Translator,
  title: string,
  main: Html,
  status = 200,
  script?: string,
  /** The path of the page, where someone can choose another language for it. */
  chooserPath?: string,
): Promise<Response> {
  const content = await main
  const scripts = [script, content.includes(' data-show="') ? showPasswordPath : undefined].filter(
    (path) => path !== undefined,
  )
  const body = html`<main>
<img class="organization" src="${organizationIconPath}" alt="" width="48" height="48">
${content}
</main>
<footer><svg viewBox="18 12 68 78" aria-hidden="true"><path fill-rule="evenodd" d="${markPath}"/></svg>Parley${chooserPath === undefined ? '' : chooser(language, chooserPath)}</footer>${scripts.map((path) => html`<script src="${path}"></script>`)}`
  const document = await htmlDocument(language, title, css, body)
  return new LightReply(document, {
    status,
    headers: scripts.length > 0 ? scriptedHeaders : headers,
  })
}

/** A page whose title is its heading as well. */
export async function headedPage(
  language: Translator,
  title: string,
  content: Html,
  status?: number,
): Promise<Response> {
  return await page(language, title, html`<h1>${title}</h1>\n${content}`, status)
}

/**
 * A page with a form.
 *
 * @param isWrong whether the last submission was refused, which the content says
 * @param script as of `page`
 * @param chooserPath as of `page`
 */
export async function formPage(
  language: Translator,
  title: string,
  isWrong: boolean,
  content: Html,
  script?: string,
  chooserPath?: string,
): Promise<Response> {
  const shown = isWrong ? language.t('Error: {title}', { title }) : title
  const main = html`<h1>${title}</h1>\n${content}`
  return await page(language, shown, main, isWrong ? 400 : 200, script, chooserPath)
}

/** The parameter that sets the language of pages without a session. */
export const languagePath = '/accounts/language/'

function chooser({ language, t }: Translator, path: string): Html {
  const next = new URLSearchParams({ next: path })
  const links = languages.map(
    ({ code, tag, name }) =>
      html`<li><a href="${languagePath}${code}?${next}" lang="${tag}" hreflang="${tag}"${tag === language ? html` aria-current="true"` : ''}>${name}</a></li>\n`,
  )
  const current = languages.find(({ tag }) => tag === language)?.name
  return html`<details class="languages"><summary aria-label="${t('Language')}">${current}</summary><ul>
${links}</ul></details>`
}

/** The HTML text of a page with its style. */
export async function htmlDocument(
  { language, direction }: Pick<Translator, 'language' | 'direction'>,
  title: string,
  style: string,
  body: Html,
): Promise<string> {
  const document = await html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/static/icon.png">
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return document.toString()
}
