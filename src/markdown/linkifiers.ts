import { parseTemplate, type Template } from 'url-template'
import { safeHref } from './hrefs.ts'
import { re2 } from './lazy.cjs'
import type { Linkifier } from './types.ts'
import { namesInTemplate } from './url-templates.ts'

export interface LinkifiedText {
  start: number
  end: number
  text: string
  url: string
}

type Pattern = ReturnType<ReturnType<typeof re2>['RE2JS']['compile']>

interface Compiled {
  /** Characters that every match contains; looking for them costs next to nothing. */
  literal: string
  /** The linkifier's pattern as group 1, with what must stand before and after it. */
  pattern: Pattern
  names: string[]
  template: Template
}

/** By pattern; undefined where the pattern or the template is not valid. */
const cache = new Map<string, { urlTemplate: string; compiled: Compiled | undefined }>()
const maxCached = 500

/**
 * Finds what linkifiers link in `source.slice(from, to)`, in order of place. A match follows white
 * space, an opening bracket, a quotation mark, `,`, `:` or a mark of emphasis, or nothing, and no
 * letter or digit follows it. Text that one linkifier has linked is left alone by those after it.
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
    const compiled = compile(linkifier)
    if (!compiled) continue
    const left: [from: number, to: number][] = []
    for (const [start, end] of free) {
      let at = start
      for (const link of matchesIn(source, start, end, compiled)) {
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

/** The linkifiers that may match somewhere in a text: most messages need none. */
export function matchingLinkifiers(
  text: string,
  linkifiers: readonly Linkifier[],
): readonly Linkifier[] {
  return linkifiers.filter((linkifier) => {
    const { literal } = compile(linkifier) ?? {}
    return literal !== undefined && text.includes(literal)
  })
}

/**
 * Whether a linkifier can work: its pattern is valid RE2 and its template valid RFC 6570 that leads
 * where links may lead, and both have the same names. Matching takes linear time whatever the
 * pattern.
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
 * Whether a linkifier can be undone: filling `reverseTemplate` (`#{id}`) with what the pattern finds
 * in `example`, which it must match whole, gives `example` again.
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

function compile(linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>): Compiled | undefined {
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

function compileNow(linkifier: Pick<Linkifier, 'pattern' | 'urlTemplate'>): Compiled | undefined {
  try {
    const { RE2JS } = re2()
    const bare = RE2JS.compile(linkifier.pattern)
    // Both neighbours are part of the match, so that the engine needs to look no further.
    const pattern = RE2JS.compile(`[\\s\\pZ'"(,:<\\[{*~](${linkifier.pattern})[^\\pL\\pN]`)
    const names = Object.keys(bare.namedGroups())
    const literal = requiredLiteral(linkifier.pattern)
    return { literal, pattern, names, template: parseTemplate(linkifier.urlTemplate) }
  } catch {
    return undefined
  }
}

/**
 * The longest text that a pattern has outside of groups, classes and choices, and that is not
 * optional; empty when it has none.
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

/** Where the class that begins at `at` ends; a bracket that comes first in it is a member. */
function endOfClass(pattern: string, at: number): number {
  let end = pattern[at + 1] === '^' ? at + 2 : at + 1
  if (pattern[end] === ']') end++
  for (; end < pattern.length && pattern[end] !== ']'; end++) {
    if (pattern[end] === '\\') end++
    else if (pattern.startsWith('[:', end)) end = Math.max(end, pattern.indexOf(':]', end) + 1)
  }
  return end
}

function matchesIn(source: string, from: number, to: number, compiled: Compiled): LinkifiedText[] {
  const found: LinkifiedText[] = []
  if (compiled.literal !== '' && !source.slice(from, to).includes(compiled.literal)) return found
  const input = `${source[from - 1] ?? '\n'}${source.slice(from, to)}${source[to] ?? '\n'}`
  const matcher = compiled.pattern.matcher(input)
  let at = 0
  while (at < input.length && matcher.find(at)) {
    const start = matcher.start(1)
    const end = matcher.end(1)
    at = Math.max(end, matcher.start() + 1)
    const url = end > start ? urlOf(compiled, matcher) : undefined
    if (url === undefined) continue
    const text = input.slice(start, end)
    found.push({ start: from + start - 1, end: from + end - 1, text, url })
  }
  return found
}

function urlOf(compiled: Compiled, matcher: ReturnType<Pattern['matcher']>): string | undefined {
  const values: Record<string, string> = {}
  for (const name of compiled.names) {
    const value = matcher.group(name)
    if (value !== null) values[name] = value.toWellFormed()
  }
  return safeHref(compiled.template.expand(values), '')
}
