import type { Context } from './context.ts'
import { escapeHtml } from './escape.ts'
import { safeHref } from './hrefs.ts'
import type { Found } from './inline.ts'
import { topLevelDomains } from './lazy.cjs'
import { renderLinkTo } from './rendered-links.ts'

export interface Autolink {
  start: number
  end: number
  href: string
}

/** Top-level domains that are far more often file extensions. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

let domains: Set<string> | undefined

function isTopLevelDomain(label: string): boolean {
  domains ??= new Set(topLevelDomains().filter((domain) => !fileEndings.has(domain)))
  // `end.It` is two sentences without a space between them.
  return domains.has(label) || (label === label.toUpperCase() && domains.has(label.toLowerCase()))
}

/** A cheap check for what every link contains: a dot, colon or `@` within a word. */
const mayLink = /\S[.:@][^\s.]/
const words = /\S+/g
/** A link starts at the beginning of the text, after white space, or after one of these. */
const opener = new Set([...`'"(,:<[{*~|>（【《「『，。：；、！？`])
/** Punctuation that may follow a link without being part of it. */
const trailing = new Set([...`!:;?),.'">*~|]}）】》」』，。：；、！？`])
/** The most nested pairs of parentheses in one URL. */
const maxParentheses = 6
/** The number of failed attempts after which the rest of a word is skipped. */
const maxAttempts = 8

const scheme = /https?:\/\//iy
const bitcoin = /bitcoin:[13][1-9A-HJ-NP-Za-km-z]{25,34}/y
const hostWithScheme = /\[[\da-f:.]+\](?::\d+)?|[\p{L}\p{N}_.:@-]+/iuy
const domain = /(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+/uy
const mail = /[\p{L}\p{N}_.+%-]+@(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_]+/uy

/**
 * Finds the bare URLs in a text: any with `http://` or `https://`, domains with an existing
 * top-level domain, email addresses, and `bitcoin:`. A URL extends to the next white space, except
 * for trailing punctuation; if anything else follows it, it is not a link.
 */
export function findAutolinks(source: string): Autolink[] {
  if (!mayLink.test(source)) return []
  const links: Autolink[] = []
  words.lastIndex = 0
  for (let match = words.exec(source); match; match = words.exec(source)) {
    const [word] = match
    if (/[.:@]/.test(word)) findInWord(word, match.index, links)
  }
  return links
}

function findInWord(word: string, offset: number, links: Autolink[]): void {
  let attempts = 0
  let at = 0
  while (at < word.length && attempts < maxAttempts) {
    const before = word[at - 1]
    if (before === undefined || opener.has(before)) {
      const link = linkIn(word, at)
      if (link === 'none') {
        attempts++
      } else if (link) {
        links.push({ start: offset + at, end: offset + link.end, href: link.href })
        at = link.end
      }
    }
    at++
  }
}

/** The link that starts here; 'none' if the start of one turned out not to be a link. */
function linkIn(word: string, at: number): { end: number; href: string } | 'none' | undefined {
  scheme.lastIndex = at
  if (scheme.test(word)) {
    hostWithScheme.lastIndex = scheme.lastIndex
    if (!hostWithScheme.test(word)) return 'none'
    const end = endOfUrl(word, at, hostWithScheme.lastIndex)
    return end === undefined ? 'none' : { end, href: word.slice(at, end) }
  }
  bitcoin.lastIndex = at
  if (bitcoin.test(word)) {
    const end = endBeforeTrailing(word, bitcoin.lastIndex)
    if (end !== undefined) return { end, href: word.slice(at, end) }
  }
  mail.lastIndex = at
  if (mail.test(word)) {
    const end = endBeforeTrailing(word, mail.lastIndex)
    if (end !== undefined) return { end, href: `mailto:${word.slice(at, end)}` }
  }
  domain.lastIndex = at
  if (!domain.test(word)) return undefined
  const host = word.slice(at, domain.lastIndex)
  if (!isTopLevelDomain(host.slice(host.lastIndexOf('.') + 1))) return undefined
  const end = endOfUrl(word, at, domain.lastIndex)
  return end === undefined ? 'none' : { end, href: `http://${word.slice(at, end)}` }
}

/** The end of a URL whose host ends at `hostEnd`; undefined if other text follows immediately. */
function endOfUrl(word: string, start: number, hostEnd: number): number | undefined {
  let depth = 0
  let end = hostEnd
  if (word[end] === '/' || word[end] === '?' || word[end] === '#') {
    for (; end < word.length; end++) {
      const char = word[end]
      if (char === '"' || char === '<') break
      if (char === '(' && ++depth > maxParentheses) return undefined
      if (char === ')' && --depth < 0) break
    }
    if (depth > 0) return undefined
  }
  if (endBeforeTrailing(word, end) === undefined) return undefined
  while (end > start && isLoose(word, start, end)) end--
  return end > start + minimalLength ? end : undefined
}

/** A URL is longer than this: the shortest is `a.bc`. */
const minimalLength = 3

/** Whether the last character before `end` is punctuation after the URL rather than part of it. */
function isLoose(word: string, start: number, end: number): boolean {
  const last = word[end - 1] ?? ''
  if (last === ')') return false
  if (last === ']') return !word.slice(start, end).includes('[')
  if (last === '}') return !word.slice(start, end).includes('{')
  return trailing.has(last)
}

/** Returns `end` if only punctuation follows it in the word. */
function endBeforeTrailing(word: string, end: number): number | undefined {
  for (let at = end; at < word.length; at++) {
    if (!trailing.has(word[at] ?? '')) return undefined
  }
  return end
}

export function renderAutolink(link: Autolink, source: string, context: Context): Found {
  return {
    end: link.end,
    render: () => {
      const label = source.slice(link.start, link.end)
      context.text.push(label)
      const href = safeHref(link.href, context.lookups.realmUrl) ?? link.href
      return renderLinkTo(href, escapeHtml(label), undefined, undefined, context)
    },
  }
}
