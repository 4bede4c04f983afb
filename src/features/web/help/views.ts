import { html, raw } from 'hono/html'
import { type Html, htmlDocument } from '#platform/pages/html.ts'
import { markPath } from '#platform/pages/mark.ts'
import type { Translator } from '#translations/translate.ts'
import { sections } from './contents.ts'
import type { HelpPage, HelpPart } from './rendering.ts'
import type { HelpResult } from './searching.ts'
import { helpStyle } from './style.ts'

/** The title of each page, by its path. */
export type Titles = ReadonlyMap<string, string>

export const titlesOf = (pages: readonly HelpPage[]): Titles =>
  new Map(pages.map(({ path, title }) => [path, title]))

/** The first page: the search, and all pages by whom they are for. */
export function startPage(language: Translator, titles: Titles): Promise<string> {
  const { t } = language
  const main = html`<h1>${t('How can we help?')}</h1>
${searchForm(language, '')}
<ul class="cards">${sections.map(
    ({ name, pages, title }) =>
      html`<li><h2>${t(title)}</h2><ul lang="en">${pages.map((page) => pageLink(titles, `${name}/${page}`))}</ul></li>`,
  )}</ul>`
  return layout(language, t('Help'), titles, main)
}

export function resultsPage(
  language: Translator,
  titles: Titles,
  words: string,
  results: readonly HelpResult[],
): Promise<string> {
  const { t } = language
  const main = html`<h1>${t('Search')}</h1>
${searchForm(language, words, results)}`
  return layout(language, `${words} – ${t('Help')}`, titles, main)
}

/** A page, which is in English, in a frame in the reader's language. */
export function helpPage(
  language: Translator,
  titles: Titles,
  { html: text, parts, path, title }: HelpPage,
): Promise<string> {
  const { t } = language
  const paths = [...titles.keys()]
  const at = paths.indexOf(path)
  const [before, after] = [paths[at - 1], paths[at + 1]]
  const main = html`${searchForm(language, '')}
<article lang="en" dir="ltr"><h1>${title}</h1>
${raw(text)}</article>
<nav class="next" lang="en" dir="ltr" aria-label="${t('Previous and next page')}">
<span>${before && html`<a href="/help/${before}">← ${titles.get(before)}</a>`}</span>
<span>${after && html`<a href="/help/${after}">${titles.get(after)} →</a>`}</span>
</nav>`
  const beside = contentsOf(language, parts)
  return layout(language, `${title} – ${t('Help')}`, titles, main, { current: path, beside })
}

/** The sections of a page, for windows with room beside it; nothing for a page of few. */
function contentsOf({ t }: Translator, parts: readonly HelpPart[]): Html | string {
  const sectionsOfPage = parts.filter(({ depth }) => depth === 2)
  if (sectionsOfPage.length < 3) return ''
  return html`<nav class="contents" lang="en" aria-label="${t('On this page')}"><h2>${t('On this page')}</h2>
<ul>${sectionsOfPage.map(({ anchor, heading }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}</ul></nav>`
}

function searchForm({ t }: Translator, words: string, results?: readonly HelpResult[]): Html {
  const nothing = t('Nothing found. Try other words.')
  return html`<form action="/help/" role="search">
<input type="search" name="q" value="${words}" maxlength="200" aria-label="${t('Search the help')}" placeholder="${t('Search the help')}">
</form>
<p role="status" data-nothing="${nothing}" data-found="${t('Results: {count}')}">${results?.length === 0 ? nothing : ''}</p>
<ul class="found" lang="en" dir="ltr">${results?.map(
    ({ address, excerpt, heading, title }) =>
      html`<li><a href="${address}">${heading === undefined ? title : `${title} › ${heading}`}</a><p>${excerpt}</p></li>`,
  )}</ul>`
}

function pageLink(titles: Titles, path: string, current?: string): Html {
  return html`<li><a href="/help/${path}"${path === current ? raw(' aria-current="page"') : ''}>${titles.get(path)}</a></li>`
}

function layout(
  language: Translator,
  title: string,
  titles: Titles,
  main: Html,
  { current, beside = '' }: { current?: string; beside?: Html | string } = {},
): Promise<string> {
  const { t } = language
  const body = html`<a class="skip" href="#main">${t('Skip to the text')}</a>
<div class="side">
<a class="home" href="/help/"><svg viewBox="18 12 68 78" aria-hidden="true"><path fill-rule="evenodd" d="${markPath}"/></svg>${t('Parley help')}</a>
<p><a href="/">${t('Back to the chat')}</a> · <a href="/api/">API</a></p>
<details class="pages" open><summary>${t('All pages')}</summary>
<nav aria-label="${t('Help')}">${sections.map(
    ({ name, pages, title }) =>
      html`<h2>${t(title)}</h2><ul lang="en">${pages.map((page) => pageLink(titles, `${name}/${page}`, current))}</ul>`,
  )}</nav></details>
</div>
<main id="main">
${main}
</main>
${beside}
<script src="/help/search.js"></script>`
  return htmlDocument(language, title, helpStyle, body)
}
