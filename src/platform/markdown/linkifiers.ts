import { parseTemplate, type Template } from 'url-template'
import { foreignMarks, unspaced } from './boundaries.ts'
import { safeHref } from './hrefs.ts'
import { re2 } from './lazy.cjs'
import { namingLimits } from './naming.ts'
import type { Linkifier } from './types.ts'
import { namesInTemplate } from './url-templates.ts'

export interface LinkifiedText {
  start: number
  end: number
  text: string
  url: string
}

type Pattern = ReturnType<ReturnType<typeof re2>['RE2JS']['compile']>

interface CompiledLinkifier {
  /** The linkifier's pattern as group 1, between the characters required before and after it. */
  pattern: Pattern
  names: string[]
  template: Template
}

/** Compiled linkifiers by pattern; undefined if the pattern or the template is invalid. */
const cache = new Map<string, { urlTemplate: string; compiled: CompiledLinkifier | undefined }>()
const maxCached = 500

/** By pattern, a string that every match contains, or an empty one. */
const literals = new Map<string, string>()
const maxLiterals = 10_000

/**
 * Finds the matches of linkifiers in `source.slice(from, to)`, in order of position. A match is at
 * the start, or follows white space, an opening bracket, a quotation mark, `,`, `:`, an emphasis mark,
 * an emoji or a letter of a script without spaces, and no other letter or digit follows it. Earlier linkifiers take precedence where two overlap.
 */
export function linkify(
  source: string,
  from: number,
  to: number,
  linkifiers: readonly Linkifier[],
): LinkifiedText[] {
  const found: LinkifiedText[] = []
  let free: [from: number, to: number][] = [[from, to]]
  for (const linkifier of linkifiers) {
    const left: [from: number, to: number][] = []
    for (const [start, end] of free) {
      let at = start
      for (const link of matchesIn(source, start, end, linkifier)) {
        found.push(link)
        if (link.start > at) left.push([at, link.start])
        at = link.end
      }
      if (end > at) left.push([at, end])
    }
    free = left
  }
  return found.sort((a, b) => a.start - b.start)
}

/** The linkifiers that may match in a text, up to a limit: for most messages, none. */
export function matchingLinkifiers(
  text: string,
  linkifiers: readonly Linkifier[],
): readonly Linkifier[] {
  const matching: Linkifier[] = []
  for (const linkifier of linkifiers) {
    if (matching.length === namingLimits.linkifiers) break
    if (mayMatch(text, linkifier)) matching.push(linkifier)
  }
  return matching
}

/** A cheap check: compiling a pattern takes nearly a millisecond, and most match nothing. */
function mayMatch(text: string, { pattern }: Pick<Linkifier, 'pattern'>): boolean {
  let literal = literals.get(pattern)
  if (literal === undefined) {
    literal = requiredLiteral(pattern)
    if (literals.size >= maxLiterals) literals.clear()
    literals.set(pattern, literal)
  }
  return text.includes(literal)
}

/**
 * Checks that a linkifier's pattern is valid RE2, that its template is valid RFC 6570 with an
 * allowed scheme, and that both have the same names. RE2 matches any pattern in linear time.
 */
export function checkLinkifier(
  linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>,
): 'ok' | 'bad pattern' | 'bad template' | 'names differ' {
  let names: string[]
  try {
    names = Object.keys(re2().RE2JS.compile(linkifier.pattern).namedGroups())
  } catch {
    return 'bad pattern'
  }
  const used = namesInTemplate(linkifier.urlTemplate)
  if (!used) return 'bad template'
  const same = names.length === used.size && names.every((name) => used.has(name))
  return same ? 'ok' : 'names differ'
}

/**
 * Whether `reverseTemplate` (`#{id}`), filled in with the values the pattern captures in `example`,
 * gives `example` again. The pattern must match all of `example`.
 */
export function reversesExample(
  linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>,
  reverseTemplate: string,
  example: string,
): boolean {
  const compiled = compile(linkifier)
  const matcher = compiled?.pattern.matcher(`\n${example}\n`)
  if (!compiled || !matcher?.find() || matcher.group(1) !== example) return false
  const reversed = reverseTemplate.replace(/\{(\w+)\}/g, (whole, name: string) =>
    compiled.names.includes(name) ? (matcher.group(name) ?? '') : whole,
  )
  return reversed === example
}

function compile(
  linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>,
): CompiledLinkifier | undefined {
  const { pattern, urlTemplate } = linkifier
  const cached = cache.get(pattern)
  if (cached?.urlTemplate === urlTemplate) return cached.compiled
  const compiled = compileNow(linkifier)
  cache.delete(pattern)
  cache.set(pattern, { urlTemplate, compiled })
  const oldest = cache.keys().next()
  if (cache.size > maxCached && !oldest.done) cache.delete(oldest.value)
  return compiled
}

const unspacedScripts = unspaced.map((script) => `\\p{${script}}`).join('')
/** Signs and what colors or joins emoji. */
const pictures = '\\p{So}\\p{Sk}\\x{FE0F}\\x{20E3}\\x{E007F}'
const before = `[\\s\\pZ'"(,:<\\[{*~${foreignMarks}ー${unspacedScripts}${pictures}]`
const behind = `(?:[^\\pL\\pN]|[ー${unspacedScripts}])`

function compileNow(
  linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>,
): CompiledLinkifier | undefined {
  try {
    const { RE2JS } = re2()
    const bare = RE2JS.compile(linkifier.pattern)
    // The neighbouring characters are part of the match, because RE2 has no look-around.
    const pattern = RE2JS.compile(`${before}(${linkifier.pattern})${behind}`)
    const names = Object.keys(bare.namedGroups())
    return { pattern, names, template: parseTemplate(linkifier.urlTemplate) }
  } catch {
    return undefined
  }
}

/**
 * The longest literal string in a pattern outside groups, classes and alternatives that is not
 * optional; empty if there is none.
 */
function requiredLiteral(pattern: string): string {
  if (/\(\?[^P:<]/.test(pattern)) return ''
  let longest = ''
  let run = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    const optional = /[*?{]/.test(pattern[at + 1] ?? '')
    if (char === '|' && depth === 0) return ''
    if (depth === 0 && !optional && !/[\\[\](){}.*+?^$|]/.test(char)) {
      run += char
      if (run.length > longest.length) longest = run
      continue
    }
    run = ''
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '[') at = endOfClass(pattern, at)
    else if (char === '{') at = Math.max(at, pattern.indexOf('}', at))
  }
  return longest
}

/** The end of the character class that starts at `at`; a `]` that comes first is a member of it. */
function endOfClass(pattern: string, at: number): number {
  let end = pattern[at + 1] === '^' ? at + 2 : at + 1
  if (pattern[end] === ']') end++
  for (; end < pattern.length && pattern[end] !== ']'; end++) {
    if (pattern[end] === '\\') end++
    else if (pattern.startsWith('[:', end)) end = Math.max(end, pattern.indexOf(':]', end) + 1)
  }
  return end
}

function matchesIn(
  source: string,
  from: number,
  to: number,
  linkifier: Linkifier,
): LinkifiedText[] {
  const found: LinkifiedText[] = []
  const text = source.slice(from, to)
  const compiled = mayMatch(text, linkifier) ? compile(linkifier) : undefined
  if (!compiled) return found
  const input = `${source[from - 1] ?? '\n'}${text}${source[to] ?? '\n'}`
  const matcher = compiled.pattern.matcher(input)
  let at = 0
  while (at < input.length && matcher.find(at)) {
    const start = matcher.start(1)
    const end = matcher.end(1)
    at = Math.max(end, matcher.start() + 1)
    const url = end > start ? urlOf(compiled, matcher) : undefined
    if (url === undefined) continue
    found.push({ start: from + start - 1, end: from + end - 1, text: input.slice(start, end), url })
  }
  return found
}

function urlOf(
  compiled: CompiledLinkifier,
  matcher: ReturnType<Pattern['matcher']>,
): string | undefined {
  const values: Record<string, string> = {}
  for (const name of compiled.names) {
    const value = matcher.group(name)
    if (value !== null) values[name] = value.toWellFormed()
  }
  return safeHref(compiled.template.expand(values), '')
}
