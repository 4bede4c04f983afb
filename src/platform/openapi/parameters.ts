import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Param } from '#platform/http/params.ts'
import { descriptionOf } from './glossary.ts'
import { type PathEntry, pathParameters } from './paths.ts'
import {
  type JsonSchema,
  jsonSchema,
  type NamedSchemas,
  withGeneralDescription,
} from './schemas.ts'
import type { FormBody, Operation, Parameter, RequestBody } from './types.ts'

/** An operation's parameters, in path and query, and its form, for methods with a body. */
export function inputs(
  entry: PathEntry,
  found: NamedSchemas,
): Pick<Operation, 'parameters' | 'requestBody'> {
  const { endpoint } = entry.alternatives[0]
  const inQuery = ['get', 'delete'].includes(endpoint.method) || endpoint.rawBody === true
  const own = ownParams(endpoint)
  const parameters = [
    ...pathParams(entry, found),
    ...(inQuery ? own.flatMap(([key, param]) => queryParams(key, param, found)) : []),
  ]
  const requestBody = inQuery ? rawBody(endpoint) : formBody(endpoint, own, found)
  return { ...(parameters.length > 0 && { parameters }), ...(requestBody && { requestBody }) }
}

type NamedParam = readonly [name: string, param: Param<unknown>]

/** The parameters of an endpoint outside its path. */
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
    const description = params[0]?.description ?? descriptionOf(name)
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
  const schema = withGeneralDescription(name, jsonSchema(param.schema, found))
  const { description, fallback } = param
  // A default of null that clients cannot send means that there is no value.
  const hasDefault = fallback !== undefined && (fallback !== null || takesNull(schema))
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(hasDefault && { default: fallback as JsonSchema['default'] }),
  }
}

function takesNull({ type, anyOf = [] }: JsonSchema): boolean {
  const isNull = [type].flat().includes('null')
  return isNull || anyOf.some((option) => typeof option === 'object' && takesNull(option))
}

function isJsonText({ encoding }: Param<unknown>, schema: JsonSchema): boolean {
  return (encoding === 'json' || encoding === 'either') && !isPlain(schema)
}

/** Whether a value's JSON text equals its text in a form. */
function isPlain(schema: JsonSchema | boolean): boolean {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return false
  if (schema.anyOf) return schema.anyOf.every(isPlain)
  if (schema.enum || schema.const !== undefined) return true
  const types = [schema.type].flat()
  return types.every((type) => type !== undefined && !['array', 'object', 'null'].includes(type))
}
