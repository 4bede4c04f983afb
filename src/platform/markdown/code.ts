import { withoutEnd } from '#shared/without-end.ts'
import type { Context } from './context.ts'
import { escapeAttribute, escapeCode } from './escape.ts'
import { highlight } from './highlight.ts'
import { languageOf } from './languages.ts'

/** Renders a code block, without surrounding blank lines. Aliases of the language are resolved. */
export function renderCode(text: string, language: string, context: Context): string {
  const code = `${text.replace(/^\n+|(?<!\n)\n+$/g, '')}\n`
  const known = languageOf(language || shebangOf(code))
  const name = language === '' ? '' : (known?.name ?? language)
  const attribute = name === '' ? '' : ` data-code-language="${escapeAttribute(name)}"`
  const grammar = known?.grammar
  let html: string | undefined
  if (grammar !== undefined && code.length <= context.highlightBudget) {
    context.highlightBudget -= code.length
    html = highlight(code, grammar)
  }
  return (
    `<div class="codehilite"${attribute}><pre><span></span><code>${html ?? escapeCode(code)}` +
    '</code></pre></div>'
  )
}

/** The program in a script's first line: `python` for `#!/usr/bin/env python3` or `#!python`. */
function shebangOf(code: string): string {
  const [, path = '', argument] = /^#! *(\S+)(?: +(\S+))?/.exec(code) ?? []
  const program = path.slice(path.lastIndexOf('/') + 1)
  return withoutEnd(program === 'env' ? (argument ?? '') : program, '0123456789.')
}
