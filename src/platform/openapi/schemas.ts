import { type JsonSchema as Converted, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { measured } from '#platform/code-points.ts'
import type { Shape } from '#platform/shape.ts'
import { descriptionOf } from './glossary.ts'

/** A JSON Schema as the converter types it, with OpenAPI's additions and the content of texts. */
export type JsonSchema = Converted & {
  deprecated?: boolean
  contentMediaType?: string
  contentSchema?: JsonSchema
}

/** The named schemas of a document, by name. */
export type NamedSchemas = Map<string, JsonSchema>

/**
 * Converts a valibot schema to JSON Schema, for the value as a client sends or receives it. Schemas
 * with a title become components, collected in `found`, and are replaced by references.
 *
 * @throws Error if JSON Schema cannot express the schema, or two schemas have the same name
 */
export function jsonSchema(shape: Shape, found: NamedSchemas): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(checked(shape), {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['trim', 'check', 'raw_check'],
    overrideAction({ valibotAction: action, jsonSchema: converted }) {
      const most =
        action.type === 'metadata' ? measured(action as unknown as { metadata: object }) : undefined
      return most === undefined ? undefined : { ...converted, maxLength: most }
    },
  })
  return tidy(schema, found)
}

/** For a schema that starts with `v.unknown()` and custom checks, the schema after them. */
function checked(shape: Shape): Shape {
  const [first, ...rest] =
    'pipe' in shape ? (shape.pipe as v.PipeItem<unknown, unknown, never>[]) : []
  if (first?.type !== 'unknown') return shape
  const next = rest.find((item) => item.kind === 'schema')
  return (
    (next as Shape | undefined) ?? ('pipe' in first ? checked(first as unknown as Shape) : shape)
  )
}

function tidy(source: JsonSchema, found: NamedSchemas): JsonSchema {
  const { propertyNames: _, title, ...schema } = mapSchemas(source, (inner) => tidy(inner, found))
  if (schema.required?.length === 0) delete schema.required
  // The lower limit of every integer; the upper one stays, for programs that try values.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) schema.type = 'integer'
  const { enum: values, ...single } = schema
  if (values?.length === 1) return { ...single, const: values[0] }
  return title === undefined ? merged(schema) : reference(title, schema, found)
}

/** Applies `fn` to each schema inside a schema. */
function mapSchemas(schema: JsonSchema, fn: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const map = (inner: JsonSchema | boolean) => (typeof inner === 'boolean' ? inner : fn(inner))
  const { properties, items, prefixItems, anyOf, oneOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [
          name,
          typeof inner === 'boolean' ? inner : withGeneralDescription(name, fn(inner)),
        ]),
      ),
    }),
    ...(items !== undefined && !Array.isArray(items) && { items: map(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(map) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(oneOf && { oneOf: oneOf.map(map) }),
    ...(additionalProperties !== undefined && { additionalProperties: map(additionalProperties) }),
  }
}

/** Adds the usual description of a name to a schema that has none. */
export function withGeneralDescription(name: string, schema: JsonSchema): JsonSchema {
  if (schema.description !== undefined) return schema
  const description = descriptionOf(name)
  return description === undefined ? schema : { ...schema, description }
}

/** Merges `integer or null` into one schema with two types, and nested unions into one. */
function merged({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (!anyOf) return schema
  const options = anyOf.flatMap((option) =>
    typeof option === 'object' && Object.keys(option).join() === 'anyOf'
      ? (option.anyOf ?? [])
      : [option],
  )
  const [first, second] = options
  const isSimple =
    typeof first === 'object' &&
    typeof first.type === 'string' &&
    !first.enum &&
    !('const' in first)
  const isNull = typeof second === 'object' && second.type === 'null'
  if (options.length === 2 && isSimple && isNull) {
    return { ...first, ...schema, type: [first.type, 'null'] } as JsonSchema
  }
  return { ...schema, anyOf: options }
}

function reference(
  name: string,
  { description, ...schema }: JsonSchema,
  found: NamedSchemas,
): JsonSchema {
  const known = found.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two different objects are called ${name} in the API description.`)
  }
  found.set(name, schema)
  const $ref = `#/components/schemas/${name}`
  return description === undefined ? { $ref } : { $ref, description }
}
