import { highlighting } from './lazy.cjs'

/**
 * The Pygments class for each scope of highlight.js; scopes with sub-scopes come first. Unlisted
 * scopes look like the code around them, and '' means plain code. The mobile app rejects a code
 * block with a class that Pygments does not have.
 */
const classes: Record<string, string> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'l',
  char: 'se',
  'char escape_': 'se',
  class: '',
  code: 'sb',
  comment: 'c',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  function: '',
  keyword: 'k',
  literal: 'kc',
  meta: 'cp',
  'meta prompt_': 'gp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  params: '',
  property: 'na',
  punctuation: 'p',
  quote: 'ge',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: '',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title class_': 'nc',
  'title function_': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable constant_': 'no',
  'variable language_': 'bp',
}

const registered = new Set<string>()

/** The grammars that a grammar embeds. Grammars that guess embedded languages are not used. */
const embeds: Record<string, string[] | undefined> = {
  asciidoc: ['xml'],
  coffeescript: ['javascript'],
  dart: ['markdown'],
  django: ['xml'],
  dockerfile: ['bash'],
  erb: ['xml', 'ruby'],
  haml: ['ruby'],
  handlebars: ['xml'],
  javascript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  nix: ['markdown'],
  'php-template': ['xml', 'php'],
  'python-repl': ['python'],
  twig: ['xml'],
  typescript: ['xml', 'css', 'graphql'],
  xml: ['css', 'javascript'],
  yaml: ['ruby'],
}

/**
 * Long lines, prose and repeated characters, which do not occur in real code. Grammars search far
 * ahead at every word, so their work can grow with the square of the length of these.
 */
const unlikeCode = /[^\n]{301}|[\w\s]{301}|(.)\1{100}/s

/**
 * Highlights code; returns undefined if there is no such grammar, or if highlighting could take
 * longer than a few milliseconds.
 */
export function highlight(code: string, grammar: string): string | undefined {
  if (unlikeCode.test(code) || !register(grammar)) return undefined
  const { value } = highlighting().highlighter.highlight(code, {
    language: grammar,
    ignoreIllegals: true,
  })
  return flatten(value)
}

function register(grammar: string): boolean {
  if (registered.has(grammar)) return true
  const { highlighter, grammars } = highlighting()
  const load = Object.hasOwn(grammars, grammar) ? grammars[grammar] : undefined
  if (!load) return false
  registered.add(grammar)
  for (const embedded of embeds[grammar] ?? []) register(embedded)
  highlighter.registerLanguage(grammar, load())
  return true
}

const tokens = /<span class="([^"]*)">|<\/span>|([^<]+)/g

/** Flattens the nested spans of highlight.js: each text gets the innermost known class. */
function flatten(html: string): string {
  const open: string[] = []
  let flat = ''
  let current = ''
  for (const [token, scope, text] of html.matchAll(tokens)) {
    if (scope !== undefined) {
      open.push(classOf(scope) ?? open.at(-1) ?? '')
    } else if (text === undefined) {
      open.pop()
    } else {
      const wanted = text.trim() === '' ? '' : (open.at(-1) ?? '')
      if (wanted !== current) {
        if (current !== '') flat += '</span>'
        if (wanted !== '') flat += `<span class="${wanted}">`
        current = wanted
      }
      flat += token.replaceAll('&#x27;', "'")
    }
  }
  return current === '' ? flat : `${flat}</span>`
}

/** `nf` for `hljs-title function_`; undefined for scopes without a class of their own. */
function classOf(scope: string): string | undefined {
  const name = scope.replace(/^hljs-/, '')
  return classes[name] ?? classes[name.split(' ')[0] ?? '']
}
