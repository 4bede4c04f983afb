// One word for one thing: finds names in the sources, names of files among them, that use a word for
// which this project has another one. `npm run check` runs `check-english.ts`, which uses this.

import { basename } from 'node:path'
import { type Node, nodesIn, parseSource, walk } from './syntax-tree.ts'

/** A word to use, and words not to use in its place. */
export interface Choice {
  readonly say: string
  /** In lower case, as they are part of a name in camel case, kebab case or snake case. */
  readonly not: readonly string[]
  readonly reason: string
  /** Names in which the other words mean something else. */
  readonly except?: readonly Exception[]
}

interface Exception {
  /** The paths of the files, from the top of the repository. */
  readonly file: RegExp
  /** The names; without it, all of them. */
  readonly name?: RegExp
  readonly reason: string
}

export const choices: readonly Choice[] = [
  {
    say: 'reply',
    not: ['answer', 'answers', 'answered', 'answering'],
    reason:
      'What comes back for a request is a reply; `response` is the object of fetch, Node or OpenAPI.',
  },
  {
    say: 'picture',
    not: ['image', 'images'],
    reason: 'Avatars, emoji, thumbnails and uploads are pictures; `image` is on the wire only.',
    except: [
      { file: /^src\/client\//, name: /^(?:images?|reviveImage)$/, reason: 'an `<img>`' },
      {
        file: /^src\/features\/integrations\/webhook-services\//,
        reason: 'words of the services: images of containers, blocks of Slack',
      },
    ],
  },
  {
    say: 'color',
    not: ['colour', 'colours'],
    reason: 'The wire and CSS say `color`.',
  },
  {
    say: 'catalogue',
    not: ['catalog', 'catalogs'],
    reason: 'A set of texts or emoji is a catalogue.',
  },
]

/** A name that uses a word for which there is another. */
export interface Misnomer {
  readonly name: string
  readonly line: number
  readonly hint: string
}

/**
 * The misnomers of a source: among the names of its path, and of the functions, classes, types, variables
 * and parameters that it declares. Members of objects do not count, because they may be the wire's, a
 * column's or another library's; nor does a variable that only takes the name of a member.
 *
 * @param file the path of a TypeScript file from the top of the repository
 */
export function misnomersIn(file: string, source: string): Misnomer[] {
  const found: Misnomer[] = []
  const add = (name: string, line: number) => {
    for (const { say, not, reason, except = [] } of choices) {
      const word = wordsOf(name).find((each) => not.includes(each))
      if (!word || except.some((each) => isExcepted(each, file, name))) continue
      found.push({ name, line, hint: `Say “${say}”, not “${word}”: ${reason}` })
    }
  }
  for (const part of file.split('/')) add(basename(part), 1)
  if (!anyWord.test(source)) return found
  for (const { name, start } of declaredNames(parseSource(file, source))) {
    add(name, source.slice(0, start).split('\n').length)
  }
  return found
}

const anyWord = new RegExp(choices.flatMap(({ not }) => not).join('|'), 'i')

function isExcepted({ file, name }: Exception, path: string, given: string): boolean {
  return file.test(path) && (name?.test(given) ?? true)
}

/** The words of a name, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
}

interface DeclaredName {
  readonly name: string
  readonly start: number
}

const declarations = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'VariableDeclarator',
])
const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSFunctionType',
])

function* declaredNames(tree: Node): Generator<DeclaredName> {
  for (const node of walk(tree)) {
    if (declarations.has(node.type)) yield* namesOf(node.id)
    if (functions.has(node.type)) yield* namesOf(node.params)
  }
}

/** The names that a pattern declares. */
function* namesOf(pattern: unknown): Generator<DeclaredName> {
  for (const node of nodesIn(pattern)) {
    if (node.type === 'Identifier') yield { name: String(node.name), start: node.start }
    else if (node.type === 'Property') {
      if (node.shorthand !== true) yield* namesOf(node.value)
    } else if (node.type === 'AssignmentPattern') yield* namesOf(node.left)
    else if (node.type === 'RestElement') yield* namesOf(node.argument)
    else if (node.type === 'ObjectPattern') yield* namesOf(node.properties)
    else if (node.type === 'ArrayPattern') yield* namesOf(node.elements)
  }
}
