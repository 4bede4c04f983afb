import { type JsonSchema as Converted, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Shape } from '#shape.ts'
import { meaningOf } from './glossary.ts'

/** As the converter types it, and what OpenAPI uses besides. */
export type JsonSchema = Converted & { deprecated?: boolean }

/** The schemas that a document names once, by their names. */
export type NamedSchemas = Map<string, JsonSchema>

/**
 * A valibot schema in the words of JSON Schema, as a client sends or receives the value. Objects
 * that have a title become components, which `found` collects; a reference takes their place.
 *
 * @throws for a schema that JSON Schema has no words for, and for two objects of one name
 */
export function jsonSchema(shape: Shape, found: NamedSchemas): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(checked(shape), {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['trim', 'check', 'raw_check'],
  })
  return tidy(schema, found)
}

/** What comes after checks by hand, for a value that may be anything until then. */
function checked(shape: Shape): Shape {
  const [first, ...rest] =
    'pipe' in shape ? (shape.pipe as v.PipeItem<unknown, unknown, never>[]) : []
  if (first?.type !== 'unknown') return shape
  const next = rest.find((item) => item.kind === 'schema')
  return (next as Shape | undefined) ?? shape
}

function tidy(source: JsonSchema, found: NamedSchemas): JsonSchema {
  const { propertyNames: _, title, ...schema } = mapSchemas(source, (inner) => tidy(inner, found))
  if (schema.required?.length === 0) delete schema.required
  // What every integer of the API is limited to anyway.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) schema.type = 'integer'
  const { enum: values, ...single } = schema
  if (values?.length === 1) return { ...single, const: values[0] }
  return title === undefined ? merged(schema) : reference(title, schema, found)
}

/** The same schema with `fn` applied to each schema in it. */
function mapSchemas(schema: JsonSchema, fn: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const map = (inner: JsonSchema | boolean) => (typeof inner === 'boolean' ? inner : fn(inner))
  const { properties, items, prefixItems, anyOf, oneOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [
          name,
          typeof inner === 'boolean' ? inner : explained(name, fn(inner)),
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

/** With the usual meaning of the name it goes by, unless it says another itself. */
export function explained(name: string, schema: JsonSchema): JsonSchema {
  if (schema.description !== undefined) return schema
  const description = meaningOf(name)
  return description === undefined ? schema : { ...schema, description }
}

/** `integer or null` as one schema with two types, and unions in unions as one. */
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
