import type { ErrorCode } from '#errors.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Param } from '#http/params.ts'
import { list, maybe, noted, object, string } from '#shape.ts'
import { byStatus, errorMeanings, usualErrors } from './errors.ts'
import { meaningOf } from './glossary.ts'
import type { PathEntry } from './paths.ts'
import { pathParameters } from './paths.ts'
import { explained, type JsonSchema, jsonSchema, type NamedSchemas } from './schemas.ts'
import type { ApiResponse, FormBody, Operation, Parameter, RequestBody } from './types.ts'

/** How a document describes an endpoint. @param found collects the schemas that have names */
export function operation(entry: PathEntry, found: NamedSchemas): Operation {
  const [{ section, name, endpoint }, ...others] = entry.alternatives
  const inQuery = ['get', 'delete'].includes(endpoint.method) || endpoint.rawBody === true
  const own = ownParams(endpoint)
  const parameters = [
    ...pathParams(entry, found),
    ...(inQuery ? own.flatMap(([key, param]) => queryParams(key, param, found)) : []),
  ]
  const body = inQuery ? rawBody(endpoint) : formBody(endpoint, own, found)
  const description = [endpoint, ...others.map((other) => other.endpoint)]
    .map((each) => each.description)
    .filter((text, i, all) => text !== undefined && all.indexOf(text) === i)
    .join('\n\n')
  return {
    operationId: name,
    tags: [section],
    summary: endpoint.summary,
    ...(description !== '' && { description }),
    ...(endpoint.deprecated && { deprecated: true }),
    ...(endpoint.access !== 'user' && { security: securityNeeds[endpoint.access] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(endpoint, found),
  }
}

const securityNeeds = { anyone: [], key: [{ keyInAddress: [] }] }

type NamedParam = readonly [name: string, param: Param<unknown>]

function ownParams(endpoint: Endpoint): NamedParam[] {
  const inPath = pathParameters(endpoint)
  return Object.entries(endpoint.params).filter(([name]) => !inPath.includes(name))
}

function pathParams({ alternatives, renamed }: PathEntry, found: NamedSchemas): Parameter[] {
  const names = pathParameters(alternatives[0].endpoint)
  return names.map((name, i) => {
    const params = alternatives.flatMap(({ endpoint }) => {
      const own = pathParameters(endpoint)[i]
      return (own !== undefined && endpoint.params[own]) || []
    })
    const schemas = params.map(({ schema }) => jsonSchema(schema, found))
    const [first = {}] = schemas
    const description = params[0]?.description ?? meaningOf(name)
    return {
      name: renamed.get(name) ?? name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema: schemas.length > 1 ? { anyOf: schemas } : first,
    }
  })
}

function queryParams(name: string, param: Param<unknown>, found: NamedSchemas): Parameter[] {
  const schema = paramSchema(name, param, found)
  const isJson = isJsonText(param, schema)
  const { description, ...rest } = schema
  const one = {
    in: 'query' as const,
    ...(isJson ? { content: { 'application/json': { schema: rest } } } : { schema: rest }),
  }
  return [
    {
      name,
      ...(param.required && { required: true as const }),
      ...(description !== undefined && { description }),
      ...one,
    },
    ...param.aliases.map((old) => ({
      name: old,
      deprecated: true as const,
      description: `An older name of \`${name}\`.`,
      ...one,
    })),
  ]
}

function rawBody({ rawBody }: Endpoint): RequestBody | undefined {
  return rawBody ? { content: { '*/*': { schema: {} } } } : undefined
}

function formBody(
  { file, fileIsOptional = false }: Endpoint,
  params: readonly NamedParam[],
  found: NamedSchemas,
): RequestBody | undefined {
  if (params.length === 0 && file === undefined) return undefined
  const properties: Record<string, JsonSchema> = {}
  const encoding: Record<string, { contentType: string }> = {}
  for (const [name, param] of params) {
    const schema = paramSchema(name, param, found)
    for (const key of [name, ...param.aliases]) {
      properties[key] =
        key === name
          ? schema
          : {
              ...schema,
              description: `Deprecated: an older name of \`${name}\`.`,
              deprecated: true,
            }
      if (isJsonText(param, schema)) encoding[key] = { contentType: 'application/json' }
    }
  }
  if (file !== undefined) {
    properties.file = { description: file, contentMediaType: 'application/octet-stream' }
  }
  const required = [
    ...params.filter(([, param]) => param.required).map(([name]) => name),
    ...(file === undefined || fileIsOptional ? [] : ['file']),
  ]
  const body: FormBody = {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    ...(Object.keys(encoding).length > 0 && { encoding }),
  }
  return {
    ...(required.length > 0 && { required: true }),
    content: {
      ...((file === undefined || fileIsOptional) && { 'application/x-www-form-urlencoded': body }),
      ...(file !== undefined && { 'multipart/form-data': body }),
    },
  }
}

function paramSchema(name: string, param: Param<unknown>, found: NamedSchemas): JsonSchema {
  const schema = explained(name, jsonSchema(param.schema, found))
  const { description } = param
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(param.fallback !== undefined && { default: param.fallback as JsonSchema['default'] }),
  }
}

function isJsonText({ encoding }: Param<unknown>, schema: JsonSchema): boolean {
  return (encoding === 'json' || encoding === 'either') && !isPlain(schema)
}

/** Whether a value's JSON text is the text that a form would hold for it. */
function isPlain(schema: JsonSchema | boolean): boolean {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return false
  if (schema.anyOf) return schema.anyOf.every(isPlain)
  if (schema.enum ?? schema.const) return true
  const types = [schema.type].flat()
  return types.every((type) => type !== undefined && !['array', 'object', 'null'].includes(type))
}

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

function responses(endpoint: Endpoint, found: NamedSchemas): Operation['responses'] {
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
