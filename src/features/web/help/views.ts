import { html, raw } from 'hono/html'
import { type Html, htmlDocument } from '#platform/pages/html.ts'
import { markPath } from '#platform/pages/mark.ts'
import { sections } from './contents.ts'
import type { HelpPage } from './rendering.ts'
import type { HelpResult } from './searching.ts'
import { helpStyle } from './style.ts'

/** The pages are in English, whatever the reader's language is. */
const english = { language: 'en', direction: 'ltr' } as const

/** The title of each page, by its path. */
export type Titles = ReadonlyMap<string, string>

export const titlesOf = (pages: readonly HelpPage[]): Titles =>
  new Map(pages.map(({ path, title }) => [path, title]))

/** The first page: the search, and all pages by whom they are for. */
export function startPage(titles: Titles): Promise<string> {
  const main = html`<h1>How can we help?</h1>
${searchForm('')}
<ul class="cards">${sections.map(
    ({ name, pages, title }) =>
      html`<li><h2>${title}</h2><ul>${pages.map((page) => pageLink(titles, `${name}/${page}`))}</ul></li>`,
  )}</ul>`
  return layout('Help', titles, main)
}

export function resultsPage(
  titles: Titles,
  words: string,
  results: readonly HelpResult[],
): Promise<string> {
  const main = html`<h1>Search</h1>
${searchForm(words, results)}`
  return layout(`${words} – Help`, titles, main)
}

export function helpPage(titles: Titles, { html: text, path, title }: HelpPage): Promise<string> {
  const paths = [...titles.keys()]
  const at = paths.indexOf(path)
  const [before, after] = [paths[at - 1], paths[at + 1]]
  const main = html`${searchForm('')}
<h1>${title}</h1>
${raw(text)}
<nav class="next" aria-label="Previous and next page">
<span>${before && html`<a href="/help/${before}">← ${titles.get(before)}</a>`}</span>
<span>${after && html`<a href="/help/${after}">${titles.get(after)} →</a>`}</span>
</nav>`
  return layout(`${title} – Help`, titles, main, path)
}

function searchForm(words: string, results?: readonly HelpResult[]): Html {
  return html`<form action="/help/" role="search">
<input type="search" name="q" value="${words}" maxlength="200" aria-label="Search the help" placeholder="Search the help">
</form>
<p role="status">${results?.length === 0 ? 'Nothing found. Try other words.' : ''}</p>
<ul class="found">${results?.map(
    ({ address, excerpt, heading, title }) =>
      html`<li><a href="${address}">${heading === undefined ? title : `${title} › ${heading}`}</a><p>${excerpt}</p></li>`,
  )}</ul>`
}

function pageLink(titles: Titles, path: string, current?: string): Html {
  return html`<li><a href="/help/${path}"${path === current ? raw(' aria-current="page"') : ''}>${titles.get(path)}</a></li>`
}

function layout(title: string, titles: Titles, main: Html, current?: string): Promise<string> {
  const body = html`<a class="skip" href="#main">Skip to the text</a>
<div class="side">
<a class="home" href="/help/"><svg viewBox="18 12 68 78" aria-hidden="true"><path fill-rule="evenodd" d="${markPath}"/></svg>Parley help</a>
<p><a href="/">Back to the chat</a> · <a href="/api/">API</a></p>
<details class="pages" open><summary>All pages</summary>
<nav aria-label="Help">${sections.map(
    ({ name, pages, title }) =>
      html`<h2>${title}</h2><ul>${pages.map((page) => pageLink(titles, `${name}/${page}`, current))}</ul>`,
  )}</nav></details>
</div>
<main id="main">
${main}
</main>
<script src="/help/search.js"></script>`
  return htmlDocument(english, title, helpStyle, body)
}
