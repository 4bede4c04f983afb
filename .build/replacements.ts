import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './repository.ts'
import { type Node, nodesIn, parseSource, walk } from './syntax-tree.ts'

/** A call that puts a text that is not known here in the place of another. */
export interface Replacement {
  readonly file: string
  readonly line: number
  readonly text: string
}

/**
 * Calls of `replace` and `replaceAll` whose second argument may be a text that is not known: `$&` and the
 * like in it stand for parts of the text around, so whoever wrote it decides what comes out. A function
 * has no such signs.
 */
export function findReplacements(): Replacement[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => join(root, 'src', path))
    .sort()
  return files.flatMap((file) => replacementsIn(relative(root, file), readFileSync(file, 'utf8')))
}

/** @param source of a file in TypeScript */
export function replacementsIn(file: string, source: string): Replacement[] {
  if (!/\.replace(?:All)?\(/.test(source)) return []
  const tree = parseSource(file, source)
  const functions = new Set(functionNames(tree))
  const found: Replacement[] = []
  for (const node of walk(tree)) {
    const [, second] = replaceArguments(node)
    if (!second || isSafe(second, functions)) continue
    const text = source.slice(node.start, node.end)
    found.push({ file, line: source.slice(0, second.start).split('\n').length, text })
  }
  return found
}

function replaceArguments(node: Node): Node[] {
  if (node.type !== 'CallExpression') return []
  const callee = nodesIn(node.callee)[0]
  const [property] = nodesIn(callee?.property)
  if (callee?.type !== 'MemberExpression' || callee.computed === true) return []
  if (property?.name !== 'replace' && property?.name !== 'replaceAll') return []
  return nodesIn(node.arguments)
}

function isSafe(node: Node, functions: ReadonlySet<unknown>): boolean {
  if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') return true
  if (node.type === 'Literal') return typeof node.value === 'string'
  if (node.type === 'TemplateLiteral') return nodesIn(node.expressions).length === 0
  if (node.type === 'ConditionalExpression') {
    return [node.consequent, node.alternate].every((each) =>
      nodesIn(each).every((one) => isSafe(one, functions)),
    )
  }
  return node.type === 'Identifier' && functions.has(node.name)
}

/** The names of functions that a file declares. */
function* functionNames(tree: Node): Generator<unknown> {
  for (const node of walk(tree)) {
    const [id] = nodesIn(node.id)
    if (node.type === 'FunctionDeclaration') yield id?.name
    else if (node.type === 'VariableDeclarator') {
      const [value] = nodesIn(node.init)
      if (value?.type === 'ArrowFunctionExpression') yield id?.name
    }
  }
}
