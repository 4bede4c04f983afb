import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const css = `
:root { color-scheme: light dark; --line: #c9ccd6; --soft: #5b6070; --accent: #3b5bdb; --bad: #c92a2a }
@media (prefers-color-scheme: dark) {
  :root { --line: #444a5a; --soft: #a5abbd; --accent: #91a7ff; --bad: #ff8787 }
}
* { box-sizing: border-box }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem }
main { max-width: 30rem; margin: 0 auto }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .5rem 0 1rem }
label { display: block; font-weight: 600; margin-top: 1.25rem }
.hint, .problem { margin: .15rem 0 .35rem; font-size: .9rem; color: var(--soft) }
.problem { color: var(--bad); font-weight: 600 }
input, button, .button {
  font: inherit; padding: .6rem .75rem; border-radius: .4rem; border: 1px solid var(--line); width: 100%
}
input[aria-invalid] { border-color: var(--bad) }
button, .button {
  margin-top: 1.75rem; border: 0; background: #3b5bdb; color: #fff; font-weight: 600; cursor: pointer;
  display: block; text-align: center; text-decoration: none
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[role=alert] { border-left: 4px solid var(--bad); padding: .25rem .75rem }
dt { font-weight: 600; margin-top: .75rem }
dd { margin: 0 }
code, pre {
  font: .9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap;
  background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .3rem; padding: .1rem .3rem
}
pre { padding: .75rem }
.people { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .5rem }
.people button { margin: 0 }
`

/**
 * The headers of a page with this style: they block scripts, other resources and framing, and hide
 * the page's URL from other sites. `no-referrer` would be stricter, but makes browsers send the page's
 * forms with `Origin: null`, as foreign ones.
 *
 * @param scripts whether scripts of this server may run
 */
export function pageHeaders(style: string, scripts = false): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      ...(scripts ? ["script-src 'self'"] : []),
      "img-src 'self'",
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

const headers = pageHeaders(css)
const scriptedHeaders = pageHeaders(css, true)

/**
 * Makes a response with a page.
 *
 * @param script the path of a script that makes it more comfortable; it has to work without
 */
export async function page(
  title: string,
  main: Html,
  status = 200,
  script?: string,
): Promise<Response> {
  const body = html`<main>\n${main}\n</main>${script && html`<script src="${script}"></script>`}`
  const document = await htmlDocument(title, css, body)
  return new Response(document, { status, headers: script ? scriptedHeaders : headers })
}

/** The HTML text of a page with its style. */
export async function htmlDocument(title: string, style: string, body: Html): Promise<string> {
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
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
