import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { listEndpoints } from '#app.ts'
import { apiDocument } from '#openapi/document.ts'
import type { ApiDocument, Operation } from '#openapi/types.ts'
import { assertConforms } from './support/conformance.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
after(server.close)

async function served(path = '/api/v1/openapi.json'): Promise<ApiDocument> {
  const response = await fetch(server.url + path)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json')
  return (await response.json()) as ApiDocument
}

const document = await served()

/** Every operation with its method and path. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
)

/** The names of an operation's parameters, wherever they are. */
function parameterNames({ parameters = [], requestBody }: Operation): string[] {
  const bodies = Object.values(requestBody?.content ?? {})
  const inBody = bodies.flatMap(({ schema }) => Object.keys(schema.properties ?? {}))
  return [...parameters.map(({ name }) => name), ...inBody]
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    assert.ok(valid, JSON.stringify(errors))
  })

  test('is what the answers in all tests are compared with', () => {
    const made = apiDocument(listEndpoints())
    assert.deepEqual(document, JSON.parse(JSON.stringify(made)))
  })

  test('needs no account, and any web page may read it', async () => {
    const response = await fetch(`${server.url}/api/v1/openapi.json`)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual((await response.json()) as ApiDocument, document)
  })

  test('refers to nothing that it does not have', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)
    const { components } = document as { components: Record<string, object> }
    const dangling = [...references].filter(
      ([, kind = '', name = '']) => !Object.hasOwn(components[kind] ?? {}, name),
    )
    assert.deepEqual(dangling, [])
  })

  test('calls no two operations the same', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    )
  })

  test('has a parameter for each part of a path in braces', () => {
    for (const { name, path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part)
      assert.deepEqual(inPath.map((parameter) => parameter.name).sort(), braces.sort(), name)
    }
  })

  test('says of every endpoint in a sentence what it does', () => {
    for (const { name, operation } of operations) {
      assert.match(operation.summary ?? '', /^[A-Z].*[^.]\.$/, name)
    }
  })
})
