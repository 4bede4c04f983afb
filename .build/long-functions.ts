import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './repository.ts'
import { type Node, nodesIn, parseSource, walk } from './syntax-tree.ts'

/** A function that has more lines than a reader can see at a time. */
export interface LongFunction {
  readonly file: string
  readonly line: number
  readonly lines: number
}

/** The most lines of a function, from its first word to its last bracket: those of the longest that is left. */
export const mostLines = 80

/** The functions in the sources and in the build that should be several. */
export function findLongFunctions(): LongFunction[] {
  return ['src', '.build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => join(root, folder, path))
      .sort()
      .flatMap((file) => longFunctionsIn(relative(root, file), readFileSync(file, 'utf8'))),
  )
}

/**
 * Functions that only return a list are left out, however long it is: an array, an object, or a call
 * that is given one. The functions in it count by themselves.
 *
 * @param source of a file in TypeScript
 */
export function longFunctionsIn(file: string, source: string, most = mostLines): LongFunction[] {
  if (source.split('\n').length <= most) return []
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  return [...walk(parseSource(file, source))]
    .filter((node) => functions.has(node.type) && !isList(node))
    .map(({ start, end }) => ({ line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1 }))
    .filter(({ lines }) => lines > most)
    .map((found) => ({ file, ...found }))
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Whether a function does nothing but return a list. */
function isList(node: Node): boolean {
  const [body] = nodesIn(node.body)
  if (body?.type !== 'BlockStatement') return isListed(body)
  const [only, ...others] = nodesIn(body.body)
  return (
    only?.type === 'ReturnStatement' && others.length === 0 && isListed(nodesIn(only.argument)[0])
  )
}

function isListed(node: Node | undefined): boolean {
  if (node?.type === 'ParenthesizedExpression') return isListed(nodesIn(node.expression)[0])
  if (node?.type === 'CallExpression') return nodesIn(node.arguments).some(isListed)
  return node?.type === 'ArrayExpression' || node?.type === 'ObjectExpression'
}
