import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

interface Import {
  /** Path below src/ of the file that imports. */
  readonly file: string
  readonly target: string
  /** Whether anything but types comes in. */
  readonly values: boolean
}

const source = new URL('../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const imports = files.flatMap((file) =>
  importsOf(file, readFileSync(new URL(file, source), 'utf8')),
)

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+([^'"]*?)\s*from\s+'([^']+)'/gm)
  return [...statements].map(([, names = '', target = '']) => ({
    file,
    target,
    values: !/^type\b/.test(names) && !onlyTypes(names),
  }))
}

function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/s.exec(names.trim())?.[1]
  const each = inner?.split(',').filter((name) => name.trim() !== '')
  return each?.every((name) => name.trim().startsWith('type ')) ?? false
}

const list = (found: readonly Import[]) => found.map(({ file, target }) => `${file} -> ${target}`)
const role = (path: string) => basename(path, '.ts')

test('no file reaches out of its folder with ../', () => {
  assert.deepEqual(list(imports.filter(({ target }) => target.startsWith('../'))), [])
})

test('values flow from routes through actions and queries to the store, never back', () => {
  const order = ['routes', 'actions', 'queries']
  const backwards = imports.filter(({ file, target, values }) => {
    const from = order.indexOf(role(file))
    const to = order.indexOf(role(target))
    return values && from >= 0 && to >= 0 && to < from
  })
  assert.deepEqual(list(backwards), [])
})

test('only the HTTP layer, routes and pages know HTTP', () => {
  const outsiders = imports.filter(
    ({ file, target, values }) =>
      values &&
      /^(#http\/|hono\b|@hono\/)/.test(target) &&
      !file.startsWith('http/') &&
      !file.startsWith('web/') &&
      !['routes', 'pages', 'app', 'server', 'register', 'param'].includes(role(file)),
  )
  assert.deepEqual(list(outsiders), [])
})

test('the store knows nothing above it but the configuration', () => {
  const upwards = imports.filter(
    ({ file, target, values }) =>
      values && file.startsWith('store/') && target.startsWith('#') && target !== '#config.ts',
  )
  assert.deepEqual(list(upwards), [])
})

test('Markdown is pure: it imports neither the database nor any slice', () => {
  const impure = imports.filter(
    ({ file, target, values }) =>
      values &&
      file.startsWith('markdown/') &&
      target.startsWith('#') &&
      !/^#(markdown|emoji\/unicode)/.test(target),
  )
  assert.deepEqual(list(impure), [])
})

test('only what is below the actions writes SQL', () => {
  const sql = imports.filter(
    ({ file, target, values }) =>
      values &&
      target.startsWith('drizzle-orm') &&
      !file.startsWith('store/') &&
      ['routes', 'actions', 'events', 'state', 'json'].includes(role(file)),
  )
  assert.deepEqual(list(sql), [])
})

test('the environment is read in one place', () => {
  const readers = files.filter((file) =>
    readFileSync(new URL(file, source), 'utf8').includes('process.env'),
  )
  assert.deepEqual(readers, ['config.ts'])
})

test('times come from the clock alone', () => {
  const readers = files.filter((file) =>
    /\bDate\.now\(|new Date\(\)/.test(readFileSync(new URL(file, source), 'utf8')),
  )
  assert.deepEqual(readers, ['clock.ts'])
})
