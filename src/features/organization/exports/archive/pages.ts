import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import { initials } from '#shared/initials.ts'
import { tokens } from '#shared/tokens.ts'

/** A page of an archive. */
export interface ArchivePage {
  readonly title: string
  /** The links above the title: names, and paths from the page. */
  readonly trail: readonly (readonly [string, string])[]
  /** HTML. */
  readonly main: string
  /** From the page to the archive's top folder. */
  readonly up: string
  /** What it loads beside its style: pictures and sounds, or the scripts of the search. */
  readonly needs?: 'files' | 'search'
}

/** On a disk, `self` is no file for every browser. */
const own = "'self' file:"

/** What a page may load and do: nothing that it does not need. */
function policyOf(needs: ArchivePage['needs']): string {
  return [
    "default-src 'none'",
    `script-src ${needs === 'search' ? own : "'none'"}`,
    `style-src ${own}`,
    ...(needs === 'files' ? [`img-src ${own}`, `media-src ${own}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The HTML text of a page, which loads nothing but the style and files of the archive. */
export function archivePage({ main, needs, title, trail, up }: ArchivePage): string {
  const links = trail.map(
    ([name, path]) => `<a href="${escapeAttribute(path)}">${escapeHtml(name)}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(needs)}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${up}style.css">
</head>
<body>
<header><div class="top">${links.length > 0 ? `<nav aria-label="Breadcrumbs">${links.join(' <span aria-hidden="true">/</span> ')}</nav>` : ''}
${needs === 'search' ? '' : `<a class="find" href="${up}search.html">Search</a>`}</div>
<h1>${escapeHtml(title)}</h1></header>
<main>
${main}
</main>${needs === 'search' ? '\n<script src="search/search.js"></script>' : ''}
</body>
</html>
`
}

/** A message as a page shows it. */
export interface ShownMessage {
  readonly id: number
  readonly sender: string
  /** The picture from the page; undefined: initials are shown. */
  readonly avatar: string | undefined
  /** In seconds since the epoch. */
  readonly sentAt: number
  readonly isEdited: boolean
  readonly isPinned: boolean
  /** HTML of the archive. */
  readonly html: string
  readonly reactions: readonly { readonly emoji: string; readonly people: readonly string[] }[]
}

/** Messages in their order, with a line before each new day. */
export function messagesHtml(messages: readonly ShownMessage[]): string {
  let day = ''
  return messages
    .map((message) => {
      const time = new Date(message.sentAt * 1000).toISOString()
      const isNewDay = !time.startsWith(day) || day === ''
      day = time.slice(0, 10)
      return `${isNewDay ? `<h2 class="day">${day}</h2>\n` : ''}${messageHtml(message, time)}`
    })
    .join('\n')
}

function messageHtml(
  { avatar, html, id, isEdited, isPinned, reactions, sender }: ShownMessage,
  time: string,
) {
  const picture = avatar
    ? `<img class="avatar" src="${escapeAttribute(avatar)}" alt="" width="36" height="36" loading="lazy">`
    : `<span class="avatar" aria-hidden="true">${escapeHtml(initials(sender))}</span>`
  const votes = reactions.map(
    ({ emoji, people }) =>
      `<li title="${escapeAttribute(people.join(', '))}">${emoji} ${people.length}</li>`,
  )
  return `<article id="m${id}">
${picture}
<div class="head"><b>${escapeHtml(sender)}</b> <a href="#m${id}"><time datetime="${time}">${time.slice(11, 16)}</time></a>${isEdited ? ' <small>edited</small>' : ''}${isPinned ? ' <small>pinned</small>' : ''}</div>
<div class="text">${html}</div>${votes.length > 0 ? `\n<ul class="reactions">${votes.join('')}</ul>` : ''}
</article>`
}

/** A list of links with a line of details each. */
export function linkList(
  items: readonly { readonly name: string; readonly path: string; readonly details: string }[],
): string {
  const lines = items.map(
    ({ details, name, path }) =>
      `<li><a href="${escapeAttribute(path)}">${escapeHtml(name)}</a> <small>${escapeHtml(details)}</small></li>`,
  )
  return `<ul class="links">\n${lines.join('\n')}\n</ul>`
}

/** The links between the pages of a long conversation; empty if it has one. */
export function pager(current: number, last: number, pathOf: (page: number) => string): string {
  if (last <= 1) return ''
  const link = (page: number, text: string) =>
    page < 1 || page > last ? `<span>${text}</span>` : `<a href="${pathOf(page)}">${text}</a>`
  return `<nav class="pager" aria-label="Pages">${link(current - 1, 'Older')} <span>Page ${current} of ${last}</span> ${link(current + 1, 'Newer')}</nav>`
}

export const archiveStyle = `${tokens}
* { box-sizing: border-box }
body {
  font: 15px/1.5 var(--font);
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 48rem; background: var(--paper); color: var(--ink)
}
header { position: sticky; top: 0; padding: .5rem 0; background: var(--paper); border-bottom: 1px solid var(--line-soft); z-index: 1 }
header nav, .find { font-size: .8125rem; color: var(--ink-soft) }
.top { display: flex; gap: 1rem }
.find { margin-inline-start: auto; color: var(--link) }
h1 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -.01em; margin: .1rem 0; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 2rem 0 .5rem }
h2.day { font-size: .8125rem; color: var(--ink-soft); text-align: center; font-weight: 600 }
a { color: var(--link); text-underline-offset: .15em }
small, .head a { color: var(--ink-soft); font-size: .8125rem; text-decoration: none }
.links { list-style: none; padding: 0; margin: .5rem 0 }
.links li { padding: .45rem 0; border-bottom: 1px solid var(--line-soft); overflow-wrap: anywhere }
article { display: grid; grid-template-columns: 36px 1fr; column-gap: .75rem; padding: .5rem; border-radius: 10px; scroll-margin-top: 5rem }
article:target { background: var(--paper-hover) }
.avatar {
  grid-row: 1 / span 3; width: 36px; height: 36px; border-radius: 28%; display: grid; place-items: center;
  background: var(--accent); color: var(--ink-on-accent); font-size: .8125rem; font-weight: 600
}
.text { min-width: 0; overflow-wrap: anywhere }
.text p { margin: 0 0 .35rem }
.text img { max-width: 100%; max-height: 24rem; border-radius: 10px }
.text img.emoji { height: 1.25em; vertical-align: -.25em; border-radius: 0 }
.text blockquote { margin: .35rem 0; padding-inline-start: .75rem; border-inline-start: 3px solid var(--line-strong); color: var(--ink-soft) }
.text pre { overflow-x: auto; padding: .6rem .75rem; border-radius: 10px; background: var(--paper-sunken); margin: .35rem 0 }
.text code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.text table { border-collapse: collapse; display: block; overflow-x: auto }
.text th, .text td { border: 1px solid var(--line-soft); padding: .25rem .6rem; text-align: start }
.text .center { text-align: center }
.text .right { text-align: right }
.user-mention, .user-group-mention { font-weight: 600 }
.katex-html { display: none }
.reactions { grid-column: 2; list-style: none; display: flex; flex-wrap: wrap; gap: .35rem; padding: 0; margin: .25rem 0 0 }
.reactions li { padding: .05rem .5rem; border-radius: 999px; background: var(--paper-sunken); font-size: .8125rem }
.reactions img { height: 1.1em; vertical-align: -.2em }
.pager { display: flex; justify-content: space-between; margin: 1rem 0; font-size: .875rem; color: var(--ink-soft) }
input[type=search], button {
  font: inherit; color: inherit; background: var(--paper-raised); border: 1px solid var(--line-control); border-radius: 10px; padding: .5rem .75rem
}
input[type=search] { display: block; width: 100% }
button { min-height: 2.75rem; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.results { list-style: none; padding: 0; margin: .5rem 0 }
.results li { padding: .6rem 0; border-bottom: 1px solid var(--line-soft); overflow-wrap: anywhere }
.results p { margin: .15rem 0 0 }
mark { background: light-dark(#ffe58a, #6b5300); color: inherit; border-radius: 3px }
@media print { header { position: static } }
`
