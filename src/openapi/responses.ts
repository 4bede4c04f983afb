import type { ErrorCode } from '#errors.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { list, maybe, noted, object, string } from '#shape.ts'
import { byStatus, errorMeanings, usualErrors } from './errors.ts'
import { type JsonSchema, jsonSchema, type NamedSchemas } from './schemas.ts'
import type { ApiResponse, Operation } from './types.ts'

/** Which parameters of a request the endpoint did not know. @source contract, "Conventions" */
const envelope = {
  ignored_parameters_unsupported: maybe(
    noted(list(string), 'The parameters of the request that this endpoint does not have.'),
  ),
}

function success({ reply }: Endpoint, found: NamedSchemas): ApiResponse {
  const members = jsonSchema(object({ ...reply, ...envelope }), found)
  return answer('Success.', {
    ...members,
    properties: { result: { const: 'success' }, msg: { const: '' }, ...members.properties },
    required: ['result', 'msg', ...(members.required ?? [])],
  })
}

/** What an operation answers, by status. */
export function responses(endpoint: Endpoint, found: NamedSchemas): Operation['responses'] {
  const { 200: refusal, ...others } = failures(endpoint, found)
  const said = success(endpoint, found)
  return { 200: refusal && !('$ref' in refusal) ? eitherOf(said, refusal) : said, ...others }
}

/** An error that whoever calls is not to take for a failure shares the status of a success. */
function eitherOf(said: ApiResponse, refusal: ApiResponse): ApiResponse {
  const schemas = [said, refusal].flatMap(({ content }) =>
    Object.values(content).map(({ schema }) => schema),
  )
  return answer(`${said.description}\n\n${refusal.description}`, { anyOf: schemas })
}

/** Responses by status: those that every endpoint has, shared, and its own where it has more. */
function failures(endpoint: Endpoint, found: NamedSchemas): Operation['responses'] {
  const usual = usualErrors(endpoint.access)
  const own = byStatus(endpoint.errors ?? [])
  const statuses = new Set([...usual.keys(), ...own.keys()])
  return Object.fromEntries(
    [...statuses].map((status) => {
      const more = own.get(status)
      if (!more) return [status, { $ref: `#/components/responses/${sharedName(status)}` }]
      return [status, failure([...(usual.get(status) ?? []), ...more], found)]
    }),
  )
}

function sharedName(status: number): string {
  return `Error${status}`
}

/** The responses that endpoints share: the usual errors of each status. */
export function sharedFailures(found: NamedSchemas): Record<string, ApiResponse> {
  const entries = [...usualErrors('user')].map(([status, codes]) => [
    sharedName(status),
    failure(codes, found),
  ])
  return Object.fromEntries(entries)
}

function failure(codes: readonly ErrorCode[], found: NamedSchemas): ApiResponse {
  const meanings = codes.map((code) => `\`${code}\`: ${errorMeanings[code].meaning}`)
  const members = Object.assign({}, ...codes.map((code) => errorMeanings[code].members ?? {}))
  const extra = jsonSchema(object(members), found)
  return answer(meanings.join('\n\n'), {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string', description: 'What went wrong, in words for the user.' },
      code: { enum: [...codes] },
      ...extra.properties,
    },
    required: ['result', 'msg', 'code'],
    additionalProperties: false,
  })
}

function answer(description: string, schema: JsonSchema): ApiResponse {
  return { description, content: { 'application/json': { schema } } }
}
