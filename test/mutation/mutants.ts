import { type Node, nodesIn, parseSource } from '../../.build/syntax-tree.ts'

/** One small change of a source file that tests should notice. */
export interface Mutant {
  /** Where the changed code begins and ends in the source, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** What takes its place: an expression where `isExpression`, or a statement. */
  readonly replacement: string
  readonly isExpression: boolean
}

/** The operator that takes the place of each: the boundary, the opposite, the other operation. */
const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
  '/': '*',
}

/** Conditions of loops are left alone: most of their mutants never end. */
const conditional = ['IfStatement', 'ConditionalExpression']

/**
 * All mutants of a TypeScript file: operators swapped, conditions negated, calls left out, numbers
 * one higher and booleans turned round, without those in types and in keys of objects.
 *
 * @param file decides by its extension whether JSX is allowed
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const addExpression = ({ start, end }: Node, replacement: string) =>
    found.push({ start, end, replacement, isExpression: true })

  function visit(node: Node): void {
    if (node.type.startsWith('TS') && !isExpressionWithType(node)) return
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return
    mutate(node)
    for (const [member, value] of Object.entries(node)) {
      const isName = (member === 'key' || member === 'property') && node.computed !== true
      if (isName || member === 'typeAnnotation') continue
      for (const child of nodesIn(value)) visit(child)
    }
  }

  function mutate(node: Node): void {
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const other = swapped[node.operator as string]
      const [left, right] = [node.left as Node, node.right as Node]
      if (other) addExpression(node, `(${textOf(left)}) ${other} (${textOf(right)})`)
    } else if (conditional.includes(node.type)) {
      const condition = node.test as Node
      addExpression(condition, `!(${textOf(condition)})`)
    } else if (node.type === 'UnaryExpression' && node.operator === '!') {
      addExpression(node, `!!(${textOf(node.argument as Node)})`)
    } else if (node.type === 'Literal' && typeof node.value === 'number') {
      addExpression(node, String(node.value + 1))
    } else if (node.type === 'Literal' && typeof node.value === 'boolean') {
      addExpression(node, String(!node.value))
    } else if (node.type === 'ExpressionStatement' && isCall(node.expression as Node)) {
      found.push({ start: node.start, end: node.end, replacement: ';', isExpression: false })
    }
  }

  visit(parseSource(file, source))
  return found
}

/** Wrappers such as `x as T`, whose expression is code. */
const isExpressionWithType = ({ type }: Node) =>
  ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type)

const isCall = (node: Node): boolean =>
  (node.type === 'CallExpression' && (node.callee as Node).type !== 'Super') ||
  (node.type === 'AwaitExpression' && isCall(node.argument as Node))

/**
 * The source with some of its mutants built in, each behind a question whether it is on, so that one
 * bundle holds them all.
 *
 * @param mutants with the number that the question has; they must not overlap
 */
export function withMutants(
  source: string,
  mutants: readonly (readonly [number: number, mutant: Mutant])[],
): string {
  let text = source
  for (const [number, { start, end, replacement, isExpression }] of [...mutants].sort(
    ([, a], [, b]) => b.start - a.start,
  )) {
    const original = source.slice(start, end)
    const isOn = `globalThis.isMutantOn(${number})`
    const both = isExpression
      ? `(${isOn} ? (${replacement}) : (${original}))`
      : `if (${isOn}) {} else { ${original} }`
    text = text.slice(0, start) + both + text.slice(end)
  }
  return text
}
