import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Node, nodesIn, parseSource, walk } from '../../../.build/syntax-tree.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Modules whose refusals are in English alone, and who reads them. */
const plain: readonly (readonly [start: string, readers: string])[] = [
  ['program/backup/', 'operators, at the command line'],
  ['program/cli/', 'operators, at the command line'],
  ['program/control/', 'operators, at the command line'],
  ['program/maintenance/', 'operators, at the command line'],
  ['program/releases/', 'operators, at the command line'],
  ['features/organization/imports/', 'operators, at the command line; pages have sentences'],
  ['program/fixture/', 'developers'],
  ['platform/http/protection.ts', 'developers'],
  ['features/access/accounts/login/routes.ts', 'developers'],
  ['features/access/accounts/login/entering.actions.ts', 'apps that log in with a password'],
  ['features/access/bot-administration/storage/', 'bots'],
  ['features/integrations/assistants/access.pages.ts', 'pages of other sites'],
  ['features/integrations/assistants/tools/', 'assistants'],
  ['features/integrations/incoming-webhooks/', 'services that send to webhooks'],
  ['features/integrations/webhook-services/', 'services that send to webhooks'],
  ['features/integrations/calls/zoom.actions.ts', 'Zoom, when it sends a notice'],
  ['features/notifications/mail-gateway/receiving.actions.ts', 'mail servers'],
  ['features/notifications/mail-gateway/rules.ts', 'mail servers'],
  ['features/notifications/phone-push/actions.ts', 'apps that register a phone'],
  ['platform/http/authenticate.ts', 'programs whose header is malformed'],
  ['platform/http/connections.ts', 'programs that speak no proper HTTP'],
  ['platform/http/request.ts', 'programs whose form is malformed'],
  ['platform/http/receive-file.ts', 'programs whose form is malformed'],
  ['platform/multipart.ts', 'programs whose form is malformed'],
  ['features/messaging/event-queues/turns.actions.ts', 'nobody: the client has gone'],
  ['platform/http/later.ts', 'nobody: the client has gone'],
  ['platform/http/pacing.ts', 'nobody: the client has gone'],
  ['platform/pictures/make.ts', 'nobody: the client has gone'],
]

const modules = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

/** The place of each refusal in a module, and whether it is a text that the catalogues do not know. */
function refusalsIn(file: string, source: string): { place: string; isPlain: boolean }[] {
  if (!/\b(?:ApiError|badRequest)\(/.test(source)) return []
  const nodes = [...walk(parseSource(file, source))]
  return nodes.flatMap((node) => {
    const message = messageOf(node)
    if (!message) return []
    const line = source.slice(0, node.start).split('\n').length
    return [{ place: `${file}:${line}`, isPlain: isPlain(message, nodes) }]
  })
}

/** The message of a call that makes a refusal. */
function messageOf(node: Node): Node | undefined {
  const name = nodesIn(node.callee)[0]?.name
  const args = nodesIn(node.arguments)
  if (node.type === 'NewExpression' && name === 'ApiError') return args[1]
  return node.type === 'CallExpression' && name === 'badRequest' ? args[0] : undefined
}

/** @param nodes of the module, where its variables are looked up */
function isPlain(message: Node, nodes: readonly Node[]): boolean {
  switch (message.type) {
    case 'Literal':
    case 'TemplateLiteral':
    case 'BinaryExpression':
      return true
    case 'ConditionalExpression':
      return [message.consequent, message.alternate].some((each) =>
        nodesIn(each).some((one) => isPlain(one, nodes)),
      )
    case 'MemberExpression':
      return nodesIn(message.property)[0]?.name === 'message'
    case 'Identifier':
      return nodes.some((node) => isPlainVariable(node, message.name, nodes))
    default:
      return false
  }
}

/** Whether a node declares a variable or a parameter that holds a text. */
function isPlainVariable(node: Node, name: unknown, nodes: readonly Node[]): boolean {
  if (node.type === 'VariableDeclarator' && nodesIn(node.id)[0]?.name === name) {
    return nodesIn(node.init).some((init) => init.type !== 'Identifier' && isPlain(init, nodes))
  }
  const [type] = nodesIn(nodesIn(node.typeAnnotation)[0]?.typeAnnotation)
  return node.type === 'Identifier' && node.name === name && type?.type === 'TSStringKeyword'
}

const found = modules.flatMap((file) =>
  refusalsIn(file, readFileSync(join(root, 'src', file), 'utf8')),
)

test('a refusal is a sentence of the catalogues, unless only programs and operators meet it', () => {
  assert.ok(found.length > 500)
  const odd = found
    .filter((one) => one.isPlain && !plain.some(([start]) => one.place.startsWith(start)))
    .map(({ place }) => place)
  assert.deepEqual(odd, [])
})

test('each module that is said to have refusals in English alone still has some', () => {
  const gone = plain.filter(
    ([start]) => !found.some((one) => one.isPlain && one.place.startsWith(start)),
  )
  assert.deepEqual(gone, [])
})

test('a plain text is found in every form, and a sentence in none', () => {
  const isFound = (source: string) => refusalsIn('x.ts', source).some((one) => one.isPlain)
  assert.ok(isFound("badRequest('No')"))
  assert.ok(isFound('badRequest(`No $' + '{name}`)'))
  assert.ok(isFound("new ApiError('NOT_FOUND', isLate ? sentSentence('No') : 'Never')"))
  assert.ok(isFound("const said = 'No'\nbadRequest(said)"))
  assert.ok(isFound('function refuse(said: string) { throw badRequest(said) }'))
  assert.ok(isFound('badRequest(error.message)'))
  assert.ok(!isFound("badRequest(sentSentence('No'))"))
  assert.ok(!isFound("const said = sentSentence('No')\nbadRequest(said)"))
  assert.ok(!isFound('function refuse(said: Sentence) { throw badRequest(said) }'))
  assert.ok(!isFound("new ApiError('NOT_FOUND', problem.said)"))
})
