import type { Context } from './context.ts'
import { escapeHtml } from './escape.ts'
import { renderLinkTo, safeHref } from './hrefs.ts'
import type { Found } from './inline.ts'
import { topLevelDomains } from './lazy.cjs'

export interface Autolink {
  start: number
  end: number
  href: string
}

/** Domains that are far more often the end of a file's name. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

let domains: Set<string> | undefined

function isTopLevelDomain(label: string): boolean {
  domains ??= new Set(topLevelDomains().filter((domain) => !fileEndings.has(domain)))
  // `end.It` is two sentences without a space between them.
  return domains.has(label) || (label === label.toUpperCase() && domains.has(label.toLowerCase()))
}

/** Cheap look for what every link has: a dot or a colon within a word, or an `@`. */
const mayLink = /\S[.:@][^\s.]/
const words = /\S+/g
/** A link follows white space, one of these, or nothing. */
const opener = new Set([...`'"(,:<[{*~|>（【《「『，。：；、！？`])
/** What may stand between a link and the next white space without being part of it. */
const trailing = new Set([...`!:;?),.'">*~|]}）】》」』，。：；、！？`])
/** Pairs of parentheses within each other in one address. */
const maxParentheses = 6
/** A word in which this many beginnings came to nothing is not looked at any further. */
const maxAttempts = 8

const scheme = /https?:\/\//iy
const bitcoin = /bitcoin:[13][1-9A-HJ-NP-Za-km-z]{25,34}/y
const hostWithScheme = /\[[\da-f:.]+\](?::\d+)?|[\p{L}\p{N}_.:@-]+/iuy
const domain = /(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+/uy
const mail = /[\p{L}\p{N}_.+%-]+@(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_]+/uy

/**
 * Finds the addresses in a text that are links by themselves: with `http://` or `https://` any, a
 * bare domain with a top-level domain that exists, mail addresses, and `bitcoin:`. An address reaches to the
 * next white space, except for punctuation there; where something else follows it is no link.
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

/** The link that begins here; 'none' if one seemed to begin. */
function linkIn(word: string, at: number): { end: number; href: string } | 'none' | undefined {
  scheme.lastIndex = at
  if (scheme.test(word)) {
    hostWithScheme.lastIndex = scheme.lastIndex
    if (!hostWithScheme.test(word)) return 'none'
    const end = endOfAddress(word, at, hostWithScheme.lastIndex)
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
  const end = endOfAddress(word, at, domain.lastIndex)
  return end === undefined ? 'none' : { end, href: `http://${word.slice(at, end)}` }
}

/** Where an address ends whose host ends at `hostEnd`; undefined when something is stuck to it. */
function endOfAddress(word: string, start: number, hostEnd: number): number | undefined {
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
  const address = endBeforeTrailing(word, end)
  if (address === undefined) return undefined
  while (end > start && isLoose(word, start, end)) end--
  return end > start + minimalAddress ? end : undefined
}

/** Shorter than `a.bc` is no address. */
const minimalAddress = 3

/** Whether the last character before `end` is punctuation after an address rather than of it. */
function isLoose(word: string, start: number, end: number): boolean {
  const last = word[end - 1] ?? ''
  if (last === ')') return false
  if (last === ']') return !word.slice(start, end).includes('[')
  if (last === '}') return !word.slice(start, end).includes('{')
  return trailing.has(last)
}

/** `end`, if only punctuation follows in the word. */
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
