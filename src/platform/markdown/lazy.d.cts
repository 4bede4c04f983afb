import type { HLJSApi, LanguageFn } from 'highlight.js'
import type * as re2js from 're2js'

export function katex(): {
  renderToString(tex: string, options: import('katex').KatexOptions): string
}
export function re2(): typeof re2js
export function topLevelDomains(): readonly string[]
export function highlighting(): {
  readonly highlighter: HLJSApi
  readonly grammars: Readonly<Record<string, (() => LanguageFn) | undefined>>
}
