import type { JsonSchema } from '#platform/openapi/schemas.ts'
import type { ApiDocument, Operation } from '#platform/openapi/types.ts'

/** Example values for string parameters, by name. */
const texts: Readonly<Record<string, string>> = {
  content: 'Hello!',
  topic: 'plans',
  topic_name: 'plans',
  name: 'design',
  stream: 'design',
  full_name: 'Iago',
  emoji_name: 'octopus',
  user_id_or_email: 'iago@example.com',
  email: 'iago@example.com',
  username: 'iago@example.com',
  domain: 'example.com',
  fragment: 'narrow/is/starred',
}

/** A curl command with the required parameters; it uses `$SITE`, `$EMAIL` and `$KEY`. */
export function curlExample(
  document: ApiDocument,
  method: string,
  path: string,
  { parameters = [], requestBody, security }: Operation,
): string {
  const value = (name: string, schema: JsonSchema) => exampleText(document, name, schema)
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    return value(name, parameter?.schema ?? {})
  })
  const inQuery = parameters.filter((each) => each.in === 'query' && each.required)
  const query = inQuery.map(({ name, schema, content }) =>
    data(name, value(name, schema ?? content?.['application/json']?.schema ?? {})),
  )
  const [[type, form] = []] = Object.entries(requestBody?.content ?? {})
  const { properties = {}, required = [] } = form?.schema ?? {}
  const fields = required.map((name) => {
    const schema = properties[name]
    if (type === 'multipart/form-data') return `-F '${name}=@picture.png'`
    return data(name, value(name, typeof schema === 'object' ? schema : {}))
  })
  const isPublic = security !== undefined
  const keyInAddress = security?.some((need) => 'keyInAddress' in need) ? '?api_key=$KEY' : ''
  const verb = query.length > 0 ? ` -G -X ${method}` : method === 'GET' ? '' : ` -X ${method}`
  return [
    `curl${verb.replace(' -G -X GET', ' -G')} "$SITE/api/v1${at}${keyInAddress}"`,
    ...(isPublic ? [] : ['-u "$EMAIL:$KEY"']),
    ...query,
    ...fields,
  ].join(' \\\n  ')
}

function data(name: string, value: string): string {
  return `--data-urlencode '${name}=${value}'`
}

function exampleText(document: ApiDocument, name: string, schema: JsonSchema): string {
  const value = example(document, name, schema)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function example(document: ApiDocument, name: string, schema: JsonSchema): unknown {
  const { $ref, anyOf, oneOf, items, properties = {}, required = [] } = schema
  if ($ref !== undefined) {
    const target = document.components.schemas[$ref.replace(/^.*\//, '')]
    return target ? example(document, name, target) : null
  }
  const [option] = anyOf ?? oneOf ?? []
  if (option !== undefined) return example(document, name, typeof option === 'object' ? option : {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 7)
    case 'boolean':
      return true
    case 'array':
      return typeof items === 'object' && !Array.isArray(items)
        ? [example(document, name, items)]
        : []
    case 'object':
      return Object.fromEntries(
        required.map((key) => {
          const inner = properties[key]
          return [key, example(document, key, typeof inner === 'object' ? inner : {})]
        }),
      )
    default:
      return texts[name] ?? 'text'
  }
}
