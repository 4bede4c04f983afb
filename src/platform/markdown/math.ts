import { renderCode } from './code.ts'
import { afford, type Context } from './context.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import { katex } from './lazy.cjs'

/** Inline math, `$$x^2$$` on one line. */
export function mathAt(
  source: string,
  at: number,
  context: Context,
): MarkdownConstruct | undefined {
  const end = endOfMath(source, at)
  if (end === undefined) return undefined
  const written = source.slice(at, end)
  return {
    end,
    render() {
      context.text.push(' ')
      const html = typeset(written.slice(2, -2), false, context)
      if (html === tooMuch) return `<code>${escapeHtml(written)}</code>`
      return html ?? `<span class="tex-error">${escapeHtml(written)}</span>`
    },
  }
}

/**
 * Where the inline math ends that starts at a position; undefined if none does. To exclude amounts of
 * money, no word character may touch the dollar signs, and the formula must not start with `_`.
 */
export function endOfMath(source: string, at: number): number | undefined {
  const from = at + 2
  if (source[at + 1] !== '$' || /[\w$]/.test(source[at - 1] ?? '')) return undefined
  if (/[\n_$]/.test(source[from] ?? '\n')) return undefined
  let close = from + 1
  for (; close < source.length && source[close] !== '\n'; close++) {
    if (source[close] !== '$') continue
    if (source[close - 1] !== '\\') break
  }
  if (source[close] !== '$' || source[close + 1] !== '$') return undefined
  return /[\w$]/.test(source[close + 2] ?? '') ? undefined : close + 2
}

/** Renders a `math` fence as one paragraph; blank lines separate formulas. */
export function renderDisplayMath(text: string, context: Context): string {
  const formulas: string[] = []
  for (const part of text.split(/\n{2,}/)) {
    const tex = part.replace(/^\n+|(?<!\n)\n+$/g, '')
    if (tex === '') continue
    const html = typeset(tex, true, context)
    if (html === tooMuch) return renderCode(text, 'tex', context)
    formulas.push(html ?? `<span class="tex-error">${escapeForError(tex)}</span>`)
  }
  return `<p>${formulas.join('\n\n')}</p>`
}

function escapeForError(tex: string): string {
  return escapeHtml(tex).replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
}

const tooMuch = Symbol('more math than one message may have')
const maxBraces = 100
const defines = /\\(?:[gex]?def|(?:re|provide)?newcommand|providecommand|let|futurelet)(?![a-zA-Z])/
/** The length to which definitions may expand a formula, in characters. */
const maxGrowth = 4000

/** HTML by display mode and source, so that previews, edits and repetitions are cheap. */
const cache = new Map<string, string | undefined>()
const maxCached = 200
const maxCachedLength = 20_000

/**
 * The HTML of a formula; undefined if it has an error. KaTeX runs with `trust: false`. Its version
 * is pinned: since 0.16.32 it positions letters differently from the copies that clients bundle,
 * and since 0.17 it uses class names that they do not parse.
 */
function typeset(
  tex: string,
  displayMode: boolean,
  context: Context,
): string | undefined | typeof tooMuch {
  const key = `${displayMode ? 'd' : 'i'}${tex}`
  const definitions = defines.test(tex)
  const cost = costOf(tex) + (definitions ? maxGrowth : 0)
  if (cost > context.mathBudget) return tooMuch
  context.mathBudget -= cost
  const html = cache.has(key) ? cache.get(key) : typesetAnew(key, tex, displayMode, definitions)
  return html !== undefined && !afford(context, 'mathMarkupBudget', html) ? tooMuch : html
}

function typesetAnew(
  key: string,
  tex: string,
  displayMode: boolean,
  definitions: boolean,
): string | undefined {
  const html = depthOf(tex) > maxBraces ? undefined : typesetNow(tex, displayMode, definitions)
  if ((html?.length ?? 0) <= maxCachedLength) {
    cache.set(key, html)
    const oldest = cache.keys().next()
    if (cache.size > maxCached && !oldest.done) cache.delete(oldest.value)
  }
  return html
}

function typesetNow(tex: string, displayMode: boolean, definitions: boolean): string | undefined {
  const { warn } = console
  try {
    // KaTeX logs a warning for each character without known metrics, which operators cannot fix.
    console.warn = () => undefined
    return katex().renderToString(tex, {
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: 50,
      maxExpand: definitions ? Math.ceil(maxGrowth / tex.length) : 1000,
    })
  } catch {
    return undefined
  } finally {
    console.warn = warn
  }
}

/** The cost of a formula, in units of at most about 10 µs: commands and columns cost the most. */
function costOf(tex: string): number {
  let cost = 10 + tex.length
  for (let at = 0; at < tex.length; at++) {
    if (tex[at] === '\\' || tex[at] === '&') cost += 20
  }
  return cost
}

function depthOf(tex: string): number {
  let depth = 0
  let deepest = 0
  for (const char of tex) {
    if (char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === '}') depth--
  }
  return deepest
}
