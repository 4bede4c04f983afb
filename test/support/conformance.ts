import assert from 'node:assert/strict'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { apiDocument } from '#platform/openapi/document.ts'
import { errorMeanings } from '#platform/openapi/errors.ts'
import { documentPath, type PathEntry, pathEntries } from '#platform/openapi/paths.ts'
import type { JsonSchema } from '#platform/openapi/schemas.ts'
import { listEndpoints } from '#program/features.ts'
import { inEnglish, text, type Values } from '#translations/translate.ts'

const listed = listEndpoints()
const document = apiDocument(listed)
const entries = pathEntries(listed).flatMap((entry) =>
  entry.alternatives.map(({ endpoint }) => ({
    entry,
    method: endpoint.method.toUpperCase(),
    pattern: patternOf(endpoint.path),
    // As the server does: what is spelled out comes before what a parameter takes.
    rank: endpoint.path.split('/').map((part) => (part.startsWith(':') ? '1' : '0')),
  })),
)
entries.sort((a, b) => (a.rank.join() < b.rank.join() ? -1 : 1))

// Without what makes validators faster and slower to make: most validate a few answers only.
const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  validateFormats: false,
  meta: false,
  inlineRefs: false,
  code: { optimize: false },
})
ajv.addSchema(document, 'api')

/** Validators by the place of their schema in the document. */
const validators = new Map<string, ValidateFunction>()

/**
 * Fails unless an answer of the API is as the served document says.
 *
 * @param path below `/api/v1`, as it was called
 */
export function assertConforms(method: string, path: string, status: number, body: unknown): void {
  const [plain = ''] = path.split('?')
  if (plain === documentPath) return
  const entry = findEntry(method, plain)
  const problem = entry ? misfit(entry, status, body) : strangerMisfit(body)
  if (problem) assert.fail(`${method} ${path} answered ${status}, but ${problem}`)
}

/**
 * Fails when an endpoint accepted a parameter that is not as its document says.
 *
 * @param params as they went into the query or the form
 */
export function assertDescribed(method: string, path: string, params: URLSearchParams): void {
  const [plain = ''] = path.split('?')
  const entry = findEntry(method, plain)
  if (!entry) return
  const { method: verb } = entry.alternatives[0].endpoint
  const operation = document.paths[entry.path]?.[verb]
  const place = ['paths', entry.path, verb]
  for (const [name, text] of params) {
    const i = operation?.parameters?.findIndex((each) => each.name === name) ?? -1
    const parameter = operation?.parameters?.[i]
    const [type, form] = Object.entries(operation?.requestBody?.content ?? {})[0] ?? []
    const inForm = form?.schema.properties?.[name]
    const schema = parameter?.schema ?? parameter?.content?.['application/json']?.schema ?? inForm
    if (typeof schema !== 'object') continue
    const at = parameter
      ? [
          ...place,
          'parameters',
          String(i),
          ...(parameter.schema ? ['schema'] : ['content', 'application/json', 'schema']),
        ]
      : [...place, 'requestBody', 'content', type ?? '', 'schema', 'properties', name]
    const validate = validator(pointer(...at))
    if (!readings(text).some((value) => validate(value))) {
      assert.fail(
        `${method} ${path} took ${name}=${text.slice(0, 200)}, but the API description says ` +
          `${wording(validate.errors ?? [])}`,
      )
    }
  }
}

/**
 * Fails when an error is about a parameter that the endpoint does not have, or when its message is
 * other than its sentence with the values in.
 *
 * @param body with `extendedErrorMembers`
 * @param params as they went into the query or the form
 */
export function assertPlaced(
  method: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  params: URLSearchParams,
): void {
  const { msg, parameter, msg_template: template, msg_values: values } = body
  if (template !== undefined) {
    const sentence = { english: text(String(template)), values: values as Values }
    assert.equal(inEnglish(sentence), msg, `${method} ${path}`)
  }
  if (typeof parameter !== 'string' || params.has(parameter)) return
  const [plain = ''] = path.split('?')
  const endpoints = findEntry(method, plain)?.alternatives.map(({ endpoint }) => endpoint) ?? []
  const known = endpoints.flatMap((endpoint) =>
    Object.entries(endpoint.params).flatMap(([name, { aliases }]) => [name, ...aliases]),
  )
  if (known.includes(parameter) || parameter === 'file') return
  assert.fail(`${method} ${path} refused ${parameter}, which it does not have: ${msg}`)
}

/** What a parameter's text can stand for: itself, its JSON, or JSON inside of quotes. */
function readings(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' && value !== text
      ? [text, value, ...readings(value)]
      : [text, value]
  } catch {
    return [text]
  }
}

/** `fetch` without the check below, for callers that do it themselves. */
export const plainFetch = globalThis.fetch

/** A `fetch` that fails where an answer of the API is not as the served document says. */
export function checked(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init)
    const { url, method } = input instanceof Request ? input : { url: String(input), method: 'GET' }
    const path = /^\/api\/v1(\/.*)/.exec(new URL(url).pathname)?.[1]
    const isJson = response.headers.get('content-type') === 'application/json'
    // Not those of other services, such as a test stands in for.
    const isOurs = response.headers.has('x-request-id')
    const asked = (init?.method ?? method).toUpperCase()
    if (path !== undefined && isOurs && isJson && asked !== 'HEAD') {
      assertConforms(asked, path, response.status, await response.clone().json())
    }
    return response
  }
}

// Tests that speak HTTP themselves are checked too, whichever way they came to do so.
globalThis.fetch = checked(plainFetch)

function findEntry(method: string, path: string): PathEntry | undefined {
  return entries.find((each) => each.method === method && each.pattern.test(path))?.entry
}

/** What is wrong with the answer of a path that the API does not have, or not for this method. */
function strangerMisfit(body: unknown): string | undefined {
  const { result, msg, code } = body as Record<string, unknown>
  if (result === 'error' && typeof msg === 'string' && Object.hasOwn(errorMeanings, String(code))) {
    return undefined
  }
  return `the path is not in the API description, and this is no error: ${inspect(body)}`
}

function misfit(entry: PathEntry, status: number, body: unknown): string | undefined {
  const { method } = entry.alternatives[0].endpoint
  const operation = document.paths[entry.path]?.[method]
  const response = operation?.responses[status]
  if (!response) return `the API description has no such status here: ${inspect(body)}`
  const place =
    '$ref' in response
      ? response.$ref.slice(1)
      : pointer('paths', entry.path, method, 'responses', String(status))
  const schema = `${place}/content/application~1json/schema`
  const validate = validator(schema)
  if (validate(body)) return undefined
  const problems = eventProblems(body) || wording(validate.errors ?? [])
  return `the API description says ${problems}\n  in ${inspect(body)}\n  ${advice}`
}

const advice = '(Declared by `reply` and `errors` of the endpoint: src/platform/openapi/README.md.)'

/** What is wrong with each event, compared with those of its type: a union says too much. */
function eventProblems(body: unknown): string {
  const { events = [] } = body as { events?: readonly Record<string, unknown>[] }
  const problems = events.map((event) => {
    const names = Object.entries(document.components.schemas).filter(
      ([, { properties: { type, op } = {} }]) => fits(type, event.type) && fits(op, event.op),
    )
    if (names.length === 0) return `nothing of the event ${event.type} ${event.op ?? ''}`
    const each = names.map(([name]) => {
      const validate = validator(pointer('components', 'schemas', name))
      return validate(event) ? '' : `of ${name} ${wording(validate.errors ?? [])}`
    })
    return each.includes('') ? '' : each.join('; ')
  })
  return problems.filter((problem) => problem !== '').join('; ')
}

function fits(schema: JsonSchema | boolean | undefined, value: unknown): boolean {
  if (typeof schema !== 'object') return value === undefined
  return schema.const === value || (schema.enum?.includes(value as string) ?? false)
}

function validator(place: string): ValidateFunction {
  const known = validators.get(place)
  if (known) return known
  const made = ajv.compile({ $ref: `api#${place}` })
  validators.set(place, made)
  return made
}

function pointer(...parts: string[]): string {
  return parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')
}

/** The deepest problems: of a union, its branches' are listed before its own. */
function wording(errors: readonly ErrorObject[]): string {
  const depth = Math.max(...errors.map(({ instancePath }) => instancePath.split('/').length))
  const deepest = errors.filter(({ instancePath }) => instancePath.split('/').length === depth)
  const lines = deepest.map(({ instancePath, message, params }) => {
    return `'${instancePath}' ${message} ${JSON.stringify(params)}`
  })
  return [...new Set(lines)].slice(0, 8).join('; ')
}

function inspect(body: unknown): string {
  const json = JSON.stringify(body)
  return json.length > 1500 ? `${json.slice(0, 1500)}…` : json
}

function patternOf(path: string): RegExp {
  const source = path.replace(/:\w+(?:\{((?:[^{}])*)\})?/g, (_, own) => `(?:${own ?? '[^/]+'})`)
  return new RegExp(`^${source}$`)
}
