import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.ts'
import { type Node, nodesIn, parseSource, walk } from './syntax-tree.ts'

/*
 * Enter, Tab and arrows choose among the candidates of an input method, and browsers report them all the
 * same. So what looks at a key first asks `isFinishing` whether the key is its own.
 */

/** Where a key is looked at without asking. */
export interface UnaskedKey {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Functions that need not ask, by file and name, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'keys/listen.ts isStillWanted': 'The key was kept by shell/key-bindings.tsx, which has asked.',
}

/** The places in the web client that look at a key without asking whether it is an input method's. */
export function findUnaskedKeys(): UnaskedKey[] {
  const folder = join(root, 'src/client')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .flatMap((file) => unaskedKeysIn(file, readFileSync(join(folder, file), 'utf8')))
}

interface Place {
  readonly node: Node
  /** The functions around it, the outermost first. */
  readonly around: readonly Node[]
}

/** @param file below `src/client`; @param source in TypeScript */
export function unaskedKeysIn(file: string, source: string): UnaskedKey[] {
  if (!/key/i.test(source)) return []
  const places = [...placesIn(parseSource(file, source), [])]
  const names = namesIn(places)
  const asks = places.filter(({ node }) => calledName(node) === 'isFinishing')

  /** Whether a function around a place asks before it, or all that call the function have asked. */
  function isAsked({ node, around }: Place, seen: readonly Node[] = []): boolean {
    if (
      asks.some((ask) => around.includes(ask.around.at(-1) as Node) && ask.node.start < node.start)
    )
      return true
    const own = around.findLast((each) => isAboutKeys(each, places))
    const name = own && names.get(own)
    if (!own || !name || seen.includes(own)) return false
    if (exceptions[`${file} ${name}`]) return true
    if (isExported(own, places)) return false
    const calls = places.filter((place) => calledName(place.node) === name)
    return calls.length > 0 && calls.every((call) => isAsked(call, [...seen, own]))
  }

  return places
    .filter((place) => isRead(place, places) && !isAsked(place))
    .map(({ node }) => ({
      file,
      line: source.slice(0, node.start).split('\n').length,
      text: source.slice(node.start, node.end),
    }))
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

function* placesIn(node: Node, around: readonly Node[]): Generator<Place> {
  yield { node, around }
  const inside = functions.has(node.type) ? [...around, node] : around
  for (const [name, value] of Object.entries(node)) {
    if (name === 'type' || name === 'start' || name === 'end') continue
    for (const child of nodesIn(value)) yield* placesIn(child, inside)
  }
}

/** Whether it is `event.key`, `event.code`, or `{ key }` taken out of an event. */
function isRead({ node, around }: Place, places: readonly Place[]): boolean {
  const events = around.flatMap((each) => eventsOf(each, places))
  const isEvent = (each: Node | undefined) =>
    each?.type === 'Identifier' && events.some((event) => event.name === each.name)
  if (node.type === 'MemberExpression') {
    return isEvent(nodesIn(node.object)[0]) && isKeyName(nodesIn(node.property)[0])
  }
  if (node.type === 'VariableDeclarator') {
    return isEvent(nodesIn(node.init)[0]) && nodesIn(node.id).some(takesKey)
  }
  // A parameter of the function that is the last one around it.
  const own = around.at(-1)
  return (
    node.type === 'ObjectPattern' && takesKey(node) && !!own && eventsOf(own, places).includes(node)
  )
}

const isKeyName = (node: Node | undefined) => node?.name === 'key' || node?.name === 'code'

const takesKey = (pattern: Node) =>
  pattern.type === 'ObjectPattern' &&
  nodesIn(pattern.properties).some((property) => isKeyName(nodesIn(property.key)[0]))

const isAboutKeys = (node: Node, places: readonly Place[]) => eventsOf(node, places).length > 0

/** The parameters of a function that are events of keys, by their type or as its use says. */
function eventsOf(node: Node, places: readonly Place[]): Node[] {
  const [first, ...rest] = nodesIn(node.params)
  const typed = [first, ...rest].filter((each) => each !== undefined && isTyped(each)) as Node[]
  return first && !typed.includes(first) && isHandler(node, places) ? [first, ...typed] : typed
}

function isTyped(parameter: Node): boolean {
  const [annotation] = nodesIn(parameter.typeAnnotation)
  return (
    annotation !== undefined &&
    [...walk(annotation)].some(
      ({ type, name }) => type === 'Identifier' && /KeyboardEvent$|^KeyPress$/.test(String(name)),
    )
  )
}

/** Whether a function stands where a handler of keys is expected: `onKeyDown=`, `'keydown', `. */
function isHandler(node: Node, places: readonly Place[]): boolean {
  return places.some(({ node: outer }) => {
    if (outer.type === 'JSXAttribute') {
      const isKeys = /^onKey/.test(String(nodesIn(outer.name)[0]?.name))
      return (
        isKeys && nodesIn(outer.value).some((value) => nodesIn(value.expression).includes(node))
      )
    }
    if (outer.type === 'Property') {
      return (
        /^onKey/.test(String(nodesIn(outer.key)[0]?.name)) && nodesIn(outer.value).includes(node)
      )
    }
    if (outer.type !== 'CallExpression') return false
    const [event, handler] = nodesIn(outer.arguments)
    return handler === node && /^key(down|up|press)$/.test(String(event?.value))
  })
}

/** The names of functions: of declarations, and of constants that hold one. */
function namesIn(places: readonly Place[]): Map<Node, string> {
  const names = new Map<Node, string>()
  for (const { node } of places) {
    const [id] = nodesIn(node.id)
    if (!id) continue
    const [value] = node.type === 'VariableDeclarator' ? nodesIn(node.init) : [node]
    if (value && functions.has(value.type)) names.set(value, String(id.name))
  }
  return names
}

const isExported = (own: Node, places: readonly Place[]) =>
  places.some(
    ({ node }) =>
      node.type === 'ExportNamedDeclaration' &&
      nodesIn(node.declaration).some(
        (each) =>
          each === own ||
          nodesIn(each.declarations).some((variable) => nodesIn(variable.init).includes(own)),
      ),
  )

const calledName = (node: Node) =>
  node.type === 'CallExpression' ? nodesIn(node.callee)[0]?.name : undefined
