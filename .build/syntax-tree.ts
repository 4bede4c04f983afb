import { parseSync } from 'oxc-parser'

/** A part of a syntax tree. */
export interface Node {
  readonly type: string
  /** Where it begins and ends in the source, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The parts that a member of a node holds: one, many or none. */
export const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode)

/** The tree of a TypeScript source. @throws Error it is none */
export function parseSource(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program as unknown as Node
}

/** A node and everything in it, in the order of the source. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const [name, value] of Object.entries(node)) {
    if (name === 'type' || name === 'start' || name === 'end') continue
    for (const child of nodesIn(value)) yield* walk(child)
  }
}
