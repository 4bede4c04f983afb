import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, nodesIn, parseSource } from '../../../.build/syntax-tree.ts'

/** A regular expression as a source has it. */
export interface FoundPattern {
  /** Path below `src/`. */
  readonly file: string
  readonly line: number
  readonly pattern: string
  readonly flags: string
  /** Whether it is also tried behind a match, as with `g` or by `split`. */
  readonly isRepeated: boolean
}

/** What the sources below `src/` have. */
interface FoundPatterns {
  /** Each pattern of each file once. */
  readonly patterns: readonly FoundPattern[]
  /** The file of each call of `new RegExp` with what no constant of the file tells. */
  readonly made: readonly string[]
}

/** Every literal, and every `new RegExp` of constants. @param source the folder `src` */
export function listPatterns(source: string): FoundPatterns {
  const patterns: FoundPattern[] = []
  const made: string[] = []
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|cjs|mjs)$/.test(file) && !file.endsWith('.d.cts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  for (const file of files) {
    const text = readFileSync(join(source, file), 'utf8')
    // Most files have none, and a tree takes long.
    if (!/RegExp\(|[^/*<]\/[^/*\s]|\/ /.test(text)) continue
    readFile(file, text, patterns, made)
  }
  return { patterns, made }
}

function readFile(file: string, text: string, patterns: FoundPattern[], made: string[]): void {
  const constants = new Map<string, Node>()
  const seen = new Set<string>()
  const add = (node: Node, pattern: string, flags: string, name: string | undefined) => {
    const isSplit =
      /\.(?:split|splitWith)\($/.test(text.slice(0, node.start)) ||
      (name !== undefined && text.includes(`.split(${name}`))
    const isRepeated = flags.includes('g') || isSplit
    const key = `${pattern}/${flags}/${isRepeated}`
    if (seen.has(key)) return
    seen.add(key)
    const line = text.slice(0, node.start).split('\n').length
    patterns.push({ file, line, pattern, flags, isRepeated })
  }
  const visit = (node: Node, name: string | undefined): void => {
    const regex = node.regex as { pattern: string; flags: string } | undefined
    if (node.type === 'Literal' && regex) add(node, regex.pattern, regex.flags, name)
    if (node.type === 'NewExpression' && (node.callee as Node).name === 'RegExp') {
      const [first, second] = node.arguments as Node[]
      const pattern = first && constantText(first, constants)
      const flags = second ? constantText(second, constants) : ''
      if (pattern === undefined || flags === undefined) {
        made.push(file)
      } else add(node, pattern, flags, name)
    }
    const declared = node.type === 'VariableDeclarator' ? (node.id as Node) : undefined
    const ownName = typeof declared?.name === 'string' ? declared.name : name
    if (declared && node.init) constants.set(String(declared.name), node.init as Node)
    for (const value of Object.values(node)) for (const each of nodesIn(value)) visit(each, ownName)
  }
  visit(parseSource(file, text), undefined)
}

/** The text that an expression always comes to; undefined if it depends on anything. */
function constantText(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined
    case 'TaggedTemplateExpression':
    case 'TemplateLiteral': {
      const isRaw = node.type === 'TaggedTemplateExpression'
      const template = isRaw ? (node.quasi as Node) : node
      const quasis = template.quasis as { value: { raw: string; cooked: string } }[]
      const values = (template.expressions as Node[]).map((each) => constantText(each, constants))
      if (values.includes(undefined)) return undefined
      return quasis
        .map(({ value }, i) => (isRaw ? value.raw : value.cooked) + (values[i] ?? ''))
        .join('')
    }
    case 'Identifier': {
      const value = constants.get(String(node.name))
      return value && constantText(value, constants)
    }
    case 'MemberExpression': {
      const object = node.object as Node
      const value = object.type === 'Identifier' ? constants.get(String(object.name)) : object
      const regex = value?.regex as { pattern: string } | undefined
      return (node.property as Node).name === 'source' ? regex?.pattern : undefined
    }
    case 'BinaryExpression': {
      const [left, right] = [node.left, node.right].map((each) =>
        constantText(each as Node, constants),
      )
      return left === undefined || right === undefined ? undefined : left + right
    }
    default:
      return undefined
  }
}
