import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepParts } from '../src/translations/steps.ts'
import { pluralKey } from '../src/translations/translate.ts'
import { type Node, nodesIn, parseSource } from './syntax-tree.ts'

/** A text that people see, as the sources have it. */
export interface FoundText {
  /** As in the catalogues. */
  readonly key: string
  /** Its English forms: one, or two where it depends on a number. */
  readonly forms: readonly string[]
  /** Whether the client shows it; otherwise only the server makes it. */
  readonly isClient: boolean
  /** The files that have it, with the lines. */
  readonly places: readonly string[]
}

const children = (node: Node): Node[] => Object.values(node).flatMap(nodesIn)

/** All texts below `src/`, in the order of files and lines. @param root the top of the repository */
export function listTexts(root: string): FoundText[] {
  const found = new Map<string, { forms: string[]; isClient: boolean; places: string[] }>()
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  for (const file of files) {
    for (const { forms, isSent, line } of textsOf(join(root, 'src', file))) {
      const key = forms.length > 1 ? pluralKey(forms[0] ?? '', forms[1] ?? '') : (forms[0] ?? '')
      const known = found.get(key) ?? { forms, isClient: false, places: [] }
      found.set(key, known)
      known.isClient ||= isSent || file.startsWith('client/')
      known.places.push(`${file}:${line}`)
    }
  }
  return [...found].map(([key, rest]) => ({ key, ...rest }))
}

interface InFile {
  readonly forms: string[]
  readonly isSent: boolean
  readonly line: number
}

function textsOf(file: string): InFile[] {
  const source = readFileSync(file, 'utf8')
  // Most files have none: a tree takes a hundred times as long as this.
  if (!/\b(?:tn?|texts?|sentTexts?|sentence|sentSentence|steps)\(/.test(source)) return []
  const found: InFile[] = []
  // Others have functions of these names that have nothing to do with it.
  const imported = /import \{([^}]*)\} from '#translations\/translate\.ts'/.exec(source)?.[1] ?? ''
  const marks = new Set(
    ['text', 'texts', 'sentText', 'sentTexts', 'sentence', 'sentSentence'].filter((mark) =>
      ofWord(mark).test(imported),
    ),
  )
  const hasSteps = /import \{ steps \} from '[^']*\/steps\.ts'/.test(source)
  const add = (forms: string[], at: number, isSent = false) => {
    if (!forms.some((form) => /\p{L}/u.test(form))) return
    found.push({ forms, isSent, line: source.slice(0, at).split('\n').length })
  }

  function visit(node: Node): void {
    if (node.type === 'CallExpression') readCall(node)
    for (const child of children(node)) visit(child)
  }

  function readSteps(list: Node): void {
    for (const each of (list.elements as Node[] | undefined) ?? []) {
      // What a template puts in is part of its code.
      const quasis = (each.quasis ?? []) as { value: { cooked: string } }[]
      const [step = quasis.map(({ value }) => value.cooked).join('…')] = literals(each)
      add([stepParts(step).pattern], each.start)
    }
  }

  function readCall(call: Node): void {
    const name = nameOf(call.callee as Node)
    const args = (call.arguments as Node[] | undefined) ?? []
    const [first, second, third] = args
    if (name === 'steps' && first && hasSteps) readSteps(first)
    const isSent = name.startsWith('sent')
    const isMark = marks.has(name) && (call.callee as Node).type === 'Identifier'
    if (name === 't' || (isMark && !name.endsWith('texts') && !name.endsWith('Texts'))) {
      for (const form of first ? literals(first) : []) add([form], call.start, isSent)
    } else if (name === 'tn' && third) {
      const [one] = second ? literals(second) : []
      const [other] = third ? literals(third) : []
      if (one === undefined || other === undefined) {
        throw new Error(`${file}: both forms of tn() have to be literals.`)
      }
      add([one, other], call.start)
    } else if (isMark && first) {
      for (const [form, at] of strings(first)) add([form], at, isSent)
    }
  }

  visit(parseSource(file, source))
  return found
}

const ofWord = (word: string) => new RegExp(`\\b${word}\\b`)

function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee.name)
  // `language.t('...')`
  return callee.type === 'MemberExpression' ? nameOf(callee.property as Node) : ''
}

/** What an expression can come to that is written out: a literal, a sum of them, or alternatives. */
function literals(node: Node): string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral': {
      const quasis = node.quasis as { value: { cooked: string } }[]
      return quasis.length === 1 ? [quasis[0]?.value.cooked ?? ''] : []
    }
    case 'BinaryExpression': {
      const [left] = literals(node.left as Node)
      const [right] = literals(node.right as Node)
      return left === undefined || right === undefined ? [] : [left + right]
    }
    case 'ConditionalExpression':
      return [...literals(node.consequent as Node), ...literals(node.alternate as Node)]
    case 'LogicalExpression':
      return [...literals(node.left as Node), ...literals(node.right as Node)]
    case 'ParenthesizedExpression':
      return literals(node.expression as Node)
    default:
      return []
  }
}

/** All strings among the values of a table. */
function strings(node: Node): [text: string, at: number][] {
  if (node.type === 'Property') return strings(node.value as Node)
  const [literal] = literals(node)
  if (literal !== undefined) return [[literal, node.start]]
  return children(node).flatMap(strings)
}
