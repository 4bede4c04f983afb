import {
  characterAt,
  characterBefore,
  foreignMarks,
  isEmoji,
  isForeignMark,
  isUnspaced,
} from './boundaries.ts'
import type { Context } from './context.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import { safeHref } from './hrefs.ts'
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
/** A link starts at the beginning of the text, after white space, one of these, or an emoji. */
const opener = new Set([...`'"(,:<[{*~|>${foreignMarks}`])
/** Punctuation that may follow a link without being part of it. */
const trailing = new Set([...`!:;?),.'">*~|]}${foreignMarks}`])
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
 * top-level domain, email addresses, and `bitcoin:`. A URL extends to the next white space, quotation
 * mark, angle bracket, emoji or punctuation outside ASCII, except for trailing punctuation; if anything
 * else follows it, it is not a link.
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
    const isFree = before === undefined || opener.has(before)
    if (isFree || before > '\x7f') {
      // Behind letters of other scripts, only a scheme shows that a URL begins.
      const isBehindEmoji = !isFree && isEmoji(characterBefore(word, at))
      const link = isFree || isBehindEmoji ? linkIn(word, at) : linkWithScheme(word, at)
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

interface FoundLink {
  readonly end: number
  readonly href: string
}

/** The link that starts here; 'none' if the start of one turned out not to be a link. */
function linkIn(word: string, at: number): FoundLink | 'none' | undefined {
  const whole = linkWithScheme(word, at)
  if (whole) return whole
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
  const hostEnd = endOfHost(word, at, domain.lastIndex)
  const host = word.slice(at, hostEnd)
  if (!isTopLevelDomain(host.slice(host.lastIndexOf('.') + 1))) return undefined
  const end = endOfUrl(word, at, hostEnd)
  return end === undefined ? 'none' : { end, href: `http://${word.slice(at, end)}` }
}

/** The link with `http://` or `https://` that starts here. */
function linkWithScheme(word: string, at: number): FoundLink | 'none' | undefined {
  scheme.lastIndex = at
  if (!scheme.test(word)) return undefined
  const from = scheme.lastIndex
  hostWithScheme.lastIndex = from
  if (!hostWithScheme.test(word)) return 'none'
  const hostEnd = endOfHost(word, from, hostWithScheme.lastIndex)
  const host = word.slice(from, hostEnd)
  if (!/^\[|^[^:]*[\p{L}\p{N}]/u.test(host.slice(host.lastIndexOf('@') + 1))) return 'none'
  const end = endOfUrl(word, at, hostEnd)
  return end === undefined ? 'none' : { end, href: word.slice(at, end) }
}

/**
 * The end of a host, if what the pattern took for its last label is one in ASCII and a word behind it:
 * a label of another script has no ASCII letters before its own.
 */
function endOfHost(word: string, start: number, end: number): number {
  const label = start + word.slice(start, end).lastIndexOf('.') + 1
  if (label === start) return end
  const [ascii = ''] = /^[a-z]+/i.exec(word.slice(label, end)) ?? []
  const behind = label + ascii.length
  const isWord = behind < end && isUnspaced(characterAt(word, behind))
  return isWord && isTopLevelDomain(ascii) ? behind : end
}

/**
 * The end of a URL whose host ends at `hostEnd`; undefined if other text follows immediately. A
 * parenthesis that is not closed does not belong to it.
 */
function endOfUrl(word: string, start: number, hostEnd: number): number | undefined {
  const open: number[] = []
  let end = hostEnd
  if (word[end] === '/' || word[end] === '?' || word[end] === '#') {
    for (; end < word.length; end++) {
      const char = word[end] ?? ''
      if (char === '"' || char === '<' || isForeignMark(char)) break
      if (isEmoji(characterAt(word, end)) && !/[/?#=&]/.test(word[end - 1] ?? '')) break
      if (char === '(' && open.push(end) > maxParentheses) return undefined
      if (char === ')' && open.pop() === undefined) break
    }
    end = open[0] ?? end
  }
  const next = end < word.length ? characterAt(word, end) : ''
  // Code has `name<T>` and `name()`, without a scheme or a path.
  const isSure = end > hostEnd || word.startsWith('http', start)
  const isEnd =
    (isSure && /^["<]$/.test(next)) ||
    open.length > 0 ||
    isForeignMark(next) ||
    isEmoji(next) ||
    isUnspaced(next)
  if (!isEnd && endBeforeTrailing(word, end) === undefined) return undefined
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

export function renderAutolink(
  link: Autolink,
  source: string,
  context: Context,
): MarkdownConstruct {
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
