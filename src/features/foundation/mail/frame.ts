import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import { colors, radii } from '#shared/tokens.ts'
import type { Translator } from '#translations/translate.ts'

/** A part of a mail, which every mail has as plain text and as HTML. */
export type Part =
  /** A paragraph of plain text. */
  | string
  /** A link: its purpose, its address, and the label of its button. */
  | { readonly lead: string; readonly url: string; readonly button: string }
  /** A line for each name and value. */
  | { readonly facts: readonly (readonly [name: string, value: string])[] }
  /** A quote. */
  | { readonly quote: string }
  /** Prepared in both forms. */
  | { readonly text: string; readonly html: string }

/** A line at the end of a mail, with a link that the HTML shows as `label`. */
export type FooterLine =
  | string
  | { readonly lead: string; readonly url: string; readonly label: string }

export interface Contents {
  /** The reader's. */
  readonly language: Pick<Translator, 'language' | 'direction'>
  readonly address: string
  readonly subject: string
  /** The name of the organization, at the top. */
  readonly organization: string
  readonly parts: readonly Part[]
  /** Groups of lines below the mail. */
  readonly footer?: readonly (readonly FooterLine[])[]
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Mail {
  /** The email address, without a name. */
  readonly address: string
  readonly subject: string
  /** Plain text. */
  readonly body: string
  /** The same as an HTML document. */
  readonly html: string
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a mail: the same parts as plain text and as HTML, in the common frame. */
export function composed(contents: Contents): Mail {
  const { address, subject, parts, footer = [], headers } = contents
  const ends = footer.map((lines) => ['--', ...lines.map(lineText)].join('\n'))
  return {
    address,
    subject,
    body: `${[...parts.map(partText), ...ends].join('\n\n')}\n`,
    html: documentOf(contents),
    ...(headers && { headers }),
  }
}

function partText(part: Part): string {
  if (typeof part === 'string') return part
  if ('text' in part) return part.text
  if ('lead' in part) return `${part.lead}\n${part.url}`
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  return part.quote.replace(/^/gm, '> ')
}

function lineText(line: FooterLine): string {
  return typeof line === 'string' ? line : `${line.lead}: ${line.url}`
}

function partHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if ('html' in part) return part.html
  if ('lead' in part) {
    const url = escapeAttribute(part.url)
    return (
      `<p>${escapeHtml(part.lead)}</p>\n` +
      `<p><a class="button" href="${url}" style="${buttonStyle}">${escapeHtml(part.button)}</a></p>\n` +
      `<p class="soft" style="${softStyle}">${url}</p>`
    )
  }
  if ('facts' in part) {
    const lines = part.facts.map(
      ([name, value]) => `<strong>${escapeHtml(name)}:</strong> ${escapeHtml(value)}`,
    )
    return `<p>${lines.join('<br>\n')}</p>`
  }
  return `<blockquote>${escapeHtml(part.quote).replaceAll('\n', '<br>\n')}</blockquote>`
}

function lineHtml(line: FooterLine): string {
  if (typeof line === 'string') return escapeHtml(line)
  const { lead, url, label } = line
  return `${escapeHtml(lead)}: <a href="${escapeAttribute(url)}">${escapeHtml(label)}</a>`
}

// Inline, because some programs drop style blocks.
const buttonStyle =
  `display:inline-block;padding:10px 18px;border-radius:${radii.radius};background:${colors.accent.light};color:${colors['ink-on-accent'].light};` +
  'font-weight:600;text-decoration:none'
const softStyle = `font-size:13px;color:${colors['ink-soft'].light};overflow-wrap:anywhere`
const bodyStyle =
  `margin:0;padding:24px 12px;background:${colors['paper-side'].light};color:${colors.ink.light};` +
  'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const sheetStyle =
  `max-width:600px;margin:0 auto;padding:20px 24px;border-radius:${radii['radius-large']};background:${colors.paper.light};` +
  `border:1px solid ${colors['line-soft'].light};overflow-wrap:anywhere`

/** Styles that cannot be inline, and the colors of dark mode, which have to override them. */
const css = `
p { margin: 0 0 14px }
.sheet > :last-child, .sheet > :last-child > :last-child { margin-bottom: 0 }
a { color: ${colors.link.light} }
blockquote { margin: 0 0 14px; padding-inline-start: 12px; border-inline-start: 3px solid ${colors['line-strong'].light} }
pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px; background: ${colors['paper-sunken'].light}; border-radius: ${radii['radius-small']} }
code { padding: 1px 4px }
pre { margin: 0 0 14px; padding: 10px 12px; white-space: pre-wrap }
pre code { padding: 0 }
ul, ol { margin: 0 0 14px; padding-inline-start: 24px }
h1, h2, h3, h4, h5, h6 { font-size: 17px; margin: 0 0 10px }
hr { border: 0; border-top: 1px solid ${colors['line-strong'].light} }
table { border-collapse: collapse; margin: 0 0 14px }
th, td { border: 1px solid ${colors['line-strong'].light}; padding: 4px 8px }
.who { font-weight: 600; margin: 18px 0 4px }
.sheet > .who:first-child { margin-top: 0 }
.mention { background: ${colors['paper-active'].light}; border-radius: ${radii['radius-small']}; padding: 0 3px }
@media (prefers-color-scheme: dark) {
  body { background: ${colors['paper-side'].dark} !important; color: ${colors.ink.dark} !important }
  .sheet { background: ${colors.paper.dark} !important; border-color: ${colors['paper-hover'].dark} !important }
  .soft, .foot { color: ${colors['ink-soft'].dark} !important }
  a { color: ${colors.link.dark} }
  .foot a { color: #c4cece !important }
  .button { background: ${colors.accent.dark} !important; color: ${colors['ink-on-accent'].dark} !important }
  pre, code { background: ${colors['paper-raised'].dark} }
  blockquote, hr, th, td { border-color: ${colors['line-strong'].dark} }
  .mention { background: ${colors['paper-active'].dark} }
}
`

function documentOf({ language, subject, organization, parts, footer = [] }: Contents): string {
  const foot = footer.map((lines) => `<p>${lines.map(lineHtml).join('<br>\n')}</p>`).join('\n')
  return `<!doctype html>
<html lang="${language.language}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${css}</style>
</head>
<body style="${bodyStyle}">
<p class="soft" style="max-width:600px;margin:0 auto 10px;font-size:14px;font-weight:600;color:${colors['ink-soft'].light}">${escapeHtml(organization)}</p>
<div class="sheet" style="${sheetStyle}">
${parts.map(partHtml).join('\n')}
</div>
${foot && `<div class="foot" style="max-width:600px;margin:14px auto 0;font-size:13px;color:${colors['ink-soft'].light}">\n${foot}\n</div>\n`}</body>
</html>
`
}
