import type { ErrorCode } from '#platform/errors.ts'
import { isId } from '#platform/http/decode.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { extendedErrorMembers } from '#platform/http/extended-errors.ts'
import * as shape from '#platform/shape.ts'
import { byStatus, commonErrors, errorMeanings } from './errors.ts'
import { pathParameters } from './paths.ts'
import { type JsonSchema, jsonSchema, type NamedSchemas } from './schemas.ts'
import type { ApiResponse, Operation } from './types.ts'

/** @source Zulip API, "Error handling": `ignored_parameters_unsupported` (feature level 167) */
const envelope = {
  ignored_parameters_unsupported: shape.maybe(
    shape.noted(
      shape.list(shape.string),
      'The parameters of the request that this endpoint does not support.',
    ),
  ),
}

function success({ reply, record }: Endpoint, found: NamedSchemas): ApiResponse {
  if (record) {
    const schema: JsonSchema = {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: jsonSchema(record, found),
    }
    return {
      description: 'Server-sent events; the data of each record is JSON text.',
      content: { 'text/event-stream': { schema } },
    }
  }
  const members = jsonSchema(shape.object({ ...reply, ...envelope }), found)
  return apiResponse('Success.', {
    ...members,
    properties: { result: { const: 'success' }, msg: { const: '' }, ...members.properties },
    required: ['result', 'msg', ...(members.required ?? [])],
  })
}

/** The responses of an operation, by status. */
export function responses(endpoint: Endpoint, found: NamedSchemas): Operation['responses'] {
  const { 200: refusal, ...others } = failures(endpoint, found)
  const usual = success(endpoint, found)
  return { 200: refusal && !('$ref' in refusal) ? eitherOf(usual, refusal) : usual, ...others }
}

/** Combines a success with an error that has the status of a success. */
function eitherOf(usual: ApiResponse, refusal: ApiResponse): ApiResponse {
  const schemas = [usual, refusal].flatMap(({ content }) =>
    Object.values(content).map(({ schema }) => schema),
  )
  return apiResponse(`${usual.description}\n\n${refusal.description}`, { anyOf: schemas })
}

/** Error responses by status: references to the shared ones, or its own if it has more codes. */
function failures(endpoint: Endpoint, found: NamedSchemas): Operation['responses'] {
  const usual = commonErrors(endpoint.access)
  const own = byStatus([...new Set([...unknownPath(endpoint), ...(endpoint.errors ?? [])])])
  const statuses = new Set([...usual.keys(), ...own.keys()])
  return Object.fromEntries(
    [...statuses].map((status) => {
      const more = own.get(status)
      if (!more) return [status, { $ref: `#/components/responses/${sharedName(status)}` }]
      return [
        status,
        failure([...(usual.get(status) ?? []), ...more], found, endpoint.errorMembers),
      ]
    }),
  )
}

/** What a path is answered whose IDs are none. */
function unknownPath(endpoint: Endpoint): readonly ErrorCode[] {
  const inPath = pathParameters(endpoint).map((name) => endpoint.params[name])
  return inPath.some((param) => param && isId(param)) ? ['NOT_FOUND'] : []
}

function sharedName(status: number): string {
  return `Error${status}`
}

/** The responses that endpoints share: the usual errors, by status. */
export function sharedFailures(found: NamedSchemas): Record<string, ApiResponse> {
  const entries = [...commonErrors('user')].map(([status, codes]) => [
    sharedName(status),
    failure(codes, found),
  ])
  return Object.fromEntries(entries)
}

function failure(
  codes: readonly ErrorCode[],
  found: NamedSchemas,
  own: Endpoint['errorMembers'] = {},
): ApiResponse {
  const meanings = codes.map((code) => `\`${code}\`: ${errorMeanings[code].meaning}`)
  const members = Object.assign(
    {},
    ...codes.map((code) => ({ ...errorMeanings[code].members, ...own[code] })),
  )
  const extra = jsonSchema(shape.object({ ...members, ...extendedErrorMembers }), found)
  return apiResponse(meanings.join('\n\n'), {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string', description: 'What went wrong, as a message for the user.' },
      code: { enum: [...codes] },
      ...extra.properties,
    },
    required: ['result', 'msg', 'code'],
    additionalProperties: false,
  })
}

function apiResponse(description: string, schema: JsonSchema): ApiResponse {
  return { description, content: { 'application/json': { schema } } }
}
