import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { apiDocument } from '#platform/openapi/document.ts'
import { listEndpoints } from '#program/features.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ config: { rateLimits: false } })
after(server.close)
const owner = server.as('owner')
const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`
const document = apiDocument(listEndpoints())

/** The paths that have the ID of something in them, each with the ID in turn and 1 for all others. */
const routes = listEndpoints().flatMap(({ endpoint }) => {
  const { method, params, path } = endpoint
  const parts = [...path.matchAll(/:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/g)]
  return parts.flatMap(([part, name = '']) =>
    // One with a pattern has no other path.
    params[name]?.encoding === 'json' && part === `:${name}`
      ? [{ method: method.toUpperCase(), path, name }]
      : [],
  )
})

async function ask(method: string, path: string) {
  const init = { method, headers: { authorization } }
  const response = await fetch(`${server.url}/api/v1${path}`, init)
  const { code, msg } = (await response.json()) as { code: string; msg: string }
  return [response.status, code, msg]
}

const filled = (path: string, name: string, value: string) =>
  path.replace(/:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/g, (_, other) => (other === name ? value : '1'))

const notFound = [404, 'NOT_FOUND', 'Not found']

describe('a path whose ID is none is unknown, whatever the method', () => {
  test('in each of the paths that have one', () => {
    assert.ok(routes.length > 20, `${routes.length} IDs`)
  })

  const values = [
    'a-word',
    '__proto__',
    '1.5',
    '1e3',
    '0x1',
    '01',
    '+1',
    '%5B1%5D',
    'null',
    '%22x%22',
    '%201',
    '%ff',
  ]
  for (const value of values) {
    test(value, async () => {
      for (const { method, path, name } of routes) {
        const at = filled(path, name, value)
        assert.deepEqual(await ask(method, at), notFound, `${method} ${at}`)
      }
    })
  }

  test('of another path with this method', async () => {
    for (const path of ['/messages/flags', '/messages/render']) {
      assert.deepEqual(await ask('PATCH', path), notFound)
    }
  })
})

test('an ID that is too large is refused as such, and a negative one as one of nothing', async () => {
  for (const { method, path, name } of routes) {
    const large = await ask(method, filled(path, name, '9'.repeat(30)))
    assert.notDeepEqual(large, notFound, path)
    assert.ok(Number(large[0]) < 500, `${method} ${path}`)
    const negative = await ask(method, filled(path, name, '-1'))
    assert.ok(Number(negative[0]) < 500, `${method} ${path}`)
  }
})

test('the document says so of each operation with an ID in its path', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], responses }] of Object.entries(item)) {
      const hasId = parameters.some((one) => one.in === 'path' && one.schema?.type === 'integer')
      if (hasId) assert.ok(responses[404], `${method} ${path}`)
    }
  }
})
