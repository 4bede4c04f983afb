import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unaskedKeysIn } from '../../.build/key-handlers.ts'

const textsOf = (source: string) => unaskedKeysIn('x.tsx', source).map(({ text }) => text)

// biome-ignore format: a table reads best in columns
const handlers: [string, (body: string) => string][] = [
  ['a function', (body) => `function press(event: KeyboardEvent) { ${body} }`],
  ['an exported function', (body) => `export function press(event: KeyboardEvent) { ${body} }`],
  ['a constant', (body) => `const press = (event: KeyboardEvent) => { ${body} }`],
  ['an attribute', (body) => `const x = <input onKeyDown={(event) => { ${body} }} />`],
  ['a member of attributes', (body) => `const x = { onKeyUp: (event) => { ${body} } }`],
  ['a listener', (body) => `box.addEventListener('keydown', (event) => { ${body} })`],
  ['a callback in a handler', (body) => `function press(event: KeyboardEvent) { each(() => { ${body} }) }`],
]
const reads: [string, string][] = [
  ['event.key', 'event.key'],
  ['event.code', 'event.code'],
  ['const { key } = event', '{ key } = event'],
  ['const { target, code } = event', '{ target, code } = event'],
]
for (const [name, wrap] of handlers) {
  for (const [read, text] of reads) {
    test(`${name} that has \`${read}\` asks first whether the key is its own`, () => {
      assert.deepEqual(textsOf(wrap(read)), [text])
      assert.deepEqual(textsOf(wrap(`${read}; if (isFinishing(event)) return`)), [text])
      assert.deepEqual(textsOf(wrap(`if (isFinishing(event)) return; ${read}`)), [])
    })
  }
}

test('a function need not ask where all that call it in its file have asked', () => {
  const helper = 'function help(event: KeyboardEvent) { return event.key }\n'
  const asking = 'function a(event: KeyboardEvent) { if (!isFinishing(event)) help(event) }\n'
  const careless = 'function b(event: KeyboardEvent) { help(event) }\n'
  assert.deepEqual(textsOf(helper), ['event.key'])
  assert.deepEqual(textsOf(helper + asking), [])
  assert.deepEqual(textsOf(helper + asking + careless), ['event.key'])
  assert.deepEqual(textsOf(`export ${helper}${asking}`), ['event.key'])
})

test('members of other things are no keys', () => {
  assert.deepEqual(textsOf('function key(error: CallError) { return error.code }'), [])
})
